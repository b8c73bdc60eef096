/**
 * The scripts of the lock commands. They are sent whole (EVAL): a restarted node has an empty script cache,
 * and a fallback after NOSCRIPT would overtake what was sent behind it (docs/decisions/).
 *
 * The guarded ones take any number of resources, all or nothing. KEYS: guard, quarantine, then the resources.
 * ARGV: value, TTL, run_id of the server's process, terms, durability, longest lifetime; times in milliseconds.
 */

/** Answers of all scripts. */
export const SCRIPT_GRANTED = 1;
export const SCRIPT_MISSING = 0;
export const SCRIPT_FOREIGN = -1;
export const SCRIPT_HELD = -2;

/** First of two texts; the second is for how long still, or what the guard says. */
export const SCRIPT_QUARANTINED = "quarantined";
export const SCRIPT_MISMATCHED = "mismatched";

/**
 * A node that may have forgotten does not vote (design rule 8). A guard that is missing, or that another process
 * wrote, is written anew together with the quarantine, in the same step in which it is noticed; only where all that
 * was answered for had to survive, there is none. Terms are compared before identity, and a quarantine is never cut
 * short: one without an expiry keeps the node out for good.
 */
const GUARD = `
local own = ARGV[3] .. ' ' .. ARGV[4] .. ' '
local found = redis.call('GET', KEYS[1])
if found ~= own .. ARGV[5] then
  local runId, terms, durability = string.match(found or '', '^(%S+) (.*) (%S+)$')
  if found and terms ~= ARGV[4] then return {'${SCRIPT_MISMATCHED}', found} end
  if runId ~= ARGV[3] then
    local left = redis.call('PTTL', KEYS[2])
    local isKept = durability == 'durable' and ARGV[5] == 'durable'
    if not isKept and left ~= -1 and left < tonumber(ARGV[6]) then
      redis.call('SET', KEYS[2], ARGV[3], 'PX', ARGV[6])
    end
    redis.call('SET', KEYS[1], own .. ARGV[5])
  elseif ARGV[5] == 'volatile' then
    redis.call('SET', KEYS[1], own .. ARGV[5])
  end
end
local quarantine = redis.call('PTTL', KEYS[2])
if quarantine == -1 then quarantine = tonumber(ARGV[6]) end
if quarantine ~= -2 then return {'${SCRIPT_QUARANTINED}', tostring(quarantine)} end`.trim();

/** Take the resources if nobody has any of them. */
export const GUARDED_ACQUIRE_SCRIPT = `${GUARD}
if redis.call('EXISTS', unpack(KEYS, 3)) > 0 then return ${SCRIPT_HELD} end
for at = 3, #KEYS do redis.call('SET', KEYS[at], ARGV[1], 'PX', ARGV[2]) end
return ${SCRIPT_GRANTED}`;

/** Compare, then set each expiry only if it grows (design rule 7). */
export const GUARDED_EXTEND_SCRIPT = `${GUARD}
for at = 3, #KEYS do
  local value = redis.call('GET', KEYS[at])
  if not value then return ${SCRIPT_MISSING} end
  if value ~= ARGV[1] then return ${SCRIPT_FOREIGN} end
end
for at = 3, #KEYS do
  local left = redis.call('PTTL', KEYS[at])
  if left >= 0 and left < tonumber(ARGV[2]) then redis.call('PEXPIRE', KEYS[at], ARGV[2]) end
end
return ${SCRIPT_GRANTED}`;

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
