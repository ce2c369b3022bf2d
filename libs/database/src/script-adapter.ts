import type { SqlMigrationAwareDriverAdapterFactory } from '@prisma/driver-adapter-utils';

/**
 * The adapter factory with `executeScript` replaced by `runScript`, which must run the whole script in one
 * transaction and wait for it. Both adapters need it: that of pg cuts a script at every semicolon, those
 * inside strings and function bodies too, and scatters the pieces over the pool; that of PGlite neither waits
 * nor reports an error.
 */
export function withScripts(
  factory: SqlMigrationAwareDriverAdapterFactory,
  runScript: (script: string) => Promise<void>,
): SqlMigrationAwareDriverAdapterFactory {
  return {
    provider: factory.provider,
    adapterName: factory.adapterName,
    async connect() {
      const adapter = await factory.connect();
      adapter.executeScript = runScript;
      return adapter;
    },
    connectToShadowDb: () => factory.connectToShadowDb(),
  };
}
