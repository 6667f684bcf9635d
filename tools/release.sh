#!/usr/bin/env bash
# Builds what is handed out for this machine's platform, into dist/: an archive with the
# program, its manual and completions, and the checksums. cgo is needed, so each platform
# builds its own.
#
#   VERSION=v1.2.3 tools/release.sh
set -euo pipefail
cd "$(dirname "$0")/.."
go=${GO:-go}
version=${VERSION:-$(git describe --tags --always --dirty 2>/dev/null || echo devel)}
platform=$("$go" env GOOS)_$("$go" env GOARCH)
name=gitlet_${version#v}_$platform
out=dist/$name
rm -rf "$out" "$out.tar.gz"
mkdir -p "$out/completions" "$out/man/man1"
"$go" build -trimpath -ldflags "-s -w -X gitlet/internal/cli.Version=$version" -o "$out/gitlet" ./cmd/gitlet
"$out/gitlet" version
for shell in bash zsh fish; do
	"$out/gitlet" completion "$shell" >"$out/completions/gitlet.$shell"
done
"$go" run ./tools/genman -version "$version" "$out/man/man1"
cp README.md "$out/"
# The same input gives the same archive: sorted names, no owners, the commit's time.
when=$(git log -1 --format=%ct 2>/dev/null || echo 0)
if tar --version 2>/dev/null | grep -q GNU; then
	tar --sort=name --owner=0 --group=0 --numeric-owner --mtime="@$when" -C dist -cf - "$name" | gzip -n >"$out.tar.gz"
else
	tar -C dist -cf - "$name" | gzip -n >"$out.tar.gz"
fi
cd dist
if command -v sha256sum >/dev/null 2>&1; then
	sha256sum "$name.tar.gz" >"$name.tar.gz.sha256"
else
	shasum -a 256 "$name.tar.gz" >"$name.tar.gz.sha256"
fi
cat "$name.tar.gz.sha256"
