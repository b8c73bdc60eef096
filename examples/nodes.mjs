// Which nodes the examples use. The environment variable REDLOCK_NODES names them, with commas between.
const { REDLOCK_NODES = "", REDLOCK_FIRST_USE = "wait" } = process.env;

const EXIT_USAGE = 64;

if (REDLOCK_NODES === "") {
  console.error(`Name the Redis servers, five of them for a real try:

  for port in 7001 7002 7003 7004 7005; do redis-server --port $port --bind 127.0.0.1 --save "" & done
  export REDLOCK_NODES=redis://127.0.0.1:7001,redis://127.0.0.1:7002,redis://127.0.0.1:7003,redis://127.0.0.1:7004,redis://127.0.0.1:7005
  export REDLOCK_FIRST_USE=trust     # on servers on which nobody can hold a lock; others wait for half a minute, once
  node ${process.argv[1] ?? "examples/cron-once.mjs"}`);
  process.exit(EXIT_USAGE);
}

export const nodes = REDLOCK_NODES.split(",");
export const restartGuard = { firstUse: REDLOCK_FIRST_USE };

// Nodes that were never used before have no vote for a while, so that nothing that they may have forgotten is taken.
export const PATIENCE_MS = 40_000;
