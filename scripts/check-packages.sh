#!/usr/bin/env bash
# Looks at both packages as they would be published: what is in them (publint) and what TypeScript makes of their
# types (attw). `npm run build` has built dist before; the coordinator is built by its own prepack.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

tarballs=$(mktemp -d)
had_dist=$([ -d src/dist ] && echo yes || echo no)
clean_up() {
  rm -rf "$tarballs"
  [ "$had_dist" = yes ] || rm -rf src/dist
}
trap clean_up EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

npm pack --silent --ignore-scripts --pack-destination "$tarballs" >/dev/null
(cd src && npm pack --silent --pack-destination "$tarballs" >/dev/null)

for tarball in "$tarballs"/*.tgz; do
  npx --no-install publint --strict "$tarball"
  npx --no-install attw --profile esm-only --no-color "$tarball"
done
