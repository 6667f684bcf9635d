// Command benchread measures what reading code costs, as ratios taken in one run:
//
//	go run ./tools/benchread DIR...
//
// For each language it takes the files under DIR and times three passes over the
// same files, each in a process of its own, one after the other, several rounds,
// and compares the medians of their CPU time: a bare C parse with libc's
// allocator, gitlet's extraction (definitions, signatures, references, hashes),
// and, when it is on PATH, `ast-grep outline --items all --view expanded`. The
// first ratio compares the passes alone, the second whole processes.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/pprof"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"gitlet/internal/lang"
	"gitlet/internal/symbols"
)

func main() {
	var b bench
	pass := flag.String("pass", "", "internal: run one pass, parse or extract, over the files in DIR")
	profile := flag.String("cpuprofile", "", "with -pass: write a CPU profile here")
	flag.StringVar(&b.only, "lang", "", "measure this language only")
	flag.IntVar(&b.rounds, "rounds", 5, "rounds to take the median of")
	flag.IntVar(&b.maxBytes, "max", 8<<20, "source bytes per language; spread evenly over the files")
	flag.Parse()
	var err error
	switch {
	case flag.NArg() == 0:
		err = errors.New("name at least one folder of source files")
	case *pass != "":
		err = runPass(*pass, b.only, flag.Arg(0), *profile)
	default:
		err = b.run(flag.Args())
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "benchread:", err)
		os.Exit(1)
	}
}

type bench struct {
	only             string
	rounds, maxBytes int
}

func (b bench) run(dirs []string) error {
	files, err := find(dirs)
	if err != nil {
		return err
	}
	astGrep, _ := exec.LookPath("ast-grep")
	if astGrep == "" {
		fmt.Println("ast-grep is not on PATH: its column stays empty")
	}
	scratch, err := os.MkdirTemp("", "benchread")
	if err != nil {
		return err
	}
	defer os.RemoveAll(scratch)
	fmt.Printf("%-11s %6s %6s %8s %9s %9s %9s %9s %9s\n", "language", "files", "MB", "refused", "parse s", "extract s", "ast-grep", "/parse", "/ast-grep")
	for _, l := range lang.All() {
		if b.only != "" && b.only != l.Name {
			continue
		}
		s, err := b.sample(l, files[l.Name], filepath.Join(scratch, l.Name))
		if err != nil {
			return err
		}
		if s.files == 0 {
			fmt.Printf("%-11s no files\n", l.Name)
			continue
		}
		if err := b.measure(l.Name, s, astGrep); err != nil {
			return err
		}
		for _, r := range s.refused {
			fmt.Println("            refused:", r)
		}
	}
	return nil
}

// find lists the files of each language under dirs.
func find(dirs []string) (map[string][]string, error) {
	out := map[string][]string{}
	for _, d := range dirs {
		err := filepath.WalkDir(d, func(p string, e fs.DirEntry, err error) error {
			if err != nil || !e.Type().IsRegular() {
				return err
			}
			if l := lang.ForPath(p); l != nil {
				out[l.Name] = append(out[l.Name], p)
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	return out, nil
}

// sampled is one language's files, copied into a folder of their own.
type sampled struct {
	dir          string
	files, bytes int
	refused      []string // files that gitlet tracks as a whole, with the reason
}

// sample copies files into dir under numbers, evenly over all of them. Files that
// gitlet refuses to read are listed, and left out: they would cost it nothing.
func (b bench) sample(l *lang.Language, files []string, dir string) (sampled, error) {
	s := sampled{dir: dir}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return s, err
	}
	total := 0
	sources := make([][]byte, len(files))
	for i, p := range files {
		src, err := os.ReadFile(p)
		if err != nil {
			return s, err
		}
		if _, err := symbols.Extract(l, src, symbols.DefaultLimits); err != nil {
			s.refused = append(s.refused, fmt.Sprintf("%s: %v", p, err))
			continue
		}
		sources[i] = src
		total += len(src)
	}
	owed := 0
	for i, src := range sources {
		if owed += min(b.maxBytes, total); src == nil || owed < total {
			continue
		}
		owed -= total
		name := strconv.Itoa(i) + strings.ToLower(filepath.Ext(files[i]))
		if err := os.WriteFile(filepath.Join(dir, name), src, 0o666); err != nil {
			return s, err
		}
		s.files++
		s.bytes += len(src)
	}
	return s, nil
}

func (b bench) measure(language string, s sampled, astGrep string) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	var parse, extract, whole, peer []float64
	for range b.rounds {
		a, _, err := timed(self, "-pass", "parse", "-lang", language, s.dir)
		if err != nil {
			return err
		}
		e, w, err := timed(self, "-pass", "extract", "-lang", language, s.dir)
		if err != nil {
			return err
		}
		parse, extract, whole = append(parse, a), append(extract, e), append(whole, w)
		if astGrep != "" {
			_, p, err := timed(astGrep, "outline", "--items", "all", "--view", "expanded", s.dir)
			if err != nil {
				return err
			}
			peer = append(peer, p)
		}
	}
	fmt.Printf("%-11s %6d %6.1f %8d %9.3f %9.3f", language, s.files, float64(s.bytes)/1e6, len(s.refused), median(parse), median(extract))
	if peer == nil {
		fmt.Printf(" %9s %9.2f\n", "", median(extract)/median(parse))
		return nil
	}
	fmt.Printf(" %9.3f %9.2f %9.2f\n", median(peer), median(extract)/median(parse), median(whole)/median(peer))
	return nil
}

// timed runs a program and returns the seconds it printed, where it is our own, and
// the CPU seconds of the whole process.
func timed(name string, args ...string) (printed, whole float64, err error) {
	cmd := exec.Command(name, args...)
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return 0, 0, fmt.Errorf("run %s: %w", name, err)
	}
	p := cmd.ProcessState
	if args[0] == "-pass" {
		if printed, err = strconv.ParseFloat(strings.TrimSpace(string(out)), 64); err != nil {
			return 0, 0, fmt.Errorf("read the time that a pass printed: %w", err)
		}
	}
	return printed, (p.UserTime() + p.SystemTime()).Seconds(), nil
}

// runPass reads every file of dir, then times one pass over them and prints the CPU
// seconds that the whole process spent on it.
func runPass(pass, language, dir, profile string) error {
	l := lang.ByName(language)
	if l == nil {
		return fmt.Errorf("no language %q", language)
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	var sources [][]byte
	for _, e := range entries {
		src, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			return err
		}
		sources = append(sources, src)
	}
	read := func(src []byte) error { _, err := symbols.Extract(l, src, symbols.DefaultLimits); return err }
	if pass == "parse" {
		read = func(src []byte) error { return symbols.ParseOnly(l, src) }
	}
	if profile != "" {
		f, err := os.Create(profile)
		if err != nil {
			return err
		}
		defer f.Close()
		if err := pprof.StartCPUProfile(f); err != nil {
			return err
		}
		defer pprof.StopCPUProfile()
	}
	start := cpu()
	for i, src := range sources {
		if err := read(src); err != nil {
			return fmt.Errorf("read %q: %w", entries[i].Name(), err)
		}
	}
	fmt.Println((cpu() - start).Seconds())
	return nil
}

// cpu is the CPU time of this process so far.
func cpu() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

func median(v []float64) float64 {
	s := slices.Clone(v)
	slices.Sort(s)
	return s[len(s)/2]
}
