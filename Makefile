# gitlet's development commands. `make demo` and `make test` are all a newcomer needs.
GO ?= go
VERSION ?= $(shell git describe --always --dirty 2>/dev/null || echo unknown)
# A race-built program sleeps a second at exit; tests that start it must not pay that.
export GORACE := atexit_sleep_ms=0

.PHONY: build demo test check fmt generate soak bench bench-large differential release test-clients tools clean git-2.30 git-newer test-git-2.30 test-gits

build: tools
	@mkdir -p bin
	$(GO) build -ldflags '-X gitlet/internal/cli.Version=$(VERSION)' -o bin/gitlet ./cmd/gitlet

demo: build
	@bin/gitlet demo

test: tools
	$(GO) test -timeout 30m ./...

# Formatting, vet, staticcheck, and the tests with the race detector. RACE names the
# packages for the last: CI, which has run them all without it, leaves out the longest.
RACE ?= ./...
check: tools
	@bad=$$(gofmt -l cmd internal test tools); test -z "$$bad" || { echo "not gofmt-formatted, run make fmt:"; echo "$$bad"; exit 1; }
	$(GO) vet ./...
	$(GO) tool staticcheck ./...
	$(GO) test -race -timeout 40m $(RACE)

# Other gits, unpacked into a cache (docs/decisions/0016-other-gits.md).
git-2.30:
	@tools/gits.sh get 2.30

git-newer:
	@tools/gits.sh get 2.47 newest

# The suite with another git first on PATH. OLDGIT names the packages.
OLDGIT ?= ./...
test-git-2.30: tools
	tools/gits.sh run 2.30 $(GO) test -timeout 30m $(OLDGIT)

test-gits: test-git-2.30
	tools/gits.sh run 2.47 $(GO) test -timeout 30m ./...
	tools/gits.sh run newest $(GO) test -timeout 30m ./...

fmt:
	gofmt -w cmd internal test tools

# Documents and goldens that come out of declarations.
generate: tools
	$(GO) generate ./...

# Long counts: fuzzing and thousands of rounds, run by hand.
soak: tools
	tools/soak.sh

# What reading code costs, as ratios: TREES="DIR DIR" names other source trees to read.
TREES ?= $(shell $(GO) env GOROOT)/src
bench: tools
	$(GO) test -run '^$$' -bench . -benchtime 1s ./internal/symbols ./internal/lang ./internal/footprint ./internal/rules
	$(GO) run ./tools/benchread $(TREES)

# What ticks, status and snapshots cost in large repositories, as ratios to git status.
# It builds the repositories anew (4 GB on disk); LARGE passes flags, such as -history 0.
LARGE ?=
bench-large: build
	$(GO) run ./tools/benchlarge -gitlet bin/gitlet $(LARGE)

# Definitions against other parsers, over the folders in DIRS (docs/differential.md).
PYTHON ?= python3
differential: tools
	$(GO) run ./tools/diffsyms -python $(PYTHON) -typescript "$(TYPESCRIPT)" $(DIRS)

# What is handed out for this machine's platform, in dist/.
release: tools
	GO=$(GO) tools/release.sh

# The clients themselves, from npm at pinned versions, against what init writes and what
# the server serves. Not part of CI.
test-clients: build
	tools/clients.sh

tools:
	@tools/need.sh

clean:
	rm -rf bin
