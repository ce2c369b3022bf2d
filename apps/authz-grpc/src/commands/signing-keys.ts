import type { Command } from '@platform/service-kit';
import type { Config } from '../config.ts';
import { withDatabase } from '../deps.ts';
import { createSigningKeys, type SigningKeys } from '../identity/signing-keys.ts';
import { createPrismaStores } from '../store/prisma-stores.ts';

/** Publishes a new signing key and prints its id. */
export const rotateKeys: Command<Config> = {
  help: 'publish a new signing key, which signs ten minutes later',
  run: (config) =>
    withSigningKeys(config, async (keys) => {
      process.stdout.write(`published signing key ${await keys.rotate()}\n`);
    }),
};

/**
 * Seals the stored signing keys with `AUTHZ_KEY_SECRET`, opening them with `AUTHZ_KEY_SECRET_PREVIOUS` where
 * needed.
 */
export const resealKeys: Command<Config> = {
  help: 'seal the stored signing keys with AUTHZ_KEY_SECRET, after it has changed',
  run: (config) =>
    withSigningKeys(config, async (keys) => {
      process.stdout.write(`sealed ${await keys.reseal()} signing keys anew\n`);
    }),
};

/** Runs the work of a command on the signing keys alone, without the counters that replicas share. */
function withSigningKeys(config: Config, work: (keys: SigningKeys) => Promise<void>): Promise<void> {
  return withDatabase(config, async (database) => {
    const { stores, close } = createPrismaStores(database);
    const keys = await createSigningKeys(
      { keys: stores.signingKeys, credentials: stores.credentials, exclusively: database.exclusively },
      {
        now: () => new Date(),
        rotationDays: config.keyRotationDays,
        secret: config.keySecret,
        previousSecret: config.keySecretPrevious,
      },
    );
    await work(keys);
    await close();
  });
}
