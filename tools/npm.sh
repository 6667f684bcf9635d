#!/usr/bin/env bash
# Makes the npm packages in dist/npm from the archives in dist (make release), those of
# the platforms that are there. VERSION is the release's, without v.
set -euo pipefail
cd "$(dirname "$0")/.."
version=${VERSION:?set VERSION, as in VERSION=1.2.3 tools/npm.sh}
version=${version#v}
out=dist/npm
rm -rf "$out"
mkdir -p "$out"
fill() { sed -e "s/0\.0\.0/$version/" -e "s/OS/${1:-}/g" -e "s/CPU/${2:-}/g" "$3"; }
found=0
for archive in dist/gitlet_"$version"_*.tar.gz; do
	[ -e "$archive" ] || continue
	platform=${archive#dist/gitlet_"$version"_}
	platform=${platform%.tar.gz}
	os=${platform%_*}
	cpu=${platform#*_}
	[ "$cpu" = amd64 ] && cpu=x64
	dir=$out/gitlet-$os-$cpu
	mkdir -p "$dir/bin"
	tar -xzOf "$archive" "gitlet_${version}_$platform/gitlet" >"$dir/bin/gitlet"
	chmod 755 "$dir/bin/gitlet"
	fill "$os" "$cpu" npm/platform/package.json >"$dir/package.json"
	found=$((found + 1))
done
[ $found -gt 0 ] || { echo "no archive of $version in dist/: run VERSION=v$version make release" >&2; exit 1; }
cp -R npm/gitlet "$out/gitlet"
fill "" "" npm/gitlet/package.json >"$out/gitlet/package.json"
cp README.md "$out/gitlet/"
echo "$found platforms in $out"
