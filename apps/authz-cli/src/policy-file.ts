import { isUtf8 } from 'node:buffer';
import { readFile } from 'node:fs/promises';
import type { PolicyFinding } from '@platform/proto/authz/v1/authorization';
import type { EvaluationEngine, Policy } from '@platform/proto/authz/v1/policy';
import { Document, isNode, LineCounter, parseDocument, visit, type Node } from 'yaml';
import { z } from 'zod';
import { unreadable, UsageError } from './exit-codes.ts';
import { HIDDEN } from './output.ts';

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

/** Zod names types of JavaScript there. */
const A_LIST = {
  error: ({ input }: { input: unknown }) =>
    input === undefined ? 'is missing: it must be a list' : 'must be a list',
};

/** YAML reads `yes`, `12` and a date as something other than text. */
const A_TEXT = { error: () => 'must be a text: put it in quotation marks' };

/** Exactly one of these words. */
const wordOf = <T extends string>(words: readonly [T, ...T[]]) =>
  z.enum(words, { error: () => `must be one of ${words.join(', ')}` });

const StatementEntry = z.strictObject({ rules: mappingOf(z.string(A_TEXT)) });
const PolicyEntry = z.strictObject({
  name: z.string(),
  description: z.string().default(''),
  invert: z.boolean().default(false),
  deny: z.boolean().default(false),
  engine: wordOf(Object.keys(ENGINES) as [EngineName, ...EngineName[]]),
  statements: z.array(StatementEntry, A_LIST),
});
const ContextEntry = mappingOf(
  z.union([z.string(), z.array(z.string())], {
    error: ({ input }) =>
      typeof input === 'object' && input !== null && !Array.isArray(input)
        ? 'must be a text or a list of texts: a key below it is written with a dot, as `user.team: blue`'
        : 'must be a text or a list of texts: put it in quotation marks',
  }),
);
const TestEntry = z.strictObject({
  name: z.string(),
  context: ContextEntry,
  expected: wordOf(['allow', 'deny']),
});
const PolicyFile = z.strictObject(
  {
    policies: z.array(PolicyEntry),
    /** Cases that the policies must decide as expected; run by `policies test`. */
    tests: z.array(TestEntry).default([]),
  },
  {
    error: ({ code }) =>
      code === 'invalid_type'
        ? 'is no policy file: it must have `policies:` with a list (`platform policies get` prints one)'
        : undefined,
  },
);

/** What a finding is about: the policy by its place in the set, or by its name, and a rule of it. */
export type FoundAt = Pick<PolicyFinding, 'policyName' | 'policyIndex' | 'statement' | 'key'>;

/** A policy file that was read, and where its policies are. */
export interface PolicyFile extends z.output<typeof PolicyFile> {
  /** Where the rule, the statement or the policy begins; null where the file does not have the policy. */
  readonly find: (at: FoundAt) => { readonly line: number; readonly column: number } | null;
  /** Where the test of this index begins. */
  readonly findTest: (index: number) => { readonly line: number; readonly column: number };
}

/** A policy file of which some parts do not have the shape of one; the message has a line for each. */
export class PolicyFileError extends UsageError {
  /** The policies that do have it; null where there is no list of policies. */
  readonly readable: PolicyFile | null;

  constructor(message: string, readable: PolicyFile | null) {
    super(message);
    this.readable = readable;
  }
}

export interface StoredPolicyFile extends PolicyFile {
  readonly path: string;
}

/**
 * Reads a policy file, YAML or JSON. Throws UsageError with one line for each problem: file, line, column,
 * the policy's name, the field and what is wrong; PolicyFileError where other policies of it can be read.
 */
export async function readPolicyFile(path: string): Promise<StoredPolicyFile> {
  const bytes = await readFile(path).catch(unreadable(path));
  return { path, ...readPolicyText(textOf(bytes, path), (line, column) => `${path}:${line}:${column}`) };
}

/** The text of a file. Throws UsageError for bytes that are not UTF-8, with their line. */
function textOf(bytes: Buffer, path: string): string {
  if (isUtf8(bytes)) return bytes.toString();
  // In Latin-1 and its like a line break is the same byte as in UTF-8.
  const lines = bytes.toString('latin1').split('\n');
  const line = lines.findIndex((one) => !isUtf8(Buffer.from(one, 'latin1'))) + 1;
  throw new UsageError(`${path}:${line}: the file is not text in UTF-8: save it as UTF-8`);
}

/** Reads the text of a policy file, whose places errors name by `writePlace`. Throws as `readPolicyFile`. */
export function readPolicyText(
  text: string,
  writePlace: (line: number, column: number) => string,
): PolicyFile {
  const counter = new LineCounter();
  const document = parseDocument(text, {
    lineCounter: counter,
    uniqueKeys: true,
    prettyErrors: false,
  });
  const at = (offset: number | undefined) => {
    const { line, col } = counter.linePos(offset ?? 0);
    return writePlace(line, col);
  };
  if (document.errors.length > 0) {
    throw new UsageError(
      listed(
        document.errors.map(
          ({ code, pos, message }) => `${at(pos[0])}: ${code === 'MULTIPLE_DOCS' ? SECOND : message}`,
        ),
      ),
    );
  }
  const value = valueOf(document, at);
  /** The file of these policies of the text. */
  const fileOf = (entries: readonly PlacedEntry[], tests: PolicyFile['tests']): PolicyFile => ({
    policies: entries.map(({ policy }) => policy),
    tests,
    find: ({ policyName, policyIndex, statement, key }) => {
      const entry = entries[policyIndex ?? entries.findIndex(({ policy }) => policy.name === policyName)];
      if (entry === undefined) return null;
      const path: PropertyKey[] = ['policies', entry.index];
      if (statement !== undefined) path.push('statements', statement);
      if (key !== undefined) path.push('rules', key);
      const { line, col } = counter.linePos(offsetOf(document, path) ?? 0);
      return { line, column: col };
    },
    findTest: (index) => {
      const { line, col } = counter.linePos(offsetOf(document, ['tests', index]) ?? 0);
      return { line, column: col };
    },
  });
  const parsed = PolicyFile.safeParse(value);
  if (parsed.success) {
    const { policies, tests } = parsed.data;
    return fileOf(
      policies.map((policy, index) => ({ policy, index })),
      tests,
    );
  }
  const problems = parsed.error.issues.map(
    (issue) => `${at(offsetOf(document, issue.path))}: ${describeProblem(value, issue)}`,
  );
  const entries: unknown = (value as { policies?: unknown } | null)?.policies;
  const readable = !Array.isArray(entries)
    ? null
    : entries.flatMap((entry: unknown, index): PlacedEntry[] => {
        const { data } = PolicyEntry.safeParse(entry);
        return data === undefined ? [] : [{ policy: data, index }];
      });
  throw new PolicyFileError(problems.join('\n'), readable && fileOf(readable, []));
}

/** One text that begins a file wrongly makes a problem of each that follows. */
const PROBLEMS_MAX = 20;

const listed = (problems: readonly string[]): string =>
  [
    ...problems.slice(0, PROBLEMS_MAX),
    ...(problems.length > PROBLEMS_MAX ? [`and ${problems.length - PROBLEMS_MAX} more problems`] : []),
  ].join('\n');

/** Characters that the aliases of a file may stand for, all together. */
const ALIASED_CHARACTERS_MAX = 16 * 1024 * 1024;

/**
 * The value of the document. Throws UsageError for an alias of nothing, and for aliases that grow beyond
 * bounds.
 */
function valueOf(document: Document, at: (offset: number | undefined) => string): unknown {
  const problems: string[] = [];
  let first: number | undefined;
  visit(document, {
    Alias(_, alias) {
      first ??= alias.range?.[0];
      if (alias.resolve(document) === undefined)
        problems.push(`${at(alias.range?.[0])}: no anchor \`&${alias.source}\` stands before this alias`);
    },
  });
  if (problems.length > 0) throw new UsageError(problems.join('\n'));
  const tooMuch = `${at(first)}: the aliases of this file stand for too much: write it out`;
  if (aliasedCharacters(document, document) > ALIASED_CHARACTERS_MAX) throw new UsageError(tooMuch);
  try {
    return document.toJS({ maxAliasCount: -1 });
  } catch (error) {
    if (!(error instanceof ReferenceError)) throw error;
    throw new UsageError(tooMuch);
  }
}

/** Characters of the text that the aliases in `within` stand for, those in them included. */
function aliasedCharacters(
  document: Document,
  within: Document | Node,
  known = new Map<Node, number>(),
): number {
  let sum = 0;
  visit(within, {
    Alias(_, alias) {
      const node = alias.resolve(document);
      if (node === undefined) return;
      if (!known.has(node)) {
        // An alias of what it stands in adds nothing more.
        known.set(node, 0);
        const [from, to] = node.range ?? [0, 0];
        known.set(node, to - from + aliasedCharacters(document, node, known));
      }
      sum += known.get(node) as number;
    },
  });
  return sum;
}

/** A policy, and its place in the list of the file. */
interface PlacedEntry {
  readonly policy: PolicyFile['policies'][number];
  readonly index: number;
}

/** In the place of the YAML library's own words, which name a function of it. */
const SECOND = 'a second document begins here; a policy file is one';

/** Where the value at the path begins, or the nearest part around it that the file has. */
function offsetOf(document: Document, path: readonly PropertyKey[]): number | undefined {
  for (let length = path.length; length >= 0; length -= 1) {
    const node = document.getIn(path.slice(0, length), true);
    if (isNode(node) && node.range) return node.range[0];
  }
  return undefined;
}

/** `policy \`readers\`: engine: …`: the policy or test by its name, the field below it, and the problem. */
function describeProblem(value: unknown, issue: z.core.$ZodIssue): string {
  const { path, message } = issue;
  const [list, index, ...field] = path;
  const entry = (value as Record<PropertyKey, Record<PropertyKey, { name?: unknown }>> | null)?.[
    list ?? ''
  ]?.[index ?? ''];
  const kind = list === 'policies' ? 'policy' : 'test';
  const owner = index === undefined ? '' : `${kind} \`${String(entry?.name ?? Number(index) + 1)}\`: `;
  const place = index === undefined ? path.join('.') : field.join('.');
  const words = issue.code === 'unrecognized_keys' ? unknownKeys(issue.keys, path) : message;
  return `${owner}${place === '' ? '' : `${place}: `}${words}`;
}

/** `there is no key \`effect\`; the keys are: name, …`, of what stands at the path. */
function unknownKeys(keys: readonly string[], path: readonly PropertyKey[]): string {
  const [list] = path;
  const known =
    path.length === 0
      ? PolicyFile.shape
      : list === 'tests'
        ? TestEntry.shape
        : path.length === 2
          ? PolicyEntry.shape
          : StatementEntry.shape;
  const unknown = keys.map((key) => `\`${key}\``).join(', ');
  return `there is no key ${unknown}; the keys are: ${Object.keys(known).join(', ')}`;
}

/** The policies as messages of the contract. */
export function toMessages(policies: PolicyFile['policies']): Policy[] {
  return policies.map((policy) => ({ ...policy, engine: ENGINES[policy.engine] }));
}

/**
 * Policies as the file has them, keys of rules in order, so that two equal sets are one text. What a terminal
 * would obey or not show is escaped, so that a policy reads as it decides.
 */
export function toYaml(policies: readonly Policy[]): string {
  const names = new Map<number, string>(Object.entries(ENGINES).map(([name, number]) => [number, name]));
  const file = new Document({
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
  visit(file, {
    Scalar: (_, scalar) => {
      if (typeof scalar.value === 'string' && scalar.value.search(UNSEEN) >= 0) scalar.type = 'QUOTE_DOUBLE';
    },
  });
  // The library may fold a line between the halves of a surrogate pair, which reads back as other text.
  return file.toString({ lineWidth: 0 }).replace(UNSEEN, escaped);
}

/** What YAML writes as it is, and `HIDDEN` names. */
const UNSEEN = new RegExp(`(?=[\\u007f-\\u009f\\p{Cf}])${HIDDEN.source}`, 'gu');

const escaped = (character: string) => `\\U${character.codePointAt(0)!.toString(16).padStart(8, '0')}`;
