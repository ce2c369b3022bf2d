import { GCRA_LUA } from '@platform/service-kit';

/**
 * The gate in Lua. Redis runs a script as one step, so what it reads and what it takes belong together. The
 * calls of a group enter one after the other, as if each had come alone: what one takes, the next one finds
 * taken.
 *
 * KEYS: the stamps, then the rates, then the counters of all calls. ARGV: number of stamps, number of rates,
 * a fresh stamp, its time to live in ms; the stamp seen of each; per rate limit and window in ms; per counter
 * calls, epoch and capacity; then the calls, each as the places of its entries among these, counted from 1 in
 * one row and separated by commas. Answers per call 0 entered; {1, place, stamp, …} stale; {2, place, …}
 * unseeded; {3, place, microseconds} rate limited; {4, place} quota exhausted.
 *
 * A key may stand there twice, as when two calls saw different stamps of one entity: `arrivals` and
 * `counters` go by key.
 */
export const ENTER = `${GCRA_LUA}
local stamps, rates = tonumber(ARGV[1]), tonumber(ARGV[2])
local fresh, ttl = ARGV[3], ARGV[4]
local counters = #KEYS - stamps - rates
local rateArgs = 4 + stamps
local counterArgs = rateArgs + 2 * rates
local firstCall = counterArgs + 3 * counters + 1

local stale = {}
local current
for i = 1, stamps do
  -- Lua passes a few thousand arguments to a call at most.
  local place = (i - 1) % 1000
  if place == 0 then current = redis.call('MGET', unpack(KEYS, i, math.min(i + 999, stamps))) end
  local stamp = current[place + 1]
  if not stamp then
    stamp = fresh
    redis.call('SET', KEYS[i], stamp, 'PX', ttl)
  end
  if stamp ~= ARGV[4 + i] then stale[i] = stamp end
end

local held = {}
local function counter_at(place)
  local key = KEYS[place]
  if held[key] == nil then
    local stored = redis.call('HMGET', key, 'used', 'epoch')
    held[key] = stored[1] and {used = tonumber(stored[1]), epoch = tonumber(stored[2]), taken = 0} or false
  end
  return held[key]
end

local now
local arrivals, windows = {}, {}
local function arrival_at(place)
  local key = KEYS[place]
  if arrivals[key] == nil then arrivals[key] = redis.call('GET', key) end
  return arrivals[key]
end

local function enter(places)
  local reply
  for _, place in ipairs(places) do
    if stale[place] then
      reply = reply or {1}
      reply[#reply + 1] = place
      reply[#reply + 1] = stale[place]
    end
  end
  if reply then return reply end

  for _, place in ipairs(places) do
    if place > stamps + rates and not counter_at(place) then
      reply = reply or {2}
      reply[#reply + 1] = place
    end
  end
  if reply then return reply end

  local nexts = {}
  for _, place in ipairs(places) do
    if place > stamps and place <= stamps + rates then
      if not now then
        local time = redis.call('TIME')
        now = time[1] * 1000000 + time[2]
      end
      local arg = rateArgs + 2 * (place - stamps)
      local window = ARGV[arg] * 1000
      local interval = window / ARGV[arg - 1]
      local arrival, wait = step_gcra(arrival_at(place), now, interval, window - interval)
      if wait > 0 then return {3, place, math.ceil(wait)} end
      nexts[place] = string.format('%.3f', arrival)
    end
  end

  for _, place in ipairs(places) do
    if place > stamps + rates then
      local arg = counterArgs + 3 * (place - stamps - rates)
      local counter = counter_at(place)
      local used = counter.epoch < tonumber(ARGV[arg - 1]) and 0 or counter.used
      if used + ARGV[arg - 2] > tonumber(ARGV[arg]) then return {4, place} end
    end
  end

  for place, arrival in pairs(nexts) do
    arrivals[KEYS[place]] = arrival
    windows[KEYS[place]] = math.ceil(ARGV[rateArgs + 2 * (place - stamps)])
  end
  for _, place in ipairs(places) do
    if place > stamps + rates then
      local arg = counterArgs + 3 * (place - stamps - rates)
      local counter, epoch = counter_at(place), tonumber(ARGV[arg - 1])
      if counter.epoch < epoch then
        counter.epoch, counter.used, counter.taken, counter.restarts = epoch, 0, 0, true
      end
      counter.used = counter.used + ARGV[arg - 2]
      counter.taken = counter.taken + ARGV[arg - 2]
    end
  end
  return 0
end

-- Calls of one caller about one domain are alike.
local known = {}
local replies = {}
for i = firstCall, #ARGV do
  local places = known[ARGV[i]]
  if not places then
    places = {}
    for place in string.gmatch(ARGV[i], '%d+') do places[#places + 1] = tonumber(place) end
    known[ARGV[i]] = places
  end
  replies[#replies + 1] = enter(places)
end

for key, window in pairs(windows) do redis.call('SET', key, arrivals[key], 'PX', window) end
for key, counter in pairs(held) do
  if counter and counter.taken > 0 then
    local taken = string.format('%.0f', counter.taken)
    if counter.restarts then
      redis.call('HSET', key, 'used', taken, 'epoch', string.format('%.0f', counter.epoch))
    else
      redis.call('HINCRBY', key, 'used', taken)
    end
  end
end
return replies
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
