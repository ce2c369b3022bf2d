import { randomUUID } from 'node:crypto';
import type { Command } from '@platform/service-kit';
import { operatorRow } from '../audit/call-record.ts';
import { createOrderedIds } from '../ids.ts';
import type { Config } from '../config.ts';
import { withDatabase } from '../deps.ts';
import { createSigningKeys, type SigningKeys } from '../identity/signing-keys.ts';
import { createAuditStore } from '../store/sql-audit-store.ts';
import { createPrismaStores } from '../store/prisma-stores.ts';

/** Publishes a new signing key and prints its id. */
export const rotateKeys: Command<Config> = {
  help: 'publish a new signing key, which signs ten minutes later',
  run: (config) =>
    withSigningKeys(config, async (keys, record) => {
      const kid = await keys.rotate();
      await record('RotateSigningKeys', `signing-keys/${kid}`);
      process.stdout.write(`published signing key ${kid}\n`);
    }),
};

/**
 * Seals the stored signing keys with `AUTHZ_KEY_SECRET`, opening them with `AUTHZ_KEY_SECRET_PREVIOUS` where
 * needed.
 */
export const resealKeys: Command<Config> = {
  help: 'seal the stored signing keys with AUTHZ_KEY_SECRET, after it has changed',
  run: (config) =>
    withSigningKeys(config, async (keys, record) => {
      const count = await keys.reseal();
      await record('ResealSigningKeys', 'signing-keys');
      process.stdout.write(`sealed ${count} signing keys anew\n`);
    }),
};

/** Runs the work of a command on the signing keys alone, without the counters that replicas share. */
function withSigningKeys(
  config: Config,
  work: (keys: SigningKeys, record: (operation: string, object: string) => Promise<void>) => Promise<void>,
): Promise<void> {
  return withDatabase(config, async (database) => {
    const { stores, close } = createPrismaStores(database, randomUUID);
    const keys = await createSigningKeys(
      { keys: stores.signingKeys, credentials: stores.credentials, exclusively: database.exclusively },
      {
        now: () => new Date(),
        rotationDays: config.keyRotationDays,
        secret: config.keySecret,
        previousSecret: config.keySecretPrevious,
      },
    );
    const now = () => new Date();
    const rows = createAuditStore(database);
    const newCheckId = createOrderedIds(() => now().getTime());
    await work(keys, (operation, object) =>
      rows.append([operatorRow({ now, newCheckId }, operation, object)]),
    );
    await close();
  });
}
