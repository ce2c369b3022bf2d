import {
  compileBundle,
  needsRegexes,
  refuse,
  type Attributes,
  type BundlePolicies,
  type Verdict,
} from './bundle-policies.ts';
import { BundleError, verifyBundle, type Bundle, type BundleKey } from './bundle.ts';
import { exchange, inTime, startTimer, type WholeResponse, type Timer } from './exchange.ts';
import { keepAlive, onLeavingPage } from './page.ts';
import { createRecorder, NotTaken, type Recorder, type RefusedDecisions } from './recorder.ts';
import type { RegexEngine } from './regexes.ts';

export interface DeciderOptions {
  /** Where authz-grpc serves REST, such as `https://authz.example.org`. */
  readonly url: string;
  readonly domainId: string;
  /** A session token of who may fetch the bundle; asked for with every request. */
  readonly token: () => string | Promise<string>;
  /** Keys that bundles may be signed with; those that the service publishes unless given. */
  readonly keys?: readonly BundleKey[];
  /**
   * Loads what runs regexes, once a bundle has one: `@platform/decide/regex` exports `openRegexes`. The
   * signal ends what takes too long; then it is loaded anew.
   */
  readonly regexes?: (signal: AbortSignal) => Promise<RegexEngine>;
  /** False: decisions are not sent back, and are in nobody's audit. */
  readonly record?: boolean;
  readonly fetch?: typeof fetch;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
  /** Milliseconds of a clock that is never set. */
  readonly elapsed?: () => number;
  /** `setTimeout` unless given. */
  readonly timer?: Timer;
}

export interface DeciderStatus {
  /** Versions of the domains that decide, by id; null while nothing is decided. */
  readonly versions: ReadonlyMap<string, number> | null;
  /** Milliseconds since 1970; null while there is no bundle. */
  readonly expiresAt: number | null;
  /** Decisions that are not recorded yet. */
  readonly unrecorded: number;
  /** Decisions that the service refused to record: they are in nobody's audit. */
  readonly refused: RefusedDecisions;
  /** Why nothing is decided, or the last refresh or recording failed; null when neither is so. */
  readonly error: string | null;
}

/** Decides checks of one domain in this process, by the bundle that it keeps fresh. */
export interface Decider {
  /** Decides as `BundlePolicies.check`, and refuses where no bundle holds. Never throws. */
  check(context: Attributes, attributes?: Attributes): Verdict;
  readonly status: DeciderStatus;
  /** Sends the decisions that are not recorded yet. Throws when the service does not take them. */
  flush(): Promise<void>;
  /**
   * Ends: from now on every check is refused, whatever the service still sends. Hands in the decisions that
   * are not recorded yet, and resolves whether or not the service could be reached. What it did not take is
   * kept: `status.unrecorded` counts it, `status.error` says why, and a second `close` hands it in.
   */
  close(): Promise<void>;
}

/** Longest that the service is asked to hold back a response without news. */
const WAIT_SECONDS = 25;
/** Pause after a response without news, and after the first failure; it doubles with each one. */
const PAUSE_MS = 250;
const PAUSE_MAX_MS = 8_000;

/**
 * Fetches the bundle of a domain, and keeps it fresh until it is closed. Throws when there is no bundle to
 * begin with: what `fetch` throws, BundleError, or an Error with the service's reason.
 */
export async function openDecider(options: DeciderOptions): Promise<Decider> {
  const decider = new FollowingDecider(options);
  await decider.refresh(0);
  void decider.follow();
  return decider;
}

/** What was checked, as it was then: the caller may change what it sent later. */
function copyOf(sent: Attributes): Attributes {
  const copy: Record<string, string | readonly string[]> = { ...sent };
  for (const key of Object.keys(copy)) {
    const value = copy[key];
    if (Array.isArray(value)) copy[key] = [...value];
  }
  return copy;
}

const EXPIRED = 'the bundle has expired: check the clock';

/** The same request will be refused again. */
const TOO_MUCH_OR_FAULTY = [400, 413, 422];

/** A response that says that this caller gets no bundle. */
class NotServed extends Error {}

class FollowingDecider implements Decider {
  readonly #options: DeciderOptions;
  readonly #now: () => number;
  readonly #elapsed: () => number;
  readonly #timer: Timer;
  readonly #recorder: Recorder | null;
  readonly #ended = new AbortController();
  #policies: BundlePolicies | null = null;
  /** On the clock that is never set: a bundle lasts no longer than it was made for, whatever the time. */
  #endsAt = 0;
  #etag = '';
  #regexes: RegexEngine | null = null;
  /** The highest version seen of each domain. */
  readonly #seen = new Map<string, number>();
  #error: string | null = null;

  constructor(options: DeciderOptions) {
    this.#options = options;
    this.#now = options.now ?? Date.now;
    this.#elapsed = options.elapsed ?? (() => performance.now());
    this.#timer = options.timer ?? startTimer;
    this.#recorder =
      options.record === false
        ? null
        : createRecorder((body) => this.#send(body), this.#timer, this.#ended.signal);
    onLeavingPage(() => void this.flush().catch(() => undefined), this.#ended.signal);
  }

  check(context: Attributes, attributes?: Attributes): Verdict {
    const policies = this.#policies;
    const now = this.#now();
    if (policies === null || !this.#holds(policies, now)) return refuse('no_bundle', this.#error ?? EXPIRED);
    if (this.#recorder?.isFull === true)
      return refuse('unrecorded', 'too many decisions wait for the service to record them');
    const verdict = policies.check(context, attributes);
    if (verdict.refused === null || verdict.refused.code === 'problem')
      this.#recorder?.add({
        by: policies,
        at: now,
        context: copyOf(context),
        attributes: attributes && copyOf(attributes),
        verdict,
      });
    return verdict;
  }

  /** Whether a bundle has not expired. A clock that gives no number lets nothing through either. */
  #holds({ bundle }: BundlePolicies, now: number): boolean {
    return now < bundle.expires_at * 1000 && this.#elapsed() < this.#endsAt;
  }

  get status(): DeciderStatus {
    const isExpired = this.#policies !== null && !this.#holds(this.#policies, this.#now());
    return {
      versions: this.#policies?.versions ?? null,
      expiresAt: this.#policies === null ? null : this.#policies.bundle.expires_at * 1000,
      unrecorded: this.#recorder?.size ?? 0,
      refused: this.#recorder?.refused ?? { count: 0, last: null },
      error:
        [this.#error ?? (isExpired && EXPIRED), this.#recorder?.error].filter(Boolean).join('; ') || null,
    };
  }

  async flush(): Promise<void> {
    await this.#recorder?.flush();
  }

  async close(): Promise<void> {
    // First of all, so that no bundle that is on its way is decided by.
    this.#ended.abort();
    this.#drop('the decider is closed');
    await this.flush().catch(() => undefined);
  }

  /** Asks for a newer bundle until the decider is closed. */
  async follow(): Promise<void> {
    for (let failures = 0; !this.#ended.signal.aborted;) {
      try {
        const isNew = await this.refresh(WAIT_SECONDS);
        failures = 0;
        if (!isNew) await this.#pause(PAUSE_MS);
      } catch {
        await this.#pause(Math.min(PAUSE_MS * 2 ** failures, PAUSE_MAX_MS));
        failures += 1;
      }
    }
  }

  /** Whether there was a newer bundle, which decides from now on. Throws as `openDecider`. */
  async refresh(waitSeconds: number): Promise<boolean> {
    try {
      const isNew = await this.#fetchBundle(waitSeconds);
      if (!this.#ended.signal.aborted) this.#error = null;
      return isNew;
    } catch (error) {
      if (this.#ended.signal.aborted) return false;
      const message = error instanceof Error ? error.message : String(error);
      // A caller that may no longer load the bundle must not keep deciding by an old copy.
      if (error instanceof NotServed) this.#drop(message);
      else this.#error = message;
      throw error;
    }
  }

  async #fetchBundle(waitSeconds: number): Promise<boolean> {
    const path = `/v1/domains/${this.#options.domainId}/bundle?wait=${waitSeconds}`;
    const ask = () => this.#request(path, { headers: { 'If-None-Match': this.#etag } }, waitSeconds);
    let answer = await ask();
    // The token may have expired on its way: the next one is asked for.
    if (answer.status === 401) answer = await ask();
    const { status, ok, etag, body } = answer;
    if (status === 304 && this.#policies !== null) return false;
    if (!ok) {
      const refusal = `the service gives no bundle (${status}): ${body.slice(0, 500)}`;
      throw [401, 403, 404].includes(status) ? new NotServed(refusal) : new Error(refusal);
    }
    await this.#accept(body);
    this.#etag = etag;
    return true;
  }

  async #accept(body: string): Promise<void> {
    const { domainId, regexes } = this.#options;
    const keys = this.#options.keys ?? (await this.#publishedKeys());
    const bundle = await verifyBundle(body, { keys, domainId, now: this.#now() });
    for (const { id, version } of bundle.domains) {
      if (version < (this.#seen.get(id) ?? version))
        throw new BundleError('rolled_back', `domain ${id} was at a higher version than ${version}`);
    }
    const engine = needsRegexes(bundle) && regexes ? await this.#loadRegexes(regexes, bundle) : undefined;
    const policies = compileBundle(bundle, { regexes: engine });
    if (this.#ended.signal.aborted) return policies.free();
    for (const [id, version] of policies.versions) this.#seen.set(id, version);
    this.#policies?.free();
    this.#policies = policies;
    this.#endsAt = this.#elapsed() + (bundle.expires_at - bundle.issued_at) * 1000;
  }

  /** What runs regexes; until it is there, policies that are no longer the newest do not decide either. */
  async #loadRegexes(
    load: (signal: AbortSignal) => Promise<RegexEngine>,
    { domains }: Bundle,
  ): Promise<RegexEngine> {
    const policies = this.#policies;
    // Where there is none, its error says more: why none was loaded before.
    if (policies !== null && domains.some(({ id, version }) => version !== policies.versions.get(id)))
      this.#drop('the regexes of the newest bundle are being loaded');
    return (this.#regexes ??= await inTime(load, 'no regexes', this.#timer, this.#ended.signal));
  }

  async #publishedKeys(): Promise<readonly BundleKey[]> {
    const { status, ok, body } = await this.#request('/.well-known/jwks.json', {});
    if (!ok) throw new Error(`the service does not publish its keys (${status})`);
    try {
      return (JSON.parse(body) as { keys: readonly BundleKey[] }).keys;
    } catch {
      throw new Error('the keys that the service publishes are not JSON: is the response from the service?');
    }
  }

  async #send(decisions: object): Promise<string> {
    const sent = JSON.stringify(decisions);
    const { status, ok, body } = await this.#request(`/v1/domains/${this.#options.domainId}/decisions`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: sent,
      ...keepAlive(sent),
    });
    if (ok) return body;
    const refusal = `the service records no decisions (${status}): ${body.slice(0, 500)}`;
    throw TOO_MUCH_OR_FAULTY.includes(status) ? new NotTaken(refusal) : new Error(refusal);
  }

  #request(path: string, init: RequestInit, waitSeconds = 0): Promise<WholeResponse> {
    const { url, token, fetch: ask = fetch } = this.#options;
    // What was decided is handed in after the end, too.
    const signal = init.method === 'POST' ? undefined : this.#ended.signal;
    const at = url.replace(/\/+$/, '') + path;
    return exchange({ url: at, init, token, fetch: ask, timer: this.#timer, waitSeconds, signal });
  }

  #drop(reason: string): void {
    this.#policies?.free();
    this.#policies = null;
    this.#etag = '';
    this.#error = reason;
  }

  /** Resolves after the time, or when the decider is closed. */
  #pause(ms: number): Promise<void> {
    const { signal } = this.#ended;
    return new Promise((resolve) => {
      if (signal.aborted) return resolve();
      const end = () => {
        stop();
        signal.removeEventListener('abort', end);
        resolve();
      };
      const stop = this.#timer(end, ms);
      signal.addEventListener('abort', end);
    });
  }
}
