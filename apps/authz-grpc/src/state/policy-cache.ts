import { LRUCache } from 'lru-cache';
import { compileDomainInSteps } from '../policy/compile.ts';
import { RegexMemory } from '@platform/decide/regex';
import type { CompiledDomain, DomainPolicies } from '../policy/types.ts';
import { runInTimeSlices } from '../time-slices.ts';
import type { EntityStore } from '../store/entity-store.ts';

export interface PolicyCache {
  /** The compiled policies of a domain at a version, if they are in memory. */
  find(domainId: string, version: number): CompiledDomain | undefined;
  /**
   * Reads and compiles a domain's policies; false when the store no longer has that version, so that the
   * caller's state of the domain is an old one. Concurrent loads of one version are one load.
   */
  load(domainId: string, version: number): Promise<boolean>;
  /** Compiles policies that are not those of any domain now; the caller frees them. */
  compile(domain: DomainPolicies): Promise<CompiledDomain>;
  /** Domains whose policies are held. */
  readonly entries: number;
  /** Bytes held, as the evaluator estimates them. */
  readonly bytes: number;
}

/** Bytes of compiled regexes, over all domains. */
const REGEX_BYTES_MAX = 96 * 1024 * 1024;

/** Longest that a call may still evaluate a domain after it left the cache. Milliseconds. */
const FREE_DELAY_MS = 60_000;

/**
 * Compiled policies by domain and version: a version never changes, so an entry is never wrong, only unused.
 * At most `bytesMax` by the evaluator's estimate.
 */
export function createPolicyCache(
  entities: Pick<EntityStore, 'loadPolicies'>,
  options: { bytesMax: number; regexMemory?: RegexMemory },
): PolicyCache {
  const regexMemory = options.regexMemory ?? new RegexMemory(REGEX_BYTES_MAX);
  const { bytesMax } = options;
  const compiled = new LRUCache<string, CompiledDomain>({
    maxSize: bytesMax,
    dispose(domain) {
      // Calls that are on their way through the limit store still hold it, and a freed set denies.
      setTimeout(() => domain.free(), FREE_DELAY_MS).unref();
    },
  });
  const loading = new Map<string, Promise<boolean>>();

  async function load(domainId: string, version: number): Promise<boolean> {
    const found = await entities.loadPolicies(domainId);
    if (found === null || found.version !== version) return false;
    const { policies } = found;
    const domain = await runInTimeSlices(
      compileDomainInSteps({ domainId, version, policies }, { regexMemory }),
    );
    // The first check finds ready what would make it wait.
    await runInTimeSlices(domain.warm());
    // A set that is too heavy alone stays until the next comes: its caller needs it now.
    compiled.set(`${domainId}@${version}`, domain, { size: Math.min(domain.bytes, bytesMax) });
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
    compile: (domain) => runInTimeSlices(compileDomainInSteps(domain, { regexMemory })),
    get entries() {
      return compiled.size;
    },
    get bytes() {
      return compiled.calculatedSize;
    },
  };
}
