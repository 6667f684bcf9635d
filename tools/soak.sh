#!/bin/sh
# Runs every fuzz target of the project for FUZZTIME (default 30s) each.
set -eu
time=${FUZZTIME:-30s}
go list ./... | while read -r pkg; do
	dir=$(go list -f '{{.Dir}}' "$pkg")
	grep -ho '^func Fuzz[A-Za-z0-9_]*' "$dir"/*_test.go 2>/dev/null | sed 's/^func //' | while read -r f; do
		echo "== $pkg $f"
		go test -run '^$' -fuzz "^$f\$" -fuzztime "$time" "$pkg"
	done
done
