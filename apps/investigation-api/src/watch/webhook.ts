import { createHmac } from 'node:crypto';
import { lookup as lookUp } from 'node:dns/promises';
import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import type { WebhookHosts } from './webhook-hosts.ts';

/** One message to one receiver. */
export interface WebhookMessage {
  readonly url: string;
  /** As subscribers were shown it: `whsec_` and base64. */
  readonly secret: string;
  /** The same in every attempt, so that receivers tell a repetition. */
  readonly id: string;
  /** The event as JSON. */
  readonly body: string;
  readonly now: Date;
}

/** What became of an attempt: null = taken (2xx); otherwise why not. */
export type WebhookResult = {
  readonly problem: string;
  /** Whether the receiver wants no more messages at all. */
  readonly isFinal: boolean;
  /** Shortest wait before the next try that the receiver asked for, at most a day. Milliseconds. */
  readonly retryAfterMs?: number;
} | null;
export type SendWebhook = (message: WebhookMessage, signal: AbortSignal) => Promise<WebhookResult>;

export const SECRET_PREFIX = 'whsec_';
/** Gone (RFC 9110): the receiver wants no more, as Standard Webhooks has it. */
const GONE = 410;
/** A receiver that asks for a longer wait is asked again after this one. */
const RETRY_AFTER_MAX_MS = 24 * 3_600_000;

/** The headers of a message by Standard Webhooks: HMAC-SHA256 over id, time and body. Pure. */
function signedHeaders({ secret, id, body, now }: Omit<WebhookMessage, 'url'>): Record<string, string> {
  const timestamp = String(Math.floor(now.getTime() / 1000));
  const key = Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64');
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64');
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` };
}

export interface WebhookSenderOptions {
  readonly hosts: WebhookHosts;
  /** Longest that one message may take, from the look-up of its host to the status. Milliseconds. */
  readonly timeoutMs: number;
  /** All addresses of a host; the system's resolver unless given. */
  readonly resolve?: (host: string) => Promise<readonly { readonly address: string }[]>;
  /** PEM of the authorities that certificates must come from; those of Node unless given. */
  readonly ca?: string;
}

/**
 * Sends messages within `timeoutMs` each. The name is looked up once, every address it has must be allowed,
 * and the connection goes to the address that was checked; redirects are not followed. Never rejects.
 */
export function createWebhookSender(options: WebhookSenderOptions): SendWebhook {
  const { hosts, timeoutMs, resolve = (host) => lookUp(host, { all: true }), ca } = options;
  return async (message, signal) => {
    const refusal = hosts.refusal(message.url);
    if (refusal !== null) return { problem: refusal, isFinal: false };
    const ends = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
    try {
      const url = new URL(message.url);
      const host = url.hostname.replace(/^\[|\]$/g, '');
      const found = isIP(host) === 0 ? await within(ends, resolve(host)) : [{ address: host }];
      if (found.length === 0 || !found.every(({ address }) => hosts.mayConnect(address)))
        return { problem: 'the host has an address that webhooks may not go to', isFinal: false };
      const { status, retryAfter } = await post(url, message, {
        address: found[0]!.address,
        ca,
        signal: ends,
      });
      if (status >= 200 && status < 300) return null;
      const redirects = status >= 300 && status < 400 ? '; redirects are not followed' : '';
      return {
        problem: `the receiver responded ${status}${redirects}`,
        isFinal: status === GONE,
        ...(retryAfter !== undefined && { retryAfterMs: retryAfterMs(retryAfter, message.now) }),
      };
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      const isLate = ends.aborted;
      return {
        problem: isLate
          ? 'the receiver did not respond in time'
          : `the receiver was not reached: ${String(code ?? error)}`,
        isFinal: false,
      };
    }
  };
}

function within<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
    work.then(resolve, reject);
  });
}

/** Retry-After in both forms of RFC 9110 §10.2.3 as a wait, at most a day; what is neither is no wait. */
function retryAfterMs(text: string, now: Date): number {
  const ms = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - now.getTime();
  return Math.min(Math.max(ms || 0, 0), RETRY_AFTER_MAX_MS);
}

/** Status and Retry-After of the response; its body is not read. */
function post(
  url: URL,
  message: WebhookMessage,
  { address, ca, signal }: { address: string; ca: string | undefined; signal: AbortSignal },
): Promise<{ status: number; retryAfter: string | undefined }> {
  const pinned: LookupFunction = (_host, { all }, done) => {
    const family = isIP(address);
    if (all) done(null, [{ address, family }]);
    else done(null, address, family);
  };
  return new Promise((resolve, reject) => {
    const send = url.protocol === 'https:' ? requestHttps : requestHttp;
    const request = send(
      url,
      {
        method: 'POST',
        agent: false,
        lookup: pinned,
        signal,
        ...(ca === undefined ? {} : { ca }),
        headers: {
          ...signedHeaders(message),
          'content-type': 'application/json',
          'content-length': Buffer.byteLength(message.body),
          'user-agent': 'investigation-api',
          connection: 'close',
        },
      },
      (response) => {
        resolve({ status: response.statusCode ?? 0, retryAfter: response.headers['retry-after'] });
        response.destroy();
      },
    );
    request.on('error', reject);
    request.end(message.body);
  });
}
