import { readFile } from 'node:fs/promises';
import type { EvaluationEngine, Policy } from '@platform/proto/authz/v1/policy';
import { parse, stringify } from 'yaml';
import { z } from 'zod';
import { UsageError } from './exit-codes.ts';

const ENGINES = { fixed: 1, prefix: 2, regex: 3, glob: 4 } as const satisfies Record<
  string,
  EvaluationEngine
>;
type EngineName = keyof typeof ENGINES;

/** A mapping of any keys: zod's own record leaves `__proto__` out. */
function mappingOf<T extends z.ZodType>(value: T) {
  return z.preprocess(
    (input) =>
      typeof input === 'object' && input !== null && !Array.isArray(input)
        ? new Map(Object.entries(input))
        : input,
    z.map(z.string(), value, 'must be keys with values'),
  );
}

const PolicyEntry = z.strictObject({
  name: z.string(),
  description: z.string().default(''),
  invert: z.boolean().default(false),
  deny: z.boolean().default(false),
  engine: z.enum(Object.keys(ENGINES) as [EngineName, ...EngineName[]]),
  statements: z.array(z.strictObject({ rules: mappingOf(z.string()) })),
});
const ContextEntry = mappingOf(z.union([z.string(), z.array(z.string())]));
const PolicyFile = z.strictObject({
  policies: z.array(PolicyEntry),
  /** What the policies must decide; read by `policies test`. */
  tests: z
    .array(z.strictObject({ name: z.string(), context: ContextEntry, expected: z.enum(['allow', 'deny']) }))
    .default([]),
});

export type PolicyFile = z.output<typeof PolicyFile>;

/** Reads a policy file, YAML or JSON. Throws UsageError naming the place that is wrong. */
export async function readPolicyFile(path: string): Promise<PolicyFile> {
  let value: unknown;
  try {
    value = parse(await readFile(path, 'utf8'));
  } catch (error) {
    throw new UsageError(`${path}: ${(error as Error).message}`);
  }
  const parsed = PolicyFile.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new UsageError(`${path}: ${issue?.path.join('.') ?? ''}: ${issue?.message ?? 'not a policy file'}`);
}

export function toMessages(policies: PolicyFile['policies']): Policy[] {
  return policies.map((policy) => ({ ...policy, engine: ENGINES[policy.engine] }));
}

/** Policies as the file has them, keys of rules in order, so that two equal sets are one text. */
export function toYaml(policies: readonly Policy[]): string {
  const names = new Map<number, string>(Object.entries(ENGINES).map(([name, number]) => [number, name]));
  return stringify({
    policies: policies.map(({ name, description, invert, deny, engine, statements }) => ({
      name,
      ...(description === '' ? {} : { description }),
      ...(invert ? { invert } : {}),
      ...(deny ? { deny } : {}),
      engine: names.get(engine) ?? String(engine),
      statements: statements.map(({ rules }) => ({
        rules: Object.fromEntries([...rules].sort(([a], [b]) => (a < b ? -1 : 1))),
      })),
    })),
  });
}
