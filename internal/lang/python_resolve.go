package lang

import (
	"path"
	"strings"

	"gitlet/internal/model"
)

// pyStdlib are the top-level modules Python itself brings.
var pyStdlib = lazily(`__future__ abc aifc argparse array ast asynchat asyncio asyncore atexit audioop base64
bdb binascii bisect builtins bz2 cProfile calendar cgi cgitb chunk cmath cmd code codecs codeop collections colorsys
compileall concurrent configparser contextlib contextvars copy copyreg crypt csv ctypes curses dataclasses datetime
dbm decimal difflib dis distutils doctest email encodings ensurepip enum errno faulthandler fcntl filecmp fileinput
fnmatch fractions ftplib functools gc getopt getpass gettext glob graphlib grp gzip hashlib heapq hmac html http
idlelib imaplib imghdr imp importlib inspect io ipaddress itertools json keyword lib2to3 linecache locale logging
lzma mailbox mailcap marshal math mimetypes mmap modulefinder multiprocessing netrc nis nntplib ntpath numbers
opcode operator optparse os pathlib pdb pickle pickletools pipes pkgutil platform plistlib poplib posix posixpath
pprint profile pstats pty pwd py_compile pyclbr pydoc queue quopri random re readline reprlib resource rlcompleter
runpy sched secrets select selectors shelve shlex shutil signal site smtpd smtplib sndhdr socket socketserver
sqlite3 ssl stat statistics string stringprep struct subprocess sunau symtable sys sysconfig syslog tabnanny
tarfile telnetlib tempfile termios textwrap threading time timeit tkinter token tokenize tomllib trace traceback
tracemalloc tty turtle types typing unicodedata unittest urllib uu uuid venv warnings wave weakref webbrowser winreg
winsound wsgiref xdrlib xml xmlrpc zipapp zipfile zipimport zlib zoneinfo`)

// pyBuiltins are the names every module knows.
var pyBuiltins = lazily(`ArithmeticError AssertionError AttributeError BaseException BaseExceptionGroup BlockingIOError
BrokenPipeError BufferError BytesWarning ChildProcessError ConnectionAbortedError ConnectionError
ConnectionRefusedError ConnectionResetError DeprecationWarning EOFError Ellipsis EncodingWarning EnvironmentError
Exception ExceptionGroup False FileExistsError FileNotFoundError FloatingPointError FutureWarning GeneratorExit
IOError ImportError ImportWarning IndentationError IndexError InterruptedError IsADirectoryError KeyError
KeyboardInterrupt LookupError MemoryError ModuleNotFoundError NameError None NotADirectoryError NotImplemented
NotImplementedError OSError OverflowError PendingDeprecationWarning PermissionError ProcessLookupError
RecursionError ReferenceError ResourceWarning RuntimeError RuntimeWarning StopAsyncIteration StopIteration
SyntaxError SyntaxWarning SystemError SystemExit TabError TimeoutError True TypeError UnboundLocalError
UnicodeDecodeError UnicodeEncodeError UnicodeError UnicodeTranslateError UnicodeWarning UserWarning ValueError
Warning ZeroDivisionError abs aiter all anext any ascii bin bool breakpoint bytearray bytes callable chr classmethod
compile complex copyright credits delattr dict dir divmod enumerate eval exec exit filter float format frozenset
getattr globals hasattr hash help hex id input int isinstance issubclass iter len license list locals map max
memoryview min next object oct open ord pow print property quit range repr reversed round set setattr slice sorted
staticmethod str sum super tuple type vars zip __import__ __build_class__ reveal_type`)

// pythonResolve follows a reference through the file's imports.
func pythonResolve(file string, f *Facts, r RawRef, repo Repo) Target {
	if r.Value {
		return Target{}
	}
	left := maxSteps
	p := pyResolver{file: file, f: f, repo: repo, left: &left}
	if r.Qualifier == "" {
		return p.plain(r)
	}
	return p.qualified(r)
}

type pyResolver struct {
	file string
	f    *Facts
	repo Repo
	left *int // the modules one reference may still lead through
}

func (p pyResolver) own() string { return pythonModules(p.file)[0] }

// plain resolves a name without qualifier.
func (p pyResolver) plain(r RawRef) Target {
	if i := importOf(p.f.Imports, r.Name, r.Byte); i != nil {
		if i.Kind != "member" {
			return Target{} // a module is not called
		}
		m, drop := p.module(i.Module)
		if drop {
			return Target{Drop: true}
		}
		return p.member(m, i.Name, r.Name)
	}
	if definesTop(p.f, r.Name) {
		return Target{Resolved: true, Module: p.own()}
	}
	if pyBuiltins()[r.Name] {
		return Target{Drop: true}
	}
	if m, ok := p.glob(r.Name); ok {
		return p.member(m, r.Name, r.Name)
	}
	return Target{Resolved: true, Module: p.own()}
}

// member is the target for a module's name, which the file may know by another.
func (p pyResolver) member(module, name, used string) Target {
	t := Target{Resolved: true}
	if t.Module, name = p.passedOn(module, name, 0); name != used {
		t.Name = name
	}
	return t
}

// glob finds the star import that brings the name: the last one whose module
// defines it as far as its text tells, else the only one there is.
func (p pyResolver) glob(name string) (string, bool) {
	var mods []string
	for _, i := range p.f.Imports {
		if i.Kind != "glob" {
			continue
		}
		if m, drop := p.module(i.Module); !drop {
			mods = append(mods, m)
		}
	}
	for i := len(mods) - 1; i >= 0; i-- {
		m, n := p.passedOn(mods[i], name, 0)
		if e, _ := p.exports(m); e != nil && e.defines[n] {
			return mods[i], true
		}
	}
	if len(mods) == 1 {
		return mods[0], true
	}
	return "", false
}

// qualified resolves q.name, q a chain of plain names.
func (p pyResolver) qualified(r RawRef) Target {
	segs := strings.Split(r.Qualifier, ".")
	for n := len(segs); n > 0; n-- {
		i := importOf(p.f.Imports, strings.Join(segs[:n], "."), r.Byte)
		if i == nil {
			continue
		}
		return p.through(i, segs[n:], r.Name)
	}
	for k := range p.f.Imports { // import a.b.c also binds a and a.b
		i := &p.f.Imports[k]
		if i.Kind == "module" && i.Local == i.Module && strings.HasPrefix(i.Module, r.Qualifier+".") && inScope(i, r.Byte) {
			return p.through(&Import{Kind: "module", Module: r.Qualifier}, nil, r.Name)
		}
	}
	for i := range p.f.Symbols {
		if s := &p.f.Symbols[i]; s.Kind == model.KindClass && qualify(s.Container, s.Name) == r.Qualifier {
			return Target{Resolved: true, Module: p.own(), Container: r.Qualifier}
		}
	}
	if pyBuiltins()[segs[0]] {
		return Target{Drop: true}
	}
	if len(segs) == 1 && capitalised(segs[0]) {
		if m, ok := p.glob(segs[0]); ok {
			return Target{Resolved: true, Module: m, Container: segs[0]}
		}
	}
	return Target{}
}

// through follows an import and then the rest of a qualifier: submodules, then a
// class and classes inside it. Anything else is a value.
func (p pyResolver) through(i *Import, rest []string, name string) Target {
	if i.Kind == "member" {
		rest = append([]string{i.Name}, rest...)
	}
	m, drop := p.module(i.Module)
	if drop {
		return Target{Drop: true}
	}
	container := ""
	for _, seg := range rest {
		sub := path.Join(m, seg)
		switch {
		case container == "" && p.exists(sub):
			m = sub
		case container == "" && capitalised(seg):
			m, container = p.passedOn(m, seg, 0)
		case capitalised(seg):
			container = qualify(container, seg)
		case container == "" && !p.exists(m):
			m = sub // nothing known here: a name in lower case is a module
		default:
			return Target{}
		}
	}
	if container == "" {
		return p.member(m, name, name)
	}
	return Target{Resolved: true, Module: m, Container: container}
}

// module turns a specifier into a module of the repository. Absolute ones are looked
// for where Python would: from each directory above the file that is no package,
// and from the src and lib directories there. What is found nowhere keeps its own
// name, which the suffix rule may still match, unless it is Python's own.
func (p pyResolver) module(spec string) (module string, drop bool) {
	if strings.HasPrefix(spec, ".") {
		rest := strings.TrimLeft(spec, ".")
		dir := path.Dir(p.file)
		for range len(spec) - len(rest) - 1 {
			if dir == "." {
				return "", true
			}
			dir = path.Dir(dir)
		}
		return path.Join(dir, strings.ReplaceAll(rest, ".", "/")), false
	}
	rel := strings.ReplaceAll(spec, ".", "/")
	top, _, _ := strings.Cut(rel, "/")
	if p.repo != nil {
		for dir := path.Dir(p.file); ; dir = path.Dir(dir) {
			if dir == "." || !p.has(path.Join(dir, "__init__.py")) {
				for _, under := range []string{"", "src", "lib"} {
					base := path.Join(dir, under)
					if m := path.Join(base, rel); p.exists(m) || top != rel && p.exists(path.Join(base, top)) {
						return m, false
					}
				}
			}
			if dir == "." {
				break
			}
		}
	}
	if pyStdlib()[top] {
		return "", true
	}
	return rel, false
}

func (p pyResolver) has(file string) bool {
	if p.repo == nil {
		return false
	}
	_, ok := p.repo.ReadFile(file)
	return ok
}

// exists reports whether the repository has a file for the module.
func (p pyResolver) exists(module string) bool {
	_, _, ok := p.read(module)
	return ok
}

func (p pyResolver) read(module string) (data []byte, file string, ok bool) {
	if p.repo == nil {
		return nil, "", false
	}
	for _, end := range []string{".py", "/__init__.py", ".pyi", "/__init__.pyi"} {
		if b, ok := p.repo.ReadFile(module + end); ok {
			return b, module + end, true
		}
	}
	return nil, "", false
}

// importOf returns the import that binds the name at a byte: the innermost scope
// wins, and in it the last one.
func importOf(imports []Import, local string, at int) *Import {
	var best *Import
	for k := range imports {
		i := &imports[k]
		if i.Local != local || i.Kind == "glob" || !inScope(i, at) {
			continue
		}
		if best == nil || i.Scope == [2]int{} && best.Scope == [2]int{} || i.Scope != [2]int{} && i.Scope[0] >= best.Scope[0] {
			best = i
		}
	}
	return best
}

func inScope(i *Import, at int) bool {
	return i.Scope == [2]int{} || at >= i.Scope[0] && at < i.Scope[1]
}

// definesTop reports whether the file defines the name outside every type and module.
func definesTop(f *Facts, name string) bool {
	for i := range f.Symbols {
		if s := &f.Symbols[i]; s.Name == name && s.Container == "" {
			return true
		}
	}
	return false
}

func capitalised(s string) bool { return s != "" && s[0] >= 'A' && s[0] <= 'Z' }
