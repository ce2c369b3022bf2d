import type { Sql } from '@platform/database';
import { compileDomain } from '../policy/compile.ts';
import { RegexMemory, type RegexSet } from '../policy/regex.ts';
import type { CompiledDomain, Policy } from '../policy/types.ts';
import { Lru } from './lru.ts';

export interface PolicyCache {
  /** The compiled policies of a domain at a version, if they are in memory. */
  find(domainId: string, version: number): CompiledDomain | undefined;
  /**
   * Reads and compiles a domain's policies; false when the store no longer has that version, so that the caller's
   * state of the domain is an old one. Concurrent loads of one version are one load.
   */
  load(domainId: string, version: number): Promise<boolean>;
  /** Domains held. */
  readonly entries: number;
  /** Bytes held, as the evaluator estimates them. */
  readonly bytes: number;
}

/** Bytes of compiled regexes, over all domains, by the evaluator's estimate. */
const REGEX_BYTES_MAX = 128 * 1024 * 1024;
/** What one domain may compile ahead of its checks: beyond it, it would push out every other domain's. */
const AHEAD_BYTES_MAX = REGEX_BYTES_MAX / 2;

/** Longest that a call may still evaluate a domain after it left the cache. Milliseconds. */
const FREE_DELAY_MS = 60_000;

/**
 * Compiled policies by domain and version: a version never changes, so an entry is never wrong, only unused. At most
 * `bytesMax` by the evaluator's estimate.
 */
export function createPolicyCache(
  sql: Sql,
  options: { bytesMax: number; regexMemory?: RegexMemory },
): PolicyCache {
  const regexMemory = options.regexMemory ?? new RegexMemory(REGEX_BYTES_MAX);
  const compiled = new Lru<string, CompiledDomain>(options.bytesMax, (domain) => {
    // Calls that are on their way through the gate still hold it, and a freed set denies.
    setTimeout(() => domain.free(), FREE_DELAY_MS).unref();
  });
  const loading = new Map<string, Promise<boolean>>();

  async function load(domainId: string, version: number): Promise<boolean> {
    const { rows } = await sql.query<{ version: number; policies: Policy[] }>(
      'SELECT version, policies FROM domains WHERE id = $1',
      [domainId],
    );
    const row = rows[0];
    if (row === undefined || Number(row.version) !== version) return false;
    const { policies } = row;
    const { result: domain, sets } = regexMemory.collect(() =>
      compileDomain({ domainId, version, policies }, { regexMemory }),
    );
    await compileAhead(sets);
    compiled.set(`${domainId}@${version}`, domain, domain.bytes);
    return true;
  }

  return {
    find: (domainId, version) => compiled.get(`${domainId}@${version}`),
    load(domainId, version) {
      const key = `${domainId}@${version}`;
      const running = loading.get(key) ?? load(domainId, version).finally(() => loading.delete(key));
      loading.set(key, running);
      return running;
    },
    get entries() {
      return compiled.size;
    },
    get bytes() {
      return compiled.weight;
    },
  };
}

/** Compiles sets one at a time and lets others' calls go on in between: the first check finds them ready. */
async function compileAhead(sets: readonly RegexSet[]): Promise<void> {
  let bytes = 0;
  for (const set of sets) {
    bytes += set.bytes;
    if (bytes > AHEAD_BYTES_MAX) return;
    await new Promise<void>((resolve) => setImmediate(resolve));
    try {
      set.compile();
    } catch {
      // The checks that need the set say so, and are denied.
      continue;
    }
  }
}
