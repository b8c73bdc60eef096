#!/usr/bin/env bash
# The main job: the catalogue in simulation, which needs nothing but Node, and then on real servers.
# Arguments go to both: stories and options of `redlock-lab run`.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

node bin/redlock-lab.js run --backend simulated "$@"
# Exit code 70 where servers cannot be had; it has printed what brings them.
scripts/set-up.sh
node bin/redlock-lab.js run --backend local "$@"
