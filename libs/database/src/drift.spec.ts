import { AsyncLocalStorage, createHook } from 'node:async_hooks';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { schemaDrift } from './schema-drift.ts';

const MIGRATION = `CREATE EXTENSION IF NOT EXISTS pg_trgm;
CREATE TABLE "note" ("id" TEXT NOT NULL, "body" TEXT COLLATE "C" NOT NULL, CONSTRAINT "note_pkey" PRIMARY KEY ("id"));`;
const SCHEMA = `datasource db {
  provider = "postgresql"
}
model note {
  id   String @id
  body String
  @@index([body(ops: raw("gin_trgm_ops"))], type: Gin)
}
`;

describe('schemaDrift', () => {
  let folder: string;
  const addMigration = async (name: string, sql: string) => {
    await mkdir(join(folder, 'migrations', name), { recursive: true });
    await writeFile(join(folder, 'migrations', name, 'migration.sql'), sql);
  };
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'drift-'));
    await addMigration('20260101000000_first', MIGRATION);
    await writeFile(join(folder, 'migrations', 'migration_lock.toml'), 'provider = "postgresql"\n');
    await writeFile(join(folder, 'schema.prisma'), SCHEMA);
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it('schemaDrift names what the migrations lack, and nothing once one supplies it', async () => {
    const drift = () => schemaDrift(join(folder, 'migrations'), join(folder, 'schema.prisma'));
    expect(await drift()).toContain('CREATE INDEX "note_body_idx" ON "note" USING GIN ("body" gin_trgm_ops)');
    await addMigration(
      '20260102000000_second',
      'CREATE INDEX "note_body_idx" ON "note" USING GIN ("body" gin_trgm_ops);',
    );
    expect(await drift()).toBeNull();
  });

  it('schemaDrift leaves no timer behind that keeps a process running', async () => {
    const migration = new AsyncLocalStorage<true>();
    const timers = new Map<number, NodeJS.Timeout>();
    let begun = 0;
    const hook = createHook({
      init(id, type, _trigger, resource) {
        if (type !== 'Timeout' || !migration.getStore()) return;
        begun += 1;
        timers.set(id, resource as NodeJS.Timeout);
      },
      destroy: (id) => void timers.delete(id),
    }).enable();
    await migration.run(true, async () => {
      await schemaDrift(join(folder, 'migrations'), join(folder, 'schema.prisma'));
    });
    // Node reports what has ended one turn later.
    await new Promise(setImmediate);
    hook.disable();
    expect(begun).toBeGreaterThan(0);
    expect([...timers.values()].filter((timer) => timer.hasRef())).toHaveLength(0);
  });
});
