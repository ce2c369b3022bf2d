import { createReplyWatch, GCRA_LUA, REDIS_TIMES } from '@platform/service-kit';
import { createClient } from 'redis';
import { createLocalRateLimiter, paceOf } from './local-rate-limiter.ts';
import type { Rate, RateLimiter } from './rate-limiter.ts';

/**
 * GCRA in one step. Redis's own clock is read, so replicas need not agree on the time. Milliseconds are kept
 * with their fraction; the response is the wait in milliseconds, 0 when the request is taken.
 */
const TAKE = `${GCRA_LUA}
local time = redis.call('TIME')
local now = time[1] * 1000 + time[2] / 1000
local arrival, wait = step_gcra(redis.call('GET', KEYS[1]), now, tonumber(ARGV[1]), tonumber(ARGV[2]))
if wait > 0 then return tostring(wait) end
redis.call('SET', KEYS[1], string.format('%.3f', arrival), 'PX', math.ceil(arrival - now))
return '0'`;

const REPLY_MS_MAX = 500;
/** How long a Redis that did not answer is left alone, so that not every request waits for it. */
const PAUSE_MS = 1_000;
/** How often a Redis that does not answer is mentioned in the log. */
const COMPLAINT_INTERVAL_MS = 10_000;

export interface RedisRateLimiterOptions {
  readonly rate: Rate;
  /** Milliseconds of a clock that never goes back. */
  readonly now: () => number;
  /** Called, not too often, when Redis does not answer and this process counts on its own. */
  readonly onUnavailable: (error: unknown) => void;
  /** Longest a reply is waited for, REPLY_MS_MAX unless given. Milliseconds. */
  readonly replyMsMax?: number;
}

/**
 * One count for all replicas, in Redis. While Redis does not answer, requests go on and each replica counts
 * alone: one request a second finds out whether it is back. Connecting goes on in the background, so the
 * service starts without Redis too.
 */
export function createRedisRateLimiter(url: string, options: RedisRateLimiterOptions): RateLimiter {
  const { rate, now, onUnavailable, replyMsMax = REPLY_MS_MAX } = options;
  const { interval, tolerance } = paceOf(rate);
  const local = createLocalRateLimiter(rate, now);
  /** Whether the last reply did not come, and from when the next is asked for. */
  let isSilent = false;
  let askAgainAt = -Infinity;
  let complainedAt = -Infinity;
  let isClosed = false;
  const complain = (error: unknown) => {
    // To be closed while it connects is an error to the client, and no fault of Redis.
    if (isClosed || now() - complainedAt < COMPLAINT_INTERVAL_MS) return;
    complainedAt = now();
    onUnavailable(error);
  };
  const client = createClient({
    url,
    disableOfflineQueue: true,
    ...REDIS_TIMES,
    socket: { ...REDIS_TIMES.socket, reconnectStrategy: (retries) => Math.min(retries * 50, 2_000) },
  });
  client.on('error', complain);
  client.on('ready', () => (askAgainAt = -Infinity));
  client.connect().catch(complain);
  const replied = createReplyWatch(client, { timeoutMs: replyMsMax });

  return {
    async take(subject) {
      if (now() < askAgainAt) return local.take(subject);
      try {
        const keys = [`docstore:rate:{${subject}}`];
        const arguments_ = [String(interval), String(tolerance)];
        const waitMs = Number(await replied(client.eval(TAKE, { keys, arguments: arguments_ })));
        isSilent = false;
        return Math.ceil(waitMs / 1000);
      } catch (error) {
        isSilent = true;
        askAgainAt = now() + PAUSE_MS;
        complain(error);
        return local.take(subject);
      }
    },
    isRedisAway: () => isSilent || !client.isReady,
    async close() {
      isClosed = true;
      client.destroy();
      await local.close();
    },
  };
}
