import { GCRA_LUA } from '@platform/service-kit';

/**
 * The history of this Redis's data. It is another one after a failover, after a restart and in a node that a
 * slot moved to: what such a Redis holds may be older than what was acknowledged, so a version seen in one
 * history is none in the next, and a counter of another history is read from the store again.
 */
const HISTORY = `
local history = string.sub(string.match(redis.call('INFO', 'replication'), 'master_replid:(%x+)') or '', 1, 12)
`;

/**
 * The limit store in Lua. Redis runs a script as one step, so what it reads and what it takes belong
 * together. The calls of a group enter one after the other, as if each had come alone: what one takes,
 * the next one finds taken.
 *
 * KEYS: the versions, then the rates, then the counters of all calls. ARGV: number of versions, number of
 * rates, a fresh version, its time to live in ms; the version seen of each; per rate limit and window in
 * ms; per counter calls, epoch and capacity; then the calls, each as the places of its entries among
 * these, counted from 1 in one row and separated by commas. Returns per call 0 acquired; {1, place,
 * version, …} stale; {2, place, …} uninitialized; {3, place, microseconds} rate limited; {4, place} quota
 * exhausted.
 *
 * A key may stand there twice, as when two calls saw different versions of one entity: `arrivals` and
 * `counters` go by key.
 */
export const TRY_ACQUIRE = `${GCRA_LUA}${HISTORY}local versions, rates = tonumber(ARGV[1]), tonumber(ARGV[2])
local fresh, ttl = ARGV[3], ARGV[4]
local counters = #KEYS - versions - rates
local rateArgs = 4 + versions
local counterArgs = rateArgs + 2 * rates
local firstCall = counterArgs + 3 * counters + 1

local stale = {}
local current
for i = 1, versions do
  -- Lua passes a few thousand arguments to a call at most.
  local place = (i - 1) % 1000
  if place == 0 then current = redis.call('MGET', unpack(KEYS, i, math.min(i + 999, versions))) end
  local version = current[place + 1]
  if not version then
    version = fresh
    redis.call('SET', KEYS[i], version, 'PX', ttl)
  end
  version = version .. '@' .. history
  if version ~= ARGV[4 + i] then stale[i] = version end
end

local held = {}
local function counter_at(place)
  local key = KEYS[place]
  if held[key] == nil then
    local stored = redis.call('HMGET', key, 'used', 'epoch', 'history')
    held[key] = stored[3] == history and {used = tonumber(stored[1]), epoch = tonumber(stored[2]), taken = 0} or false
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

local function acquire(places)
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
    if place > versions + rates and not counter_at(place) then
      reply = reply or {2}
      reply[#reply + 1] = place
    end
  end
  if reply then return reply end

  local nexts = {}
  for _, place in ipairs(places) do
    if place > versions and place <= versions + rates then
      if not now then
        local time = redis.call('TIME')
        now = time[1] * 1000000 + time[2]
      end
      local arg = rateArgs + 2 * (place - versions)
      local window = ARGV[arg] * 1000
      local interval = window / ARGV[arg - 1]
      local arrival, wait = step_gcra(arrival_at(place), now, interval, window - interval)
      if wait > 0 then return {3, place, math.ceil(wait)} end
      nexts[place] = string.format('%.3f', arrival)
    end
  end

  for _, place in ipairs(places) do
    if place > versions + rates then
      local arg = counterArgs + 3 * (place - versions - rates)
      local counter = counter_at(place)
      local used = counter.epoch < tonumber(ARGV[arg - 1]) and 0 or counter.used
      if used + math.max(tonumber(ARGV[arg - 2]), 1) > tonumber(ARGV[arg]) then return {4, place} end
    end
  end

  for place, arrival in pairs(nexts) do
    arrivals[KEYS[place]] = arrival
    windows[KEYS[place]] = math.ceil(ARGV[rateArgs + 2 * (place - versions)])
  end
  for _, place in ipairs(places) do
    if place > versions + rates then
      local arg = counterArgs + 3 * (place - versions - rates)
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
  replies[#replies + 1] = acquire(places)
end

for key, window in pairs(windows) do redis.call('SET', key, arrivals[key], 'PX', window) end
for key, counter in pairs(held) do
  if counter and (counter.taken > 0 or counter.restarts) then
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

/** KEYS: the versions. ARGV: the pending mark, its time to live in ms. */
export const BEGIN_INVALIDATION = `
for i = 1, #KEYS do redis.call('SET', KEYS[i], ARGV[1], 'PX', ARGV[2]) end
return 0
`;

/**
 * KEYS: the versions. ARGV: the pending mark. A version that is gone is made anew by the next call. Another
 * writer's mark stays.
 */
export const COMMIT_INVALIDATION = `
for i = 1, #KEYS do
  local version = redis.call('GET', KEYS[i])
  if version and (version == ARGV[1] or string.sub(version, 1, 2) ~= 'p:') then redis.call('DEL', KEYS[i]) end
end
return 0
`;

/**
 * KEYS: one counter. ARGV: used, epoch, time to live in ms. Of a counter of another history and the store's
 * figure the larger one holds: either may lack what was counted last.
 */
export const SEED = `${HISTORY}
local used, epoch = tonumber(ARGV[1]), tonumber(ARGV[2])
local stored = redis.call('HMGET', KEYS[1], 'used', 'epoch', 'history')
if stored[3] == history then return 0 end
if stored[1] then
  local before, cycle = tonumber(stored[1]), tonumber(stored[2])
  if cycle > epoch or (cycle == epoch and before > used) then used, epoch = before, cycle end
end
local text = function(number) return string.format('%.0f', number) end
redis.call('HSET', KEYS[1], 'used', text(used), 'epoch', text(epoch), 'history', history)
redis.call('PEXPIRE', KEYS[1], ARGV[3])
return 0
`;

/** KEYS: counters. Replies per counter its calls and epoch, or an empty row when there is none. */
export const USAGE = `${HISTORY}
local rows = {}
for i = 1, #KEYS do
  local stored = redis.call('HMGET', KEYS[i], 'used', 'epoch', 'history')
  rows[i] = stored[3] == history and {stored[1], stored[2]} or {}
end
return rows
`;

/** KEYS: counters. ARGV: per counter the calls that are given back, and the epoch they were taken in. */
export const GIVE_BACK = `
for i = 1, #KEYS do
  local stored = redis.call('HMGET', KEYS[i], 'used', 'epoch')
  local calls = tonumber(ARGV[2 * i - 1])
  if stored[1] and stored[2] == ARGV[2 * i] and tonumber(stored[1]) >= calls then
    redis.call('HINCRBY', KEYS[i], 'used', string.format('%.0f', -calls))
  end
end
return 0
`;
