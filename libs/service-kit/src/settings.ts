import { readFileSync } from 'node:fs';
import { loadVerificationKeys, type VerificationKey } from '@platform/jwt';
import { z } from 'zod';

/**
 * Environment variables of a service by name. Each field carries its one-line description; secrets say so in
 * their meta.
 */
export type SettingsSchema = z.ZodObject;

/** Bad settings: one line per variable. A service prints it and exits with code 2. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError';
}

/** A whole number written in digits, within bounds. */
export function integerSetting(bounds: { min: number; max: number }) {
  return z
    .string()
    .regex(/^\d+$/, 'must be a whole number')
    .transform(Number)
    .pipe(
      z
        .number()
        .min(bounds.min, `must be at least ${bounds.min}`)
        .max(bounds.max, `must be at most ${bounds.max}`),
    );
}

/** `true`, `1`, `false` or `0`. */
export function booleanSetting() {
  return z
    .enum(['true', '1', 'false', '0'], 'must be true, 1, false or 0')
    .transform((text) => text === 'true' || text === '1');
}

/** TCP port; 0 = any free one. */
export function portSetting() {
  return integerSetting({ min: 0, max: 65_535 });
}

/** Minimum level of the log. */
export function logLevelSetting() {
  return z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']).default('info');
}

const webUrl = () => z.url({ protocol: /^https?$/, error: 'must be an http or https URL' });

/** An http or https URL without the slashes at its end; may be unset. */
export function httpUrlSetting() {
  return webUrl()
    .transform((url) => url.replace(/\/+$/, ''))
    .optional();
}

/** OTLP/HTTP collector that spans are sent to; unset = no spans. */
export function collectorSetting() {
  return webUrl()
    .optional()
    .describe(
      'OTLP/HTTP collector that spans are sent to, such as `http://localhost:4318`; unset = no spans.',
    );
}

/** URL of a Redis, or of nodes of a Redis Cluster, separated by commas. */
export function redisUrlSetting() {
  return secret(
    z
      .string()
      .regex(/^rediss?:\/\/./, 'must be `redis://…` or `rediss://…`')
      .optional(),
  );
}

/** Text that is refused with the message of the error that `check` throws. */
export function checkedSetting(check: (text: string) => unknown) {
  return z.string().superRefine((text, ctx) => {
    try {
      check(text);
    } catch (error) {
      ctx.addIssue((error as Error).message);
    }
  });
}

/** A file that can be read. */
export function fileSetting() {
  return checkedSetting((file) => readFileSync(file));
}

/** Ed25519 public keys as a JWKS or PEM text. */
export function verificationKeysSetting() {
  return z.string().transform((text, ctx) => readKeys(() => text, ctx));
}

/** Ed25519 public keys in the file that the variable names. */
export function verificationKeysFileSetting() {
  return z.string().transform((file, ctx) => readKeys(() => readFileSync(file, 'utf8'), ctx));
}

async function readKeys(read: () => string, ctx: z.RefinementCtx): Promise<VerificationKey[]> {
  try {
    return await loadVerificationKeys(read());
  } catch (error) {
    ctx.addIssue((error as Error).message);
    return z.NEVER;
  }
}

/** Marks a setting that is never printed. */
export function secret<T extends z.ZodType>(schema: T): T {
  return schema.meta({ ...schema.meta(), secret: true });
}

/**
 * The settings in `env` with defaults, and what is wrong with each that is missing from `values`. An empty
 * variable counts as unset. No problem repeats a value, which may be a secret.
 */
export async function readSettings(
  schema: SettingsSchema,
  env: NodeJS.ProcessEnv,
): Promise<{ values: Record<string, unknown>; problems: Record<string, string> }> {
  const given = givenIn(schema, env);
  const values: Record<string, unknown> = {};
  const problems: Record<string, string> = {};
  for (const [name, field] of Object.entries(schema.shape)) {
    const parsed = await (field as z.ZodType).safeParseAsync(given[name]);
    if (parsed.success) values[name] = parsed.data;
    else problems[name] = name in given ? parsed.error.issues[0]!.message : 'must be set';
  }
  return { values, problems };
}

function givenIn(schema: SettingsSchema, env: NodeJS.ProcessEnv): Record<string, string> {
  return Object.fromEntries(
    Object.keys(schema.shape).flatMap((name) => (env[name] ? [[name, env[name]]] : [])),
  );
}

/**
 * Settings as `NAME=value` lines in the schema's order: as given, else the default; secrets masked, unset
 * ones empty.
 */
export function printSettings(schema: SettingsSchema, env: NodeJS.ProcessEnv): string {
  const given = givenIn(schema, env);
  return Object.entries(schema.shape)
    .map(([name, field]) => {
      const value = given[name] ?? defaultOf(field as z.ZodType);
      const isMasked = value !== undefined && (field as z.ZodType).meta()?.secret === true;
      return `${name}=${isMasked ? '[secret]' : String(value ?? '')}\n`;
    })
    .join('');
}

/** undefined for a setting that has no default. */
function defaultOf(field: z.ZodType): unknown {
  const parsed = field.safeParse(undefined);
  return parsed.success ? parsed.data : undefined;
}

/** Rows of the settings table in a service's README: `| name | default | what |`. */
export function settingsTable(schema: SettingsSchema): string {
  const rows = Object.entries(schema.shape).map(([name, field]) => {
    const parsed = (field as z.ZodType).safeParse(undefined);
    const preset = parsed.success
      ? parsed.data === undefined
        ? ''
        : `\`${String(parsed.data)}\``
      : 'required';
    return `| \`${name}\` | ${preset} | ${(field as z.ZodType).description ?? ''} |\n`;
  });
  return `| Variable | Default | What |\n| --- | --- | --- |\n${rows.join('')}`;
}
