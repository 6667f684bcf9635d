#!/bin/sh
# Other gits to test with, unpacked from Debian's packages into a cache and never installed.
#
#	gits.sh get NAME...          fetches each unless it is cached, and says where it is
#	gits.sh run NAME COMMAND...  runs a command with that git first on PATH
#
# NAME is 2.30 (the oldest that is tested: it has no merge without a work tree), 2.47 or
# newest (what Debian unstable has; fetched again after 30 days). The mirror and its keys
# are the ones apt is set up with here. Exit 3 says that this is not a Debian machine, so
# there is nothing to fetch from; anything else that goes wrong is an error.
set -eu

cache=${GITLET_GITS:-${XDG_CACHE_HOME:-$HOME/.cache}/gitlet-gits}

die() {
	echo "gits.sh: $1" >&2
	exit "${2:-1}"
}

suite() {
	case $1 in
	2.30) echo bullseye ;;
	2.47) echo trixie ;;
	newest) echo sid ;;
	*) die "no git is called \"$1\": use 2.30, 2.47 or newest" 2 ;;
	esac
}

# with runs one of apt's programs on folders of its own: the machine's lists, packages and
# locks are left alone, and no root is needed.
with() {
	dir=$1 && shift
	mkdir -p "$dir/lists/partial" "$dir/archives/partial"
	[ -e "$dir/status" ] || : >"$dir/status"
	program=$1 && shift
	"$program" -q -o "Dir::State::lists=$dir/lists" -o "Dir::State::status=$dir/status" -o "Dir::Cache=$dir" \
		-o "Dir::Cache::archives=$dir/archives" -o "APT::Sandbox::User=$(id -un)" -o Acquire::Languages=none \
		-o Acquire::Retries=3 -o Acquire::IndexTargets::deb::DEP-11::DefaultEnabled=false "$@"
}

mirrors() {
	apt-get "$@" indextargets --format '$(REPO_URI)' 'Created-By: Packages' 'Origin: Debian' 'Label: Debian' | sort -u
}

# mirror prints where this machine gets Debian's packages. Only fetched lists say which
# source is Debian's, so a machine without any fetches them, aside.
mirror() {
	found=$(mirrors)
	if [ -z "$found" ]; then
		with "$cache/machine" apt-get -o APT::Update::Error-Mode=any update >&2 || die "apt's lists cannot be fetched"
		found=$(mirrors -o "Dir::State::lists=$cache/machine/lists")
	fi
	[ -n "$found" ] || die "none of apt's sources is Debian's"
	echo "$found" | head -n 1
}

# suite_apt runs one of apt's programs on one suite alone.
suite_apt() {
	name=$1 program=$2 && shift 2
	with "$cache/apt-$name" "$program" -o "Dir::Etc::sourcelist=$cache/apt-$name/sources.list" \
		-o Dir::Etc::sourceparts=/dev/null "$@"
}

# runs reports that the git in a folder, and what it starts for http, find their libraries.
runs() {
	"$1/usr/bin/git" version >/dev/null 2>&1 && ! ldd "$1/usr/lib/git-core/git-remote-http" 2>&1 | grep -q 'not found'
}

# own_libraries gives the git in a folder the C library and all others of its own suite:
# a newer git needs newer ones than the machine has.
own_libraries() {
	name=$1 root=$2
	packages=$(suite_apt "$name" apt-get -y --no-install-recommends --print-uris install git |
		sed -n "s/^'[^']*' \([^_ ]*\)_.*/\1/p" | grep -Ev '^(git|git-man|debconf|dpkg|tar|liberror-perl|perl.*|libperl.*)$')
	# shellcheck disable=SC2086 # a list of names
	unpack "$name" "$root" $packages
	# The program that points git at them is of the machine's own suite.
	[ -x "$cache/patchelf/usr/bin/patchelf" ] || {
		rm -rf "$cache/patchelf"
		mkdir -p "$cache/patchelf"
		(cd "$cache/patchelf" && { apt-get -q -o "APT::Sandbox::User=$(id -un)" download patchelf ||
			{ with "$cache/machine" apt-get update && with "$cache/machine" apt-get download patchelf; }; } >&2 &&
			dpkg-deb -x patchelf_*.deb .)
	}
	loader=$(find "$root" -name 'ld-linux*.so.*' | head -n 1)
	libraries=$(find "$root" -name '*.so.*' -exec dirname {} + | sort -u | paste -sd:)
	find "$root/usr/bin" "$root/usr/lib/git-core" -type f -perm -u+x | while read -r file; do
		[ "$(head -c 4 "$file" | tail -c 3)" = ELF ] || continue
		"$cache/patchelf/usr/bin/patchelf" --set-interpreter "$loader" --force-rpath --set-rpath "$libraries" "$file"
	done
}

# unpack downloads packages of a suite and unpacks them into a folder.
unpack() {
	name=$1 root=$2 && shift 2
	debs=$cache/apt-$name/debs
	rm -rf "$debs"
	mkdir -p "$debs" "$root"
	(cd "$debs" && suite_apt "$name" apt-get download "$@" >&2)
	for deb in "$debs"/*.deb; do
		dpkg-deb -x "$deb" "$root"
	done
	rm -rf "$debs"
}

# wrap makes the folder for PATH: git itself knows its helpers only where Debian installs
# them, so each program is told where they are.
wrap() {
	root=$1
	mkdir -p "$root/bin"
	for file in "$root"/usr/bin/git*; do
		program=$(basename "$file")
		[ -L "$file" ] && call="\"$root/usr/bin/git\" ${program#git-}" || call="\"$file\""
		cat >"$root/bin/$program" <<-END
			#!/bin/sh
			export GIT_EXEC_PATH="$root/usr/lib/git-core" GIT_TEMPLATE_DIR="$root/usr/share/git-core/templates"
			exec $call "\$@"
		END
		chmod +x "$root/bin/$program"
	done
}

# works tries what tests lean on: a commit, a clone through git's helpers, http.
works() (
	root=$1
	try=$(mktemp -d)
	trap 'rm -rf "$try"' EXIT
	export HOME="$try" PATH="$root/bin:$PATH" GIT_CONFIG_NOSYSTEM=1
	# Joined with &&, because the caller's || turns set -e off.
	cd "$try" &&
		git init -q one &&
		git -C one -c user.name=x -c user.email=x@example.com commit -q --allow-empty -m x &&
		git clone -q "file://$try/one" two &&
		test "$(git --exec-path)" = "$root/usr/lib/git-core" &&
		test -x "$root/usr/lib/git-core/git-http-backend" &&
		git ls-remote http://127.0.0.1:1/ 2>&1 | grep -q 'unable to access'
)

get() {
	name=$1 suite=$(suite "$1") root=$cache/$1
	mkdir -p "$cache"
	if [ "$name" = newest ] && [ -n "$(find "$root/done" -mtime +30 2>/dev/null)" ]; then
		rm -rf "$root"
	fi
	[ -e "$root/done" ] && return
	grep -qsx 'ID="*debian"*' /etc/os-release || die "there is no git $name here, and no Debian to fetch it from" 3
	from=$(mirror)
	keys=$(dpkg -L debian-archive-keyring 2>/dev/null | grep '/debian-archive-keyring\.[a-z]*$' | head -n 1)
	rm -rf "$root" "$cache/apt-$name"
	mkdir -p "$cache/apt-$name"
	echo "deb ${keys:+[signed-by=$keys] }$from $suite main" >"$cache/apt-$name/sources.list"
	suite_apt "$name" apt-get -o APT::Update::Error-Mode=any update >&2
	unpack "$name" "$root" git
	runs "$root" || own_libraries "$name" "$root"
	wrap "$root"
	works "$root" || die "git $name does not work as unpacked in $root"
	rm -rf "$cache/apt-$name" "$cache/machine"
	touch "$root/done"
}

# once keeps two callers from fetching at one time.
once() {
	if command -v flock >/dev/null 2>&1; then
		mkdir -p "$cache"
		flock "$cache/lock" "$0" fetch "$1"
	else
		get "$1"
	fi
}

verb=${1:-} && [ $# -ge 2 ] || die "say get NAME..., or run NAME COMMAND..." 2
shift
case $verb in
fetch) get "$1" ;;
get)
	for name in "$@"; do
		once "$name"
		echo "$("$cache/$name/bin/git" version): $cache/$name/bin"
	done
	;;
run)
	name=$1 && shift
	once "$name"
	PATH=$cache/$name/bin:$PATH exec "$@"
	;;
*) die "\"$verb\" is neither get nor run" 2 ;;
esac
