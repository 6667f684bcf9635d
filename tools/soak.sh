#!/bin/sh
# The long counts: memory over FILES files of each language, then every fuzz target of
# the project for FUZZTIME each.
set -eu
go test -run '^TestMemoryDoesNotGrow$' -timeout 2h ./internal/symbols -files "${FILES:-20000}"
for pkg in $(go list ./...); do
	dir=$(go list -f '{{.Dir}}' "$pkg")
	for f in $(cat "$dir"/*_test.go 2>/dev/null | sed -n 's/^func \(Fuzz[A-Za-z0-9_]*\)(.*/\1/p'); do
		echo "== $pkg $f"
		# Shrinking an input that only reaches new code takes longer than it is worth.
		go test -run '^$' -fuzz "^$f\$" -fuzztime "${FUZZTIME:-30s}" -fuzzminimizetime 1x "$pkg"
	done
done
