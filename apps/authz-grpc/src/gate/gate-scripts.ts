import { GCRA_LUA } from '@platform/service-kit';

/**
 * The gate in Lua. Redis runs a script as one step, so what it reads and what it takes belong together.
 *
 * KEYS: the stamps, then the rates, then the counters. ARGV: number of stamps, number of rates, a fresh
 * stamp, its time to live in ms; the stamps seen; per rate limit and window in ms; per counter calls, epoch
 * and capacity. Answers {0} entered; {1, index, stamp, …} stale; {2, index, …} unseeded; {3, index,
 * microseconds} rate limited; {4, index} quota exhausted. Indexes count from 1 within their group.
 */
export const ENTER = `${GCRA_LUA}
local stamps, rates = tonumber(ARGV[1]), tonumber(ARGV[2])
local fresh, ttl = ARGV[3], ARGV[4]
local at = 4

if stamps > 0 then
  local stale, current = nil, nil
  for i = 1, stamps do
    -- Lua passes a few thousand arguments to a call at most.
    local place = (i - 1) % 1000
    if place == 0 then current = redis.call('MGET', unpack(KEYS, i, math.min(i + 999, stamps))) end
    local stamp = current[place + 1]
    if not stamp then
      stamp = fresh
      redis.call('SET', KEYS[i], stamp, 'PX', ttl)
    end
    if stamp ~= ARGV[at + i] then
      stale = stale or {1}
      stale[#stale + 1] = i
      stale[#stale + 1] = stamp
    end
  end
  if stale then return stale end
  at = at + stamps
end

local firstCounter = stamps + rates
local counters = #KEYS - firstCounter
local used, epochs, unseeded = {}, {}, nil
local counterArgs = at + 2 * rates
for i = 1, counters do
  local held = redis.call('HMGET', KEYS[firstCounter + i], 'used', 'epoch')
  epochs[i] = ARGV[counterArgs + 3 * i - 1]
  if not held[1] then
    unseeded = unseeded or {2}
    unseeded[#unseeded + 1] = i
  elseif tonumber(held[2]) >= tonumber(epochs[i]) then
    used[i], epochs[i] = tonumber(held[1]), held[2]
  else
    used[i] = 0
  end
end
if unseeded then return unseeded end

local arrivals = {}
if rates > 0 then
  local time = redis.call('TIME')
  local now = time[1] * 1000000 + time[2]
  for i = 1, rates do
    local window = ARGV[at + 2 * i] * 1000
    local interval = window / ARGV[at + 2 * i - 1]
    local stored = redis.call('GET', KEYS[stamps + i])
    local arrival, wait = step_gcra(stored, now, interval, window - interval)
    if wait > 0 then return {3, i, math.ceil(wait)} end
    arrivals[i] = arrival
  end
end

for i = 1, counters do
  if used[i] + ARGV[counterArgs + 3 * i - 2] > tonumber(ARGV[counterArgs + 3 * i]) then return {4, i} end
end

for i = 1, rates do
  redis.call('SET', KEYS[stamps + i], string.format('%.3f', arrivals[i]), 'PX', math.ceil(ARGV[at + 2 * i]))
end
for i = 1, counters do
  local calls = ARGV[counterArgs + 3 * i - 2]
  if used[i] == 0 then
    redis.call('HSET', KEYS[firstCounter + i], 'used', calls, 'epoch', epochs[i])
  else
    redis.call('HINCRBY', KEYS[firstCounter + i], 'used', calls)
  end
end
return {0}
`;

/** KEYS: the stamps. ARGV: the pending mark, a fresh stamp, its time to live in ms. */
export const SETTLE = `
for i = 1, #KEYS do
  local stamp = redis.call('GET', KEYS[i])
  if not stamp or stamp == ARGV[1] or string.sub(stamp, 1, 2) ~= 'p:' then
    redis.call('SET', KEYS[i], ARGV[2], 'PX', ARGV[3])
  end
end
return 0
`;

/** KEYS: one counter. ARGV: used, epoch, time to live in ms. */
export const SEED = `
if redis.call('HSETNX', KEYS[1], 'used', ARGV[1]) == 1 then
  redis.call('HSET', KEYS[1], 'epoch', ARGV[2])
  redis.call('PEXPIRE', KEYS[1], ARGV[3])
end
return 0
`;
