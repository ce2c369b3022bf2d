import { Agent, request } from 'node:http';

/** The measurements of one round of load. */
export interface Round {
  /** Calls that ended in a second. */
  readonly perSecond: number;
  /** Milliseconds that half of all calls take at most. */
  readonly p50: number;
  readonly p99: number;
}

/** Keeps `inFlight` calls under way until `calls` have their response. Any error ends the round. */
export async function load(call: () => Promise<void>, calls: number, inFlight: number): Promise<Round> {
  const times = new Float64Array(calls);
  let next = 0;
  const startedAt = performance.now();
  await Promise.all(
    Array.from({ length: inFlight }, async () => {
      for (let index = next++; index < calls; index = next++) {
        const from = performance.now();
        await call();
        times[index] = performance.now() - from;
      }
    }),
  );
  const seconds = (performance.now() - startedAt) / 1000;
  times.sort();
  const at = (share: number) => times[Math.min(calls - 1, Math.floor(calls * share))] as number;
  return { perSecond: calls / seconds, p50: at(0.5), p99: at(0.99) };
}

/** Posts a JSON text over kept-alive connections; rejects for any status but 200. */
export function poster(url: string, body: string, headers: Record<string, string>): () => Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: 256 });
  const options = {
    method: 'POST',
    agent,
    headers: { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body), ...headers },
  };
  const post = (): Promise<void> =>
    new Promise((resolve, reject) => {
      const req = request(url, options, (res) => {
        res.resume();
        res.on('end', () =>
          res.statusCode === 200 ? resolve() : reject(new Error(`status ${res.statusCode}`)),
        );
      });
      req.on('error', (error: NodeJS.ErrnoException) => {
        // The server closed a connection that idled through the other server's round.
        if (req.reusedSocket && error.code === 'ECONNRESET') post().then(resolve, reject);
        else reject(error);
      });
      req.end(body);
    });
  return post;
}

/** The middle value of one figure over the rounds. */
export function median(rounds: readonly Round[], figure: keyof Round): number {
  const sorted = rounds.map((round) => round[figure]).sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] as number;
}
