/**
 * How long a client may take to reach a node again after the node or the link is back. What it wrote before
 * was lost with the old connection. Twice the longest pause of the coordinator's own reconnects, so that one
 * attempt may fail.
 */
export const RECONNECT_ALLOWANCE_MS = 200;
