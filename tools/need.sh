#!/bin/sh
# Says in one line which tool is missing and how to get it; silent when all are here.
need() {
	command -v "$1" >/dev/null 2>&1 || { echo "gitlet needs $1: $2" >&2; exit 1; }
}
need git "install git 2.29 or newer (Debian: apt-get install git)"
need go "install Go 1.26 or newer from https://go.dev/dl/ and put its bin folder on PATH"
need "${CC:-gcc}" "install a C compiler for the parsers (Debian: apt-get install gcc libc6-dev)"
have=$(go env GOVERSION | sed 's/^go//')
case "$have" in
1.[0-9] | 1.[0-9].* | 1.1[0-9]* | 1.2[0-5]*) echo "gitlet needs Go 1.26 or newer and found $have: install it from https://go.dev/dl/" >&2; exit 1 ;;
esac
