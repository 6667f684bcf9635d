# gitlet's development commands. `make demo` and `make test` are all a newcomer needs.
GO ?= go
VERSION := $(shell git describe --always --dirty 2>/dev/null || echo unknown)
# A race-built program sleeps a second at exit; tests that start it must not pay that.
export GORACE := atexit_sleep_ms=0

.PHONY: build demo test check fmt generate soak bench differential tools clean

build: tools
	@mkdir -p bin
	$(GO) build -ldflags '-X gitlet/internal/cli.Version=$(VERSION)' -o bin/gitlet ./cmd/gitlet

demo: build
	@bin/gitlet demo

test: tools
	$(GO) test ./...

# Everything CI asks for.
check: tools
	@bad=$$(gofmt -l cmd internal test tools); test -z "$$bad" || { echo "not gofmt-formatted, run make fmt:"; echo "$$bad"; exit 1; }
	$(GO) vet ./...
	$(GO) tool staticcheck ./...
	$(GO) test -race -timeout 15m ./...

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

# Definitions against other parsers, over the folders in DIRS (docs/differential.md).
PYTHON ?= python3
differential: tools
	$(GO) run ./tools/diffsyms -python $(PYTHON) -typescript "$(TYPESCRIPT)" $(DIRS)

tools:
	@tools/need.sh

clean:
	rm -rf bin
