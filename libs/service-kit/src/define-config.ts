import { z } from 'zod';
import { printSettings, readSettings, SettingsError, settingsTable } from './settings.ts';

/** `REQUEST_TIMEOUT_MS` as `requestTimeoutMs`. */
type Camel<Name extends string> = Name extends `${infer Head}_${infer Tail}`
  ? `${Lowercase<Head>}${Capitalize<Camel<Tail>>}`
  : Lowercase<Name>;

/** The field of a setting: its name without the service's prefix, in camelCase. */
type FieldOf<Name extends string, Prefix extends string> = Name extends `${Prefix}_${infer Rest}`
  ? Camel<Rest>
  : Camel<Name>;

type Config<Prefix extends string, Shape extends z.ZodRawShape> = {
  readonly [Name in keyof Shape & string as FieldOf<Name, Prefix>]: z.output<Shape[Name]>;
};

/** The settings of a program: how they are read, printed and documented. */
export interface ConfigDefinition<C> {
  /**
   * The configuration that `env` describes. With `alone`, settings are not checked against one another: a
   * command such as `migrate` runs with less than the service needs. Errors: SettingsError, a line for every
   * bad variable.
   */
  load(env: NodeJS.ProcessEnv, options?: { readonly alone?: boolean }): Promise<C>;
  /** `NAME=value` lines in the order of the definition, secrets masked. */
  print(env: NodeJS.ProcessEnv): string;
  /** The Markdown table of the settings for the program's README. */
  table(): string;
}

/** The configuration type that a definition loads. */
export type ConfigOf<D> = D extends ConfigDefinition<infer C> ? C : never;

/**
 * Defines a program's settings by the names of their environment variables: `AUTHZ_GRPC_PORT` with the prefix
 * `AUTHZ` becomes the field `grpcPort`, `DATABASE_URL` becomes `databaseUrl`. A variable that carries the
 * prefix and is not a setting is refused with the name that was probably meant.
 */
export function defineConfig<const Prefix extends string, Shape extends z.ZodRawShape>(definition: {
  readonly prefix: Prefix;
  readonly settings: Shape;
  /** Variables with the prefix that belong to other programs. */
  readonly otherNames?: readonly string[];
  /** What is wrong with settings that are valid one by one, a line each: `NAME: must …`. */
  readonly contradictions?: (config: Config<Prefix, Shape>) => string[];
}): ConfigDefinition<Config<Prefix, Shape>> {
  const { prefix, settings, otherNames = [], contradictions = () => [] } = definition;
  const schema = z.object(settings);
  const names = Object.keys(settings);
  return {
    async load(env, { alone = false } = {}) {
      const unknown = unknownSettings(env, { prefix, names, otherNames });
      const { values, problems } = await readSettings(schema, env);
      const config = Object.fromEntries(
        Object.entries(values).map(([name, value]) => [fieldOf(name, prefix), value]),
      ) as Config<Prefix, Shape>;
      const bad = Object.entries(problems).map(([name, problem]) => `${name}: ${problem}`);
      // Settings that are bad themselves are missing from `config`: nothing more is said about them.
      const contradictory = alone
        ? []
        : contradictions(config).filter(
            (line) => !(line.match(/\w+/g) ?? []).some((word) => word in problems),
          );
      const lines = [...bad, ...contradictory, ...unknown];
      if (lines.length > 0) throw new SettingsError(lines.join('\n'));
      return config;
    },
    print: (env) => printSettings(schema, env),
    table: () => settingsTable(schema),
  };
}

function fieldOf(name: string, prefix: string): string {
  return name
    .replace(new RegExp(`^${prefix}_`), '')
    .toLowerCase()
    .replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}

/**
 * Kubernetes puts these into every pod for each Service of the namespace, and a Service may be named like a
 * prefix.
 */
const SERVICE_LINK = /_(SERVICE_HOST|SERVICE_PORT(_\w+)?|PORT_\d+_(TCP|UDP|SCTP)(_(PROTO|PORT|ADDR))?)$/;
const SERVICE_LINK_VALUE = /^(tcp|udp|sctp):\/\//;

function unknownSettings(
  env: NodeJS.ProcessEnv,
  { prefix, names, otherNames }: { prefix: string; names: readonly string[]; otherNames: readonly string[] },
): string[] {
  return Object.keys(env)
    .filter((name) => name.startsWith(`${prefix}_`) && ![...names, ...otherNames].includes(name))
    .filter((name) => !SERVICE_LINK.test(name) && !SERVICE_LINK_VALUE.test(env[name] ?? ''))
    .map((name) => {
      const [nearest] = names
        .map((known) => ({ known, edits: editDistance(known, name) }))
        .sort((one, other) => one.edits - other.edits);
      const isNear = nearest !== undefined && nearest.edits <= SUGGESTED_EDITS;
      return `${name}: is not a setting${isNear ? `; did you mean ${nearest.known}?` : ''}`;
    });
}

/** A name is suggested for another that is at most this many edits away. */
const SUGGESTED_EDITS = 4;

/** Insertions, deletions and replacements that turn one text into the other (Levenshtein). */
function editDistance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, column) => column);
  for (let i = 1; i <= one.length; i++) {
    const next = [i];
    for (let j = 1; j <= other.length; j++) {
      const replaced = row[j - 1]! + (one[i - 1] === other[j - 1] ? 0 : 1);
      next.push(Math.min(row[j]! + 1, next[j - 1]! + 1, replaced));
    }
    row = next;
  }
  return row.at(-1)!;
}
