/**
 * The scripts of the lock commands. They are sent whole (EVAL): a restarted node has an empty script cache,
 * and a fallback after NOSCRIPT would overtake what was sent behind it (docs/decisions/).
 */

/** Answers of both scripts. */
export const SCRIPT_GRANTED = 1;
export const SCRIPT_MISSING = 0;
export const SCRIPT_FOREIGN = -1;

/** Compare, then set the expiry only if it grows (design rule 7). ARGV: value, TTL in milliseconds. */
export const EXTEND_SCRIPT = `
local value = redis.call('GET', KEYS[1])
if not value then return ${SCRIPT_MISSING} end
if value ~= ARGV[1] then return ${SCRIPT_FOREIGN} end
local left = redis.call('PTTL', KEYS[1])
if left >= 0 and left < tonumber(ARGV[2]) then redis.call('PEXPIRE', KEYS[1], ARGV[2]) end
return ${SCRIPT_GRANTED}`.trim();

/** Compare, then delete. ARGV: value. */
export const DELETE_SCRIPT = `
local value = redis.call('GET', KEYS[1])
if not value then return ${SCRIPT_MISSING} end
if value ~= ARGV[1] then return ${SCRIPT_FOREIGN} end
redis.call('DEL', KEYS[1])
return ${SCRIPT_GRANTED}`.trim();
