import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { covers } from '@platform/testing/covers';
import { bundleOf, DOMAIN } from './bundle.fixture.ts';
import { ask, NOW, OtherEnd, READERS } from './decider.fixture.ts';
import { openRegexes } from './regex/index.ts';
import { openDecider, type DeciderOptions } from './decider.ts';

/** Time that passes when the test says so. */
class Clock {
  #now = 0;
  readonly #set = new Set<{ at: number; act: () => void }>();

  readonly timer = (act: () => void, ms: number): (() => void) => {
    const one = { at: this.#now + ms, act };
    this.#set.add(one);
    return () => this.#set.delete(one);
  };

  get running(): number {
    return this.#set.size;
  }

  async pass(seconds: number): Promise<void> {
    const end = this.#now + seconds * 1000;
    for (;;) {
      // What was asked for or has its response goes its way first; verifying a bundle takes a few turns, and
      // the thread that verifies may have to wait for its processor.
      await new Promise((resolve) => setTimeout(resolve, 60));
      const next = [...this.#set].sort((one, other) => one.at - other.at)[0];
      if (next === undefined || next.at > end) break;
      this.#set.delete(next);
      this.#now = next.at;
      next.act();
    }
    this.#now = end;
  }
}

/** A service that nothing comes back from for a request whose path has the word, while it is held. */
class SilentService extends OtherEnd {
  held: RegExp | null = null;
  obeysSignal = true;
  /** A response begins, and its body never comes. */
  stallsBody = false;
  holdsToken = false;
  fails: Error | null = null;
  failsToken: Error | null = null;
  readonly clock = new Clock();

  /** The service through a proxy that holds what the test says. */
  readonly throughProxy: DeciderOptions = {
    ...this.options,
    timer: this.clock.timer,
    token: async () => {
      if (this.failsToken !== null) throw this.failsToken;
      return this.holdsToken ? new Promise<never>(() => undefined) : 't';
    },
    fetch: ((answer) => async (url: string | URL | Request, init?: RequestInit) => {
      if (this.fails !== null) throw this.fails;
      if (this.held?.test(String(url)) !== true) return answer(url, init);
      if (this.stallsBody) return new Response(new ReadableStream({}));
      return new Promise<Response>((_, reject) => {
        if (this.obeysSignal)
          init?.signal?.addEventListener('abort', () => reject(new TypeError('fetch failed')));
        // What happens in Node to a request that nobody aborts: it fails after minutes.
        this.clock.timer(() => reject(new TypeError('fetch failed')), 300_000);
      });
    })(this.options.fetch as typeof fetch),
  };
}

const unhandled: unknown[] = [];
const note = (reason: unknown) => void unhandled.push(reason);
beforeEach(() => void process.on('unhandledRejection', note));
afterEach(() => {
  process.off('unhandledRejection', note);
  expect(unhandled.splice(0)).toEqual([]);
});

const NEXT = bundleOf(NOW, [], { domains: [{ id: DOMAIN, version: 6, policies: [] }] });
/** How long each request may last, and the pause before the next one. */
const LIMIT_SECONDS = 10;
const RETRY_SECONDS = 10;

describe('a service that is silent and then responds again', () => {
  it.each<[string, Partial<SilentService>, number, string]>([
    [
      'keys',
      { held: /jwks/ },
      LIMIT_SECONDS,
      'no response from https://authz.test/.well-known/jwks.json within 10 s',
    ],
    ['bundles', { held: /bundle/ }, 25 + LIMIT_SECONDS, 'bundle?wait=25 within 35 s'],
    [
      'bundles, though fetch continues after it is aborted',
      { held: /bundle/, obeysSignal: false },
      25 + LIMIT_SECONDS,
      'bundle?wait=25 within 35 s',
    ],
    ['the rest of a bundle', { held: /bundle/, stallsBody: true }, 30, 'no whole response from'],
    ['the rest of the keys', { held: /jwks/, stallsBody: true }, 30, 'no whole response from'],
    ['the token', { holdsToken: true }, LIMIT_SECONDS, 'no token within 10 s'],
  ])(
    'a decider names the silence of %s and follows again soon after',
    async (_, silence, seconds, reason) => {
      covers('AUTHZ-BUNDLE.16');
      const end = new SilentService();
      const decider = await openDecider(end.throughProxy);
      await end.clock.pass(0);
      // The request that waits gets the next bundle; what is asked for after it is held.
      Object.assign(end, silence);
      end.give(NEXT);
      await end.clock.pass(seconds - 1);
      expect(decider.status.error).toBeNull();
      await end.clock.pass(1);
      expect(decider.status.error).toContain(reason);
      Object.assign(end, { held: null, holdsToken: false });
      const after = bundleOf(NOW, [], { domains: [{ id: DOMAIN, version: 7, policies: [] }] });
      end.give(after);
      await end.clock.pass(RETRY_SECONDS);
      expect(decider.status).toMatchObject({ error: null, versions: new Map([[DOMAIN, 7]]) });
      expect(decider.check(ask).refused).toBeNull();
      await decider.close();
      await end.clock.pass(1_000);
      expect(end.clock.running).toBe(0);
    },
  );

  it('a decider ends a load of regexes that hangs, says so until they have loaded, and loads them anew', async () => {
    covers('AUTHZ-BUNDLE.23');
    const end = new SilentService();
    const ended: AbortSignal[] = [];
    let hangs = true;
    const regexes = async (signal: AbortSignal) => {
      if (!hangs) return openRegexes();
      ended.push(signal);
      return new Promise<never>(() => undefined);
    };
    const decider = await openDecider({ ...end.throughProxy, regexes });
    await end.clock.pass(0);
    const policies = [{ ...READERS, engine: 'regex' as const }];
    end.give(bundleOf(NOW, [], { domains: [{ id: DOMAIN, version: 6, policies }] }));
    while (ended.length < 1) await end.clock.pass(0);
    await end.clock.pass(29);
    expect(decider.check(ask).refused?.message).toContain('are being loaded');
    await end.clock.pass(2);
    while (ended.length < 2) await end.clock.pass(0);
    expect(ended.map(({ aborted }) => aborted)).toEqual([true, false]);
    expect(decider.check(ask).refused?.message).toBe('no regexes within 30 s');
    hangs = false;
    await end.clock.pass(30 + RETRY_SECONDS);
    expect(decider.status).toMatchObject({ error: null, versions: new Map([[DOMAIN, 6]]) });
    expect(decider.check(ask).allowed).toBe(true);
    await decider.close();
    await end.clock.pass(1_000);
    expect(end.clock.running).toBe(0);
  });

  it('a decider names the silence of the service that records, and hands in the decisions soon after', async () => {
    covers('AUTHZ-BUNDLE.16');
    const end = new SilentService();
    const decider = await openDecider(end.throughProxy);
    decider.check(ask);
    end.held = /decisions/;
    await end.clock.pass(LIMIT_SECONDS + 1);
    expect(decider.status).toMatchObject({
      unrecorded: 1,
      error: `no response from https://authz.test/v1/domains/${DOMAIN}/decisions within 10 s`,
    });
    end.held = null;
    await end.clock.pass(RETRY_SECONDS);
    expect(decider.status).toMatchObject({ unrecorded: 0, error: null });
    await decider.close();
  });

  it.each<[string, Partial<SilentService>, string]>([
    ['the service is silent', { held: /bundle/ }, 'bundle?wait=0 within 10 s'],
    ['the keys do not come', { held: /jwks/ }, 'jwks.json within 10 s'],
    ['no token comes', { holdsToken: true }, 'no token within 10 s'],
  ])('a decider is not opened when %s for 10 seconds', async (_, silence, reason) => {
    covers('AUTHZ-BUNDLE.16');
    const end = Object.assign(new SilentService(), silence);
    const opening = openDecider(end.throughProxy).then(() => 'opened', String);
    await end.clock.pass(LIMIT_SECONDS);
    expect(await opening).toContain(reason);
    await end.clock.pass(1_000);
    expect(end.clock.running).toBe(0);
  });
});

describe('closing a decider without the service', () => {
  it.each<[string, Partial<SilentService>, string]>([
    ['is silent', { held: /./ }, 'decisions within 10 s'],
    [
      'refuses connections',
      { fails: new TypeError('fetch failed', { cause: { code: 'ECONNREFUSED' } }) },
      '/decisions: fetch failed (ECONNREFUSED)',
    ],
    ['gets no token', { failsToken: new Error('signed out') }, 'signed out'],
    ['is in trouble', { recording: 503 }, '503'],
  ])(
    'a decider whose service %s is closed, says what it keeps, and hands it in when it is closed again',
    async (_, trouble, reason) => {
      covers('AUTHZ-BUNDLE.17');
      const end = new SilentService();
      const decider = await openDecider(end.throughProxy);
      decider.check(ask);
      Object.assign(end, trouble);
      const closing = decider.close();
      await end.clock.pass(LIMIT_SECONDS);
      await closing;
      expect(decider.status).toMatchObject({ unrecorded: 1, error: expect.stringContaining(reason) });
      expect(decider.check(ask).refused?.message).toBe('the decider is closed');
      await end.clock.pass(1_000);
      Object.assign(end, { held: null, fails: null, failsToken: null, recording: 200 });
      await decider.close();
      expect(decider.status).toMatchObject({ unrecorded: 0, error: 'the decider is closed' });
      expect(end.clock.running).toBe(0);
    },
  );
});
