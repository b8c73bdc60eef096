/**
 * The scripts of the lock commands. They are sent whole (EVAL): a restarted node has an empty script cache,
 * and a fallback after NOSCRIPT would overtake what was sent behind it (docs/decisions/).
 *
 * They take any number of resources, all or nothing. KEYS of the guarded ones: guard, quarantine, then the resources.
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
const acquireFrom = (first: number): string => `
if redis.call('EXISTS', unpack(KEYS, ${first})) > 0 then return ${SCRIPT_HELD} end
for at = ${first}, #KEYS do redis.call('SET', KEYS[at], ARGV[1], 'PX', ARGV[2]) end
return ${SCRIPT_GRANTED}`;

/** Take the resources if nobody has any of them but under the ended value that is replaced. */
const replaceFrom = (first: number, replaced: number): string => `
for at = ${first}, #KEYS do
  local value = redis.call('GET', KEYS[at])
  if value and value ~= ARGV[${replaced}] then return ${SCRIPT_HELD} end
end
for at = ${first}, #KEYS do redis.call('SET', KEYS[at], ARGV[1], 'PX', ARGV[2]) end
return ${SCRIPT_GRANTED}`;

/** Compare, then set each expiry only if it grows (design rule 7). */
const extendFrom = (first: number): string => `
for at = ${first}, #KEYS do
  local value = redis.call('GET', KEYS[at])
  if not value then return ${SCRIPT_MISSING} end
  if value ~= ARGV[1] then return ${SCRIPT_FOREIGN} end
end
for at = ${first}, #KEYS do
  local left = redis.call('PTTL', KEYS[at])
  if left >= 0 and left < tonumber(ARGV[2]) then redis.call('PEXPIRE', KEYS[at], ARGV[2]) end
end
return ${SCRIPT_GRANTED}`;

/** With the replaced value as a seventh argument where one is. */
export const GUARDED_ACQUIRE_SCRIPT = GUARD + acquireFrom(3);
export const GUARDED_REPLACE_SCRIPT = GUARD + replaceFrom(3, 7);
export const GUARDED_EXTEND_SCRIPT = GUARD + extendFrom(3);

/** ARGV: value, TTL in milliseconds, and the replaced value where one is. */
export const ACQUIRE_SCRIPT = acquireFrom(1).trim();
export const REPLACE_SCRIPT = replaceFrom(1, 3).trim();
export const EXTEND_SCRIPT = extendFrom(1).trim();

/** Compare, then delete, each resource for itself. ARGV: value. */
export const DELETE_SCRIPT = `
local answer = ${SCRIPT_MISSING}
for at = 1, #KEYS do
  local value = redis.call('GET', KEYS[at])
  if value == ARGV[1] then
    redis.call('DEL', KEYS[at])
    answer = ${SCRIPT_GRANTED}
  elseif value and answer == ${SCRIPT_MISSING} then
    answer = ${SCRIPT_FOREIGN}
  end
end
return answer`.trim();
