import { createClusterConnection, createReplyWatch, GCRA_LUA, REDIS_TIMES } from '@platform/service-kit';
import { createClient, createCluster } from 'redis';
import { createLocalRateLimiter, latestMs, paceOf, refusedFor } from './local-rate-limiter.ts';
import { GO_AHEAD, type Rate, type RateLimiter, type RateVerdict } from './rate-limiter.ts';

/**
 * GCRA in one step. Redis's own clock is read, so replicas need not agree on the time. Milliseconds are kept
 * with their fraction; the response is the wait in milliseconds, 0 when the request is taken, and whether a
 * place is kept for it. ARGV: interval, tolerance, how far ahead places are given, how long they are kept,
 * the least wait (0 = none: a place of the request is taken if its time has come), and `1` for a place that
 * is paid for already.
 */
const ASK = `${GCRA_LUA}
local time = redis.call('TIME')
local now = time[1] * 1000 + time[2] / 1000
local interval, tolerance, ahead = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local kept, least = tonumber(ARGV[4]), tonumber(ARGV[5])
local function place(wait)
  local from = string.format('%.3f', now + wait)
  local n = redis.call('ZCARD', KEYS[2])
  redis.call('ZADD', KEYS[2], from, from .. ' ' .. n)
  redis.call('PEXPIRE', KEYS[2], math.ceil(math.max(wait, ahead) + kept))
end
if ARGV[6] == '1' then
  place(least)
  return {'0', 1}
end
if least == 0 then
  redis.call('ZREMRANGEBYSCORE', KEYS[2], '-inf', now - kept)
  local due = redis.call('ZRANGEBYSCORE', KEYS[2], '-inf', now, 'LIMIT', 0, 1)
  if due[1] then
    redis.call('ZREM', KEYS[2], due[1])
    return {'0', 0}
  end
end
local arrival, counted = step_gcra(redis.call('GET', KEYS[1]), now, interval, tolerance)
local wait = math.max(counted, least)
if counted > ahead then return {tostring(wait), 0} end
redis.call('SET', KEYS[1], string.format('%.3f', arrival), 'PX', math.ceil(arrival - now))
if wait <= 0 then return {'0', 0} end
place(wait)
return {tostring(wait), 1}`;

/** A write, for a Redis that only reads, as after a failover, counts nothing. */
const PROBE = `return redis.call('SET', KEYS[1], '', 'PX', 1000)`;

const REPLY_MS_MAX = 500;
/** How long a Redis that did not respond is left alone, so that not every request waits for it. */
const PAUSE_MS = 1_000;

export interface RedisRateLimiterOptions {
  readonly rate: Rate;
  /** The URL names nodes of a Redis Cluster, separated by commas. */
  readonly isCluster?: boolean;
  /** Milliseconds of a clock that never goes back. */
  readonly now: () => number;
  /** Called whenever Redis does not respond or cannot be reached. */
  readonly onError: (error: unknown) => void;
  /** Longest a reply is waited for, REPLY_MS_MAX unless given. Milliseconds. */
  readonly replyMsMax?: number;
}

/**
 * One count for all replicas, in Redis. While Redis does not respond or takes no writes, requests are served
 * and each replica counts alone: one request a second finds out whether it is back. Connecting continues in
 * the background, so the service starts without Redis too.
 */
export function createRedisRateLimiter(url: string, options: RedisRateLimiterOptions): RateLimiter {
  const { rate, now, onError, replyMsMax = REPLY_MS_MAX } = options;
  const { interval, tolerance, ahead, kept } = paceOf(rate);
  const figures = [interval, tolerance, ahead, kept];
  const local = createLocalRateLimiter(rate, now);
  /** Whether the last reply did not come, and from when the next is asked for. */
  let isSilent = false;
  let askAgainAt = -Infinity;
  let isClosed = false;
  const complain = (error: unknown) => {
    // To be closed while it connects is an error to the client, and no fault of Redis.
    if (!isClosed) onError(error);
  };
  const returned = () => {
    isSilent = false;
    askAgainAt = -Infinity;
  };
  const link = options.isCluster
    ? linkToCluster(url, { timeoutMs: replyMsMax, onError: complain, onReady: returned })
    : linkToRedis(url, { timeoutMs: replyMsMax, onError: complain, onReady: returned });
  // Without requests nothing else would find out that Redis responds again.
  const probe = setInterval(() => {
    if (isSilent && link.isReady()) link.run(PROBE, ['docstore:probe']).then(returned, () => undefined);
  }, PAUSE_MS).unref();

  /** Asks Redis; while it does not respond, `alone` asks this process. */
  async function ask(
    [subject, request]: readonly [subject: string, request: string],
    [leastMs, isPaid]: readonly [leastMs: number, isPaid: boolean],
    alone: () => Promise<RateVerdict>,
  ): Promise<RateVerdict> {
    if (now() < askAgainAt) return alone();
    try {
      const count = `docstore:rate:{${subject}}`;
      const keys = [count, `${count}:${request}`];
      const args = [...figures, leastMs, Number(isPaid)].map(String);
      const reply = await link.run(ASK, keys, args);
      isSilent = false;
      const [wait, isReserved] = reply as [string, number];
      return Number(wait) > 0 ? refusedFor(Number(wait), isReserved === 1) : GO_AHEAD;
    } catch (error) {
      isSilent = true;
      askAgainAt = now() + PAUSE_MS;
      // Without a connection the client says only that, and not why there is none.
      if (link.isReady()) complain(error);
      return alone();
    }
  }

  return {
    take: (subject, request) => ask([subject, request], [0, false], () => local.take(subject, request)),
    async reserve(subject, request, seconds) {
      const leastMs = Math.max(1, latestMs(seconds));
      const { seconds: told, isReserved } = await ask([subject, request], [leastMs, false], () =>
        local.reserve(subject, request, seconds),
      );
      return { seconds: Math.max(told, seconds), isReserved };
    },
    async keep(subject, request, seconds) {
      await ask([subject, request], [latestMs(seconds), true], async () => {
        await local.keep(subject, request, seconds);
        return GO_AHEAD;
      });
    },
    isRedisUnavailable: () => isSilent || !link.isReady(),
    async close() {
      isClosed = true;
      clearInterval(probe);
      await link.close();
      await local.close();
    },
  };
}

interface LinkOptions {
  readonly timeoutMs: number;
  readonly onError: (error: unknown) => void;
  /** Called whenever a connection is there after there was none. */
  readonly onReady: () => void;
}

/** Where scripts run. */
interface Link {
  /** The reply to a script. Errors: none in time, no connection, or Redis takes no writes. */
  run(script: string, keys: string[], args?: string[]): Promise<unknown>;
  isReady(): boolean;
  close(): Promise<void>;
}

function linkToRedis(url: string, { timeoutMs, onError, onReady }: LinkOptions): Link {
  const client = createClient({
    url,
    disableOfflineQueue: true,
    ...REDIS_TIMES,
    socket: { ...REDIS_TIMES.socket, reconnectStrategy: (retries) => Math.min(retries * 50, 2_000) },
  });
  client.on('error', onError);
  client.on('ready', onReady);
  client.connect().catch(onError);
  const replied = createReplyWatch(client, timeoutMs);
  return {
    run: (script, keys, args = []) => replied(client.eval(script, { keys, arguments: args })),
    isReady: () => client.isReady,
    close: async () => client.destroy(),
  };
}

/** The keys of a subject have its hash tag, so the script finds them in one slot. */
function linkToCluster(url: string, options: LinkOptions): Link {
  const { once, isReady, close } = createClusterConnection({ ...options, url, create: createCluster });
  return {
    run: (script, keys, args = []) => once((cluster) => cluster.eval(script, { keys, arguments: args })),
    isReady,
    close,
  };
}
