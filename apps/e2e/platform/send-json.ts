import { setTimeout as sleep } from 'node:timers/promises';

const TRIES_MAX = 10;

/**
 * Sends a request and gives the JSON of its response. As a client does, it sends again what got 503, when
 * `Retry-After` says. Errors: any other status than 2xx, with what was told.
 */
export async function sendJson<T>(method: string, url: string, token: string, body?: unknown): Promise<T> {
  for (let tries = 1; ; tries++) {
    const response = await fetch(url, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (response.ok) return JSON.parse(text) as T;
    if (response.status !== 503 || tries === TRIES_MAX)
      throw new Error(`${method} ${url}: ${response.status} ${text.slice(0, 200)}`);
    await sleep(1_000 * Number(response.headers.get('retry-after')));
  }
}
