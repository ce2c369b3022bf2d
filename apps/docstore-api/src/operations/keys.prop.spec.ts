import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { createLeaseRecord, type LeaseRecord, type Leases } from '@platform/authz-client';
import { suiteDatabase } from '@platform/database/migrated';
import { covers } from '@platform/testing/covers';
import { SEED } from '@platform/testing/seed';
import { soak } from '@platform/testing/soak';
import fc from 'fast-check';
import type { Caller } from '../auth/caller.ts';
import { createOwnKeys } from '../auth/own-keys.ts';
import { createPrisma } from '../store/prisma.ts';
import { createPrismaKeyStore } from '../store/prisma-key-store.ts';
import type { KeyStore } from '../store/key-store.ts';
import { MIGRATIONS } from '../test-service.fixture.ts';
import { listKeys, mintKey, rotateKey } from './keys.ts';

fc.configureGlobal({ seed: SEED });

const NOW = new Date('2026-03-01T00:00:00Z');
const MEMBERS = 3;
const SCOPES = 'key:manage file:read';

const step = fc.record({
  act: fc.constantFrom('mint', 'rotate', 'rotate'),
  /** A member's session, or behind those a secret made before. */
  by: fc.nat(),
  key: fc.nat(),
  overlaps: fc.boolean(),
});
type Step = typeof step extends fc.Arbitrary<infer One> ? One : never;

/** What is known of a secret: its key, and whose ends it ends with. */
interface Secret {
  readonly id: string;
  readonly text: string;
  readonly endsWith: ReadonlySet<string>;
}

describe.each(['Postgres', 'PGlite'] as const)('keys that members rotate for one another on %s', (kind) => {
  const database = suiteDatabase(kind, MIGRATIONS);
  let keys: KeyStore;
  let record: LeaseRecord;
  beforeAll(() => {
    keys = createPrismaKeyStore(createPrisma(database), database);
    record = createLeaseRecord(database);
  });
  /** What was last recorded, as while authz-grpc is unavailable. */
  const leases: Leases = { isActive: ({ wasActive }) => Promise.resolve(wasActive) };
  const now = () => NOW;
  const use = { now: NOW, action: undefined, metadata: {} } as never;
  const sessionOf = (owner: string, lease: string | null): Caller => ({
    owner,
    subject: lease ?? 'operator',
    scopes: [
      { action: 'key:manage', prefix: null },
      { action: 'file:read', prefix: null },
    ],
    expiresAt: null,
    leases: lease === null ? [] : [lease],
  });

  async function run(steps: readonly Step[], ends: number): Promise<void> {
    const owner = randomUUID();
    const deps = { keys, keyEnvironment: 'test', leases, now };
    const own = createOwnKeys(keys, leases);
    const members = Array.from({ length: MEMBERS }, () => randomUUID());
    const madeBy = new Map<string, string>();
    /** The present secret of each key, and the one before it where that is accepted still. */
    const present = new Map<string, Secret>();
    const previous = new Map<string, Secret>();
    for (const { act, by, key, overlaps } of steps) {
      const secrets = [...present.values(), ...previous.values()];
      const index = by % (MEMBERS + secrets.length);
      const held = secrets[index - MEMBERS];
      const caller =
        held === undefined ? sessionOf(owner, members[index]!) : (await own.authenticate(held.text, use))!;
      const endsWith = held?.endsWith ?? new Set([members[index]!]);
      if (act === 'mint' || present.size === 0) {
        const made = await mintKey(deps, caller, { name: 'k', scopes: SCOPES });
        madeBy.set(made.id, held === undefined ? members[index]! : madeBy.get(held.id)!);
        present.set(made.id, { id: made.id, text: made.key!, endsWith });
        continue;
      }
      const id = [...present.keys()][key % present.size]!;
      const rotated = await rotateKey(deps, caller, id, { overlap_seconds: overlaps ? 60 : 0 });
      expect([rotated.rotated_by, rotated.rotated_at]).toEqual([caller.subject, NOW.toISOString()]);
      if (overlaps) previous.set(id, present.get(id)!);
      else previous.delete(id);
      present.set(id, { id, text: rotated.key!, endsWith: new Set([madeBy.get(id)!, ...endsWith]) });
    }
    const ended = members[ends]!;
    await record.record(owner, ended, false);
    for (const { id, text, endsWith } of [...present.values(), ...previous.values()])
      expect([id, (await own.authenticate(text, use)) !== null]).toEqual([id, !endsWith.has(ended)]);
    const listed = (await listKeys(deps, sessionOf(owner, null))).keys;
    expect(new Map(listed.map(({ id, active }) => [id, active]))).toEqual(
      new Map([...present].map(([id, { endsWith }]) => [id, !endsWith.has(ended)])),
    );
  }

  it('every secret ends with who made its key and with everybody who was given it, through any chain of keys', async () => {
    covers('DOC-D.76');
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 10 }), fc.nat({ max: MEMBERS - 1 }), run),
      { numRuns: soak(300, 40) },
    );
  });

  it('a key that ended with who rotated it serves again once somebody else has rotated it', async () => {
    covers('DOC-D.76');
    const owner = randomUUID();
    const deps = { keys, keyEnvironment: 'test', leases, now };
    const [maker, other] = [sessionOf(owner, randomUUID()), sessionOf(owner, randomUUID())];
    const { id } = await mintKey(deps, maker, { name: 'k', scopes: SCOPES });
    await rotateKey(deps, other, id, { overlap_seconds: 0 });
    await record.record(owner, other.subject, false);
    expect((await listKeys(deps, maker)).keys).toMatchObject([
      { active: false, minted_by: maker.subject, rotated_by: other.subject },
    ]);
    expect((await rotateKey(deps, maker, id, { overlap_seconds: 60 })).active).toBe(true);
  });

  it('a secret ends with a bounded number of others, beyond which a platform credential rotates the key', async () => {
    covers('DOC-D.76');
    const owner = randomUUID();
    const deps = { keys, keyEnvironment: 'test', leases, now };
    const { id } = await mintKey(deps, sessionOf(owner, randomUUID()), { name: 'k', scopes: SCOPES });
    const rotate = (count: number) =>
      rotateKey(
        deps,
        { ...sessionOf(owner, null), leases: Array.from({ length: count }, () => randomUUID()) },
        id,
        { overlap_seconds: 0 },
      );
    await expect(rotate(17)).rejects.toMatchObject({ kind: 'unprocessable' });
    expect((await rotate(16)).id).toBe(id);
  });
});
