import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { covers } from '@platform/testing/covers';
import { harmsOf, migrationsAfter } from './migrations.ts';

const PRISMA = join(import.meta.dirname, '../../prisma');
/** Until the first release there is no release before: what sorts before this stays as it was written. */
const FIRST_RELEASE = '20261201000000';

describe('migrations', () => {
  covers('PLAT-O.26');
  it('no migration takes from the release before what it uses, nor holds writers off while it builds', () => {
    const services = readdirSync(PRISMA);
    expect(services.length).toBe(3);
    for (const service of services) {
      for (const [name, script] of migrationsAfter(join(PRISMA, service, 'migrations'), FIRST_RELEASE))
        expect([service, name, harmsOf(script)]).toEqual([service, name, []]);
    }
  });

  it('the check of migrations finds what the earliest ones did', () => {
    const found = (service: string, name: string) =>
      harmsOf(migrationsAfter(join(PRISMA, service, 'migrations'), '').get(name)!);
    const names = found('investigation', '20261121000000_names_on_the_index');
    expect(names.filter((harm) => harm.startsWith('DROP INDEX'))).toHaveLength(3);
    expect(names.filter((harm) => harm.startsWith('CREATE INDEX'))).toHaveLength(4);
    expect(found('docstore', '20261122000000_bytes_kept')).toEqual([
      'ALTER TABLE "documents" ALTER COLUMN "bytes_kept" DROP DEFAULT',
    ]);
  });

  it.each([
    ['DROP TABLE "old";', 1],
    ['ALTER TABLE "users" DROP COLUMN "a";', 1],
    ['ALTER TABLE "users" RENAME COLUMN "a" TO "b";', 1],
    ['ALTER TABLE "users" ALTER COLUMN "a" SET NOT NULL;', 1],
    ['ALTER TABLE "users" ALTER COLUMN "a" TYPE TEXT;', 1],
    ['ALTER TABLE "users" ADD COLUMN "a" TEXT NOT NULL;', 1],
    ['ALTER TABLE "users" ADD COLUMN "a" TEXT NOT NULL DEFAULT \'\', ADD COLUMN "b" UUID NOT NULL;', 1],
    ['CREATE UNIQUE INDEX "i" ON "users" ("a");', 1],
    ['-- Contract: unused since 1.4.0\nDROP INDEX "i";', 0],
    ['-- DROP TABLE "old";', 0],
    ['ALTER TABLE "users" ADD COLUMN "a" TEXT NOT NULL DEFAULT \'\', ADD COLUMN "b" UUID;', 0],
    ['ALTER TABLE "users" ALTER COLUMN "a" DROP NOT NULL;', 0],
    ['CREATE INDEX CONCURRENTLY IF NOT EXISTS "i" ON "users" ("a");', 0],
    ['CREATE TABLE "new" ("a" TEXT NOT NULL); CREATE INDEX "i" ON "new" ("a");', 0],
  ])('the check of migrations counts in %j %i that an older release cannot live with', (script, count) => {
    expect(harmsOf(script)).toHaveLength(count);
  });
});
