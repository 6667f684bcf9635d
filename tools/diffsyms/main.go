package main

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"

	"gitlet/internal/lang"
)

// options are the command line.
type options struct {
	langs      string
	verbose    bool
	python     string
	node       string
	typescript string
	ctags      string
	dirs       []string
}

func main() {
	var o options
	flag.StringVar(&o.langs, "lang", "", "languages to compare, separated by commas; none means all")
	flag.BoolVar(&o.verbose, "v", false, "list every difference")
	flag.StringVar(&o.python, "python", "python3", "the Python whose ast module reads Python")
	flag.StringVar(&o.node, "node", "node", "the Node that runs the TypeScript compiler")
	flag.StringVar(&o.typescript, "typescript", "", "the folder that npm install typescript@5 was run in")
	flag.StringVar(&o.ctags, "ctags", "ctags", "universal-ctags with JSON output")
	flag.Parse()
	o.dirs = flag.Args()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, o); err != nil {
		fmt.Fprintf(os.Stderr, "diffsyms: %v\n", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, o options) error {
	if len(o.dirs) == 0 {
		return errors.New("name the folders to read, as in diffsyms -lang go DIR")
	}
	langs, err := wanted(o.langs)
	if err != nil {
		return err
	}
	files, err := find(o.dirs, langs)
	if err != nil {
		return err
	}
	out := bufio.NewWriter(os.Stdout)
	defer out.Flush()
	var all []*Totals
	for _, l := range langs {
		list := files[l.Name]
		if len(list) == 0 {
			fmt.Fprintf(out, "%s: no files\n", l.Name)
			continue
		}
		for _, r := range readers(o, l) {
			theirs, err := r.read(ctx, list)
			if err != nil {
				return fmt.Errorf("read %s with %s: %w", l.Name, r.name, err)
			}
			t := &Totals{Lang: l.Name, Reader: r.name}
			for _, path := range list {
				other, ok := theirs[path]
				if !ok {
					return fmt.Errorf("read %s with %s: no answer for %q", l.Name, r.name, path)
				}
				mine, err := readGitlet(l, path)
				if err != nil {
					return err
				}
				t.Add(mine, other, r)
			}
			t.Print(out, o.verbose)
			all = append(all, t)
		}
	}
	printTable(out, all)
	return nil
}

// wanted turns the -lang flag into languages.
func wanted(names string) ([]*lang.Language, error) {
	if names == "" {
		return lang.All(), nil
	}
	var out []*lang.Language
	for _, n := range strings.Split(names, ",") {
		l := lang.ByName(strings.TrimSpace(n))
		if l == nil {
			return nil, fmt.Errorf("%q is no language gitlet reads", n)
		}
		out = append(out, l)
	}
	return out, nil
}

// find lists the files of each language under dirs, in one order. Links are not followed.
func find(dirs []string, langs []*lang.Language) (map[string][]string, error) {
	out := map[string][]string{}
	for _, dir := range dirs {
		err := filepath.WalkDir(dir, func(p string, d fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			if d.IsDir() && d.Name() == ".git" {
				return fs.SkipDir
			}
			if l := lang.ForPath(p); d.Type().IsRegular() && l != nil && slices.Contains(langs, l) {
				out[l.Name] = append(out[l.Name], p)
			}
			return nil
		})
		if err != nil {
			return nil, fmt.Errorf("walk %q: %w", dir, err)
		}
	}
	for name := range out {
		slices.SortFunc(out[name], cmp.Compare[string])
		out[name] = slices.Compact(out[name])
	}
	return out, nil
}
