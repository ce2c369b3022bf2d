import { randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { AcquireGroup, type KeyPrefixes, type ScriptReply } from './acquire-group.ts';
import {
  COUNTER_TTL_MS,
  createVersionSource,
  PENDING_MS,
  VERSION_TTL_MS,
  type LimitStore,
  type AcquireResult,
  type AcquireRequest,
  type Invalidation,
  type QuotaTake,
} from './limit-store.ts';
import { seenInPart, withVersionOfPart } from './part-versions.ts';
import type { LimitStoreLink } from './redis-limit-link.ts';

/**
 * A group with this many calls or keys is sent before its turn ends: Redis does nothing else while it decides
 * on a group.
 */
const GROUP_CALLS_MAX = 256;
const GROUP_KEYS_MAX = 2_000;

/** Calls that acquire together, and who waits for them. */
interface Entering {
  readonly group: AcquireGroup;
  readonly waiting: { resolve(reply: AcquireResult): void; reject(error: unknown): void }[];
}

/**
 * The limit store shared by all replicas over one Redis or a Redis Cluster. The calls of one turn of the
 * event loop are one group per part of the store, in their order: an exchange with Redis costs several times
 * what deciding on a call does. Closing the limit store closes the link.
 *
 * A cluster holds the store in parts, each in one slot. A tenant's or user's rates and counters are in the
 * part of their id; the version of every entity is in every part, so that a call compares versions where it
 * takes. Where a call takes from counters of several parts, it takes from the others first, and gives back
 * what it took there unless it is admitted by the last one, which compares the versions.
 */
export function createRedisLimitStore(link: LimitStoreLink): LimitStore {
  const source = createVersionSource(randomBytes(6).toString('base64url'));
  const prefixes = link.tags.map((tag): KeyPrefixes => ({
    version: `authz:stamp:${tag}`,
    rate: `authz:rate:${tag}`,
    counter: `authz:quota:${tag}`,
  }));
  const parts = prefixes.length;
  const next = new Map<number, Entering>();

  function join(part: number, request: AcquireRequest): Promise<AcquireResult> {
    return new Promise((resolve, reject) => {
      let entering = next.get(part);
      if (entering === undefined) {
        entering = { group: new AcquireGroup(), waiting: [] };
        next.set(part, entering);
        setImmediate(send, part, entering);
      }
      entering.group.add(request);
      entering.waiting.push({ resolve, reject });
      if (entering.waiting.length >= GROUP_CALLS_MAX || entering.group.keys >= GROUP_KEYS_MAX)
        send(part, entering);
    });
  }

  function send(part: number, entering: Entering): void {
    // A full group was sent before its turn ended.
    if (next.get(part) !== entering) return;
    next.delete(part);
    const { group, waiting } = entering;
    const { keys, args } = group.call(prefixes[part]!, source.fresh(), VERSION_TTL_MS);
    link
      .once((scripts) => scripts.tryAcquire(keys, args))
      .then(
        (replies) => {
          for (const [index, { resolve, reject }] of waiting.entries()) {
            try {
              resolve(group.read((replies as ScriptReply[])[index] as ScriptReply));
            } catch (error) {
              reject(error);
            }
          }
        },
        (error: unknown) => {
          for (const { reject } of waiting) reject(error);
        },
      );
  }

  /** The part of what belongs to an owner; `plane:owner` and `owner` are in the same one. */
  function partOf(key: string): number {
    return parts === 1 ? 0 : crc32(key.slice(key.indexOf(':') + 1)) % parts;
  }

  const counterOf = (key: string) => prefixes[partOf(key)]!.counter + key;

  function homeOf({ home, rates, quotas, expectVersions }: AcquireRequest): number {
    return partOf(rates[0]?.key ?? home ?? quotas[0]?.key ?? expectVersions.at(-1)?.[0] ?? '');
  }

  /** In a store of several parts. */
  async function acquireInParts(request: AcquireRequest): Promise<AcquireResult> {
    const home = homeOf(request);
    if (request.rates.some(({ key }) => partOf(key) !== home))
      throw new Error('the rates of a call belong to one owner');
    const elsewhere = request.quotas.filter(({ key }) => partOf(key) !== home);
    const taken: QuotaTake[] = [];
    for (const take of elsewhere) {
      const reply = await join(partOf(take.key), { expectVersions: [], rates: [], quotas: [take] });
      if (reply.kind !== 'acquired') {
        await giveBack(taken);
        return reply;
      }
      taken.push(take);
    }
    const reply = await join(home, {
      expectVersions: request.expectVersions.map(([key, seen]) => [key, seenInPart(seen, home)]),
      rates: request.rates,
      quotas: request.quotas.filter((take) => !elsewhere.includes(take)),
    });
    if (reply.kind !== 'acquired') await giveBack(taken);
    if (reply.kind !== 'stale') return reply;
    const before = new Map(request.expectVersions);
    const versions = [...reply.versions].map(
      ([key, version]) => [key, withVersionOfPart(before.get(key) ?? '', home, version)] as const,
    );
    return { kind: 'stale', versions: new Map(versions) };
  }

  async function giveBack(taken: readonly QuotaTake[]): Promise<void> {
    for (const { key, calls, epoch } of taken)
      await link.once((scripts) => scripts.giveBack([counterOf(key)], [String(calls), String(epoch)]));
  }

  /** Runs a script over these versions in every part. */
  async function inEveryPart(
    name: 'beginInvalidation' | 'commitInvalidation',
    entities: readonly string[],
    args: readonly string[],
  ): Promise<void> {
    await Promise.all(
      prefixes.map(({ version }) => {
        const keys = entities.map((entity) => version + entity);
        return link.repeated((scripts) => scripts[name](keys, args));
      }),
    );
  }

  return {
    tryAcquire: (request) => (parts === 1 ? join(0, request) : acquireInParts(request)),
    async beginInvalidation(keys) {
      const mark: Invalidation = { keys, version: source.pending() };
      await inEveryPart('beginInvalidation', keys, [mark.version, String(PENDING_MS)]);
      return mark;
    },
    commitInvalidation: ({ keys, version }) => inEveryPart('commitInvalidation', keys, [version]),
    async seed(key, { used, epoch }) {
      const args = [String(used), String(epoch), String(COUNTER_TTL_MS)];
      await link.repeated((scripts) => scripts.seed([counterOf(key)], args));
    },
    async usage(keys) {
      const rows = new Map<string, readonly string[]>();
      await Promise.all(
        prefixes.map(async (_, part) => {
          const own = keys.filter((key) => partOf(key) === part);
          if (own.length === 0) return;
          const replies = await link.repeated((scripts) => scripts.usage(own.map(counterOf), []));
          for (const [index, key] of own.entries()) rows.set(key, (replies as string[][])[index]!);
        }),
      );
      return keys.map((key) => {
        const [used, epoch] = rows.get(key) ?? [];
        return used === undefined ? null : { used: Number(used), epoch: Number(epoch) };
      });
    },
    isUnavailable: () => false,
    close: () => link.close(),
  };
}
