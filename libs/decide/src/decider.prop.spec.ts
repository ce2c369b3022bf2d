import { expect, it } from '@jest/globals';
import { covers } from '@platform/testing/covers';
import { SEED } from '@platform/testing/seed';
import fc from 'fast-check';
import { bundleOf, DOMAIN, KEY, policyOf, signed } from './bundle.fixture.ts';
import { openDecider, type DeciderOptions } from './decider.ts';

fc.configureGlobal({ seed: SEED });

const NOW = Date.UTC(2030, 0, 1);
const READERS = policyOf('readers', { subject: 'alice' });
const ask = { subject: 'alice', action: 'read', object: `svc://${DOMAIN}/a` };

/** A service that responds to a request when the test says so, and as the test says. */
class HeldService {
  version = 5;
  readonly #held: (() => void)[] = [];
  status = 200;
  #holds = true;

  readonly options: DeciderOptions = {
    url: 'https://authz.test',
    domainId: DOMAIN,
    token: () => 't',
    now: () => NOW,
    elapsed: () => 0,
    // Whatever was asked for arrives: a response may be on its way when its request is aborted.
    fetch: async (url, init) => {
      if (this.#holds) await new Promise<void>((resolve) => this.#held.push(resolve));
      if (String(url).endsWith('/jwks.json')) return Response.json({ keys: [KEY] });
      if (this.status !== 200) return Response.json({ error: 'no' }, { status: this.status });
      if (String(url).endsWith('/decisions')) {
        const { decisions } = JSON.parse(init?.body as string) as { decisions: unknown[] };
        return Response.json({ recorded: decisions.length, refused: [] });
      }
      const domains = [{ id: DOMAIN, version: this.version, policies: [READERS] }];
      return new Response(signed(bundleOf(NOW, [], { domains })), { headers: { ETag: `"${this.version}"` } });
    },
  };

  /** Responds to the request that waits at the place. */
  answer(place: number): void {
    if (this.#held.length > 0) this.#held.splice(place % this.#held.length, 1)[0]?.();
  }

  /** Responds to what waits and to what is still asked for. */
  answerAll(): void {
    this.#holds = false;
    for (const answer of this.#held.splice(0)) answer();
  }

  async settle(): Promise<void> {
    for (let turn = 0; turn < 3; turn += 1) await new Promise((resolve) => setTimeout(resolve, 1));
  }
}

type Event =
  | { readonly kind: 'answer'; readonly place: number }
  | { readonly kind: 'status'; readonly status: number }
  | { readonly kind: 'policies' | 'check' | 'flush' | 'close' };

const event: fc.Arbitrary<Event> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('answer' as const), place: fc.nat(5) }) },
  fc.record({ kind: fc.constant('status' as const), status: fc.constantFrom(200, 200, 400, 401, 503) }),
  fc.record({ kind: fc.constantFrom('policies' as const, 'check', 'flush', 'close') }),
);

it('a closed decider refuses every check, whatever arrives, fails or is asked of it afterward', async () => {
  covers('AUTHZ-BUNDLE.13');
  await fc.assert(
    fc.asyncProperty(
      fc.array(event, { maxLength: 12 }),
      fc.array(event, { maxLength: 12 }),
      async (before, after) => {
        const service = new HeldService();
        const opening = openDecider(service.options);
        for (let turn = 0; turn < 2; turn += 1) {
          await service.settle();
          service.answer(0);
        }
        const decider = await opening;
        expect(decider.check(ask).allowed).toBe(true);
        let isClosed = false;
        for (const one of [...before, { kind: 'close' } as const, ...after]) {
          if (one.kind === 'answer') service.answer(one.place);
          else if (one.kind === 'status') service.status = one.status;
          else if (one.kind === 'policies') service.version += 1;
          else if (one.kind === 'check') decider.check(ask);
          else {
            isClosed ||= one.kind === 'close';
            decider[one.kind]().catch(() => undefined);
          }
          await service.settle();
          if (!isClosed) continue;
          expect(decider.check(ask)).toMatchObject({ allowed: false, refused: { code: 'no_bundle' } });
          expect(decider.status).toMatchObject({
            versions: null,
            expiresAt: null,
            error: expect.stringMatching(/^the decider is closed/),
          });
        }
        service.status = 200;
        service.answerAll();
        await decider.close();
        await decider.close();
        expect(decider.check(ask).allowed).toBe(false);
        expect(decider.status.unrecorded).toBe(0);
      },
    ),
    { numRuns: 40 },
  );
});
