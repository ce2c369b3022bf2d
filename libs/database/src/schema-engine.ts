import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import {
  bindMigrationAwareSqlAdapterFactory,
  type SqlMigrationAwareDriverAdapterFactory,
} from '@prisma/driver-adapter-utils';
import * as bindings from '@prisma/schema-engine-wasm/schema_engine_bg';
import type { SchemaEngine } from '@prisma/schema-engine-wasm/schema_engine_bg';

export type { SchemaEngine };

/** What wasm-bindgen exports besides the typed API. */
interface Loader {
  __wbg_set_wasm(exports: unknown): void;
}

/** The one call used of a global that TypeScript declares only for browsers. */
const { WebAssembly } = globalThis as unknown as {
  WebAssembly: {
    instantiate(
      bytes: Uint8Array,
      imports: Record<string, unknown>,
    ): Promise<{ instance: { exports: Record<string, unknown> } }>;
  };
};

let loaded: Promise<void> | undefined;

/**
 * Runs `work` on Prisma's migration engine over `adapter`, as WebAssembly from npm: the native engine is
 * fetched from a host that closed networks do not reach. This file is the only one that knows the package,
 * whose API Prisma calls internal. Errors: the driver's own where the database refused; the engine's
 * otherwise.
 */
export async function withSchemaEngine<T>(
  adapter: SqlMigrationAwareDriverAdapterFactory,
  work: (engine: SchemaEngine) => Promise<T>,
): Promise<T> {
  await (loaded ??= load());
  const bound = bindMigrationAwareSqlAdapterFactory(adapter);
  const engine = await bindings.SchemaEngine.new({ datamodels: undefined }, () => undefined, bound);
  try {
    return await work(engine);
  } catch (error) {
    // An error of the driver crosses the engine as a number only; the registry has kept the error itself.
    const id = /External error id#(\d+)/.exec((error as Error).message)?.[1];
    throw (id === undefined ? undefined : bound.errorRegistry.consumeError(Number(id))?.error) ?? error;
  } finally {
    engine.free();
  }
}

/**
 * The package imports its `.wasm` as a module, which Node does not do without a flag; so it is instantiated
 * here.
 */
async function load(): Promise<void> {
  const file = createRequire(import.meta.url).resolve('@prisma/schema-engine-wasm/schema_engine_bg');
  const bytes = await readFile(file.replace(/\.js$/, '.wasm'));
  const { instance } = await WebAssembly.instantiate(bytes, {
    './schema_engine_bg.js': { ...bindings, ...unreferencedTimers() },
  });
  (bindings as unknown as Loader).__wbg_set_wasm(instance.exports);
  (instance.exports['__wbindgen_start'] as () => void)();
}

/**
 * The engine starts a timer for every wait and never clears it: the ten seconds it gives a lock would keep a
 * process that has nothing else to do. The names of imports end in a hash that changes with the version.
 */
function unreferencedTimers(): Record<string, unknown> {
  const names = Object.keys(bindings).filter((name) => name.startsWith('__wbg_setTimeout_'));
  const start = (callback: () => void, ms: number) => setTimeout(callback, ms >>> 0).unref();
  return Object.fromEntries(names.map((name) => [name, start]));
}
