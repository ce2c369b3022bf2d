import { z } from 'zod';

/** Environment variables of a service by name. Each field carries its one-line description; secrets say so in their meta. */
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

/** `true`, `1`, `false` or `0`; nothing is true by being there. */
export function booleanSetting() {
  return z
    .enum(['true', '1', 'false', '0'], 'must be true, 1, false or 0')
    .transform((text) => text === 'true' || text === '1');
}

/** TCP port; 0 = any free one. */
export function portSetting() {
  return integerSetting({ min: 0, max: 65_535 });
}

/** Least level of the log. */
export function logLevelSetting() {
  return z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']).default('info');
}

/** OTLP/HTTP collector that spans are sent to; unset = no spans. */
export function collectorSetting() {
  return z
    .url({ protocol: /^https?$/, error: 'must be an http or https URL' })
    .optional()
    .describe(
      'OTLP/HTTP collector that spans are sent to, such as `http://localhost:4318`; unset = no spans.',
    );
}

/** URL of a Redis. */
export function redisUrlSetting() {
  return secret(
    z
      .string()
      .regex(/^rediss?:\/\/./, 'must be `redis://…` or `rediss://…`')
      .optional(),
  );
}

/** Text that `check` throws an error on when it is bad; its message is told. */
export function checkedSetting(check: (text: string) => unknown) {
  return z.string().superRefine((text, ctx) => {
    try {
      check(text);
    } catch (error) {
      ctx.addIssue((error as Error).message);
    }
  });
}

/** Marks a setting that is never printed. */
export function secret<T extends z.ZodType>(schema: T): T {
  return schema.meta({ ...schema.meta(), secret: true }) as T;
}

/**
 * The settings in `env`, typed and with defaults; an empty variable is an unset one. Throws SettingsError naming every bad
 * variable at once, without its value, which may be a secret.
 */
export function readSettings<S extends SettingsSchema>(schema: S, env: NodeJS.ProcessEnv): z.output<S> {
  const given = Object.fromEntries(
    Object.keys(schema.shape).flatMap((name) => (env[name] ? [[name, env[name]]] : [])),
  );
  const parsed = schema.safeParse(given);
  if (parsed.success) return parsed.data;
  const lines = parsed.error.issues.map(({ path, message }) => {
    const name = String(path[0] ?? 'settings');
    return `${name}: ${path.length > 0 && !(name in given) ? 'must be set' : message}`;
  });
  throw new SettingsError(lines.join('\n'));
}

/** Settings as `NAME=value` lines in the schema's order, secrets masked, unset ones left empty. */
export function printSettings(schema: SettingsSchema, settings: Readonly<Record<string, unknown>>): string {
  return Object.entries(schema.shape)
    .map(([name, field]) => {
      const value = settings[name];
      const isMasked = value !== undefined && (field as z.ZodType).meta()?.secret === true;
      return `${name}=${isMasked ? '[secret]' : (value ?? '')}\n`;
    })
    .join('');
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
