import type { Command } from '@platform/service-kit';
import type { Config } from '../config.ts';
import { withDatabase } from '../deps.ts';
import { createSigningKeys } from '../identity/signing-keys.ts';
import { createPrismaStores } from '../store/prisma-stores.ts';

/** Publishes a new signing key and prints its id. */
export const rotateKeys: Command<Config> = {
  help: 'publish a new signing key, which signs ten minutes later',
  run: (config) =>
    withDatabase(config, async (database) => {
      const { stores, close } = createPrismaStores(database);
      const store = {
        keys: stores.signingKeys,
        credentials: stores.credentials,
        exclusively: database.exclusively,
      };
      const keys = await createSigningKeys(store, {
        now: () => new Date(),
        rotationDays: config.keyRotationDays,
        secret: config.keySecret,
      });
      process.stdout.write(`published signing key ${await keys.rotate()}\n`);
      await close();
    }),
};
