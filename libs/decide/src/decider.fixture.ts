import { bundleOf, DOMAIN, KEY, policyOf, signed } from './bundle.fixture.ts';
import type { Bundle } from './bundle.ts';
import type { DeciderOptions } from './decider.ts';

export const NOW = Date.UTC(2030, 0, 1);
export const READERS = policyOf('readers', { subject: 'alice' });
export const ask = { subject: 'alice', action: 'read', object: `svc://${DOMAIN}/a` };

interface Sent {
  bundle: { versions: Record<string, number> };
  decisions: { id: string; context: object; allowed: boolean }[];
}

/** What the service responds where it records all of a batch. */
export const recordedAll = ({ decisions }: Sent) => ({ recorded: decisions.length, refused: [] });

/** The other end of a decider: an impostor, a restored backup or a service in trouble, as a test says. */
export class OtherEnd {
  now = NOW;
  elapsed = 0;
  body = signed(bundleOf(NOW, [READERS]));
  etag = '"1"';
  status = 200;
  /** What recording returns, and why it is refused where a test says so. */
  recording = 200;
  judge: (sent: Sent) => unknown = recordedAll;
  readonly recorded: Sent[] = [];
  tokens = 0;
  #waiting: (() => void)[] = [];
  #given = 1;

  readonly options: DeciderOptions = {
    url: 'https://authz.test',
    domainId: DOMAIN,
    token: () => `t${(this.tokens += 1)}`,
    now: () => this.now,
    elapsed: () => this.elapsed,
    fetch: (url, init) => this.#answer(String(url), init ?? {}),
  };

  async #answer(url: string, init: RequestInit): Promise<Response> {
    if (url.endsWith('/jwks.json')) return Response.json({ keys: [KEY] });
    if (url.endsWith('/decisions')) {
      const sent = JSON.parse(init.body as string) as Sent;
      const judged = this.recording === 200 ? this.judge(sent) : {};
      if (judged === null) return Response.json({ error: 'invalid_argument' }, { status: 400 });
      this.recorded.push(sent);
      return Response.json(judged, { status: this.recording });
    }
    const held = new Headers(init.headers).get('If-None-Match');
    if (this.status === 200 && held === this.etag)
      await new Promise<void>((resolve) => {
        this.#waiting.push(resolve);
        init.signal?.addEventListener('abort', () => resolve());
      });
    init.signal?.throwIfAborted();
    if (this.status !== 200) return Response.json({ error: 'no' }, { status: this.status });
    return new Response(this.body, { headers: { ETag: this.etag } });
  }

  /** Gives out another bundle. */
  give(bundle: Bundle | string, status = 200): void {
    this.body = typeof bundle === 'string' ? bundle : signed(bundle);
    this.status = status;
    this.etag = `"${(this.#given += 1)}"`;
    for (const resolve of this.#waiting.splice(0)) resolve();
  }
}

/** Resolves once it holds; jest ends a test in which it never does. */
export async function eventually(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 5));
}
