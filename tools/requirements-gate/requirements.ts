import { readFileSync } from 'node:fs';
import { LineCounter, parseDocument } from 'yaml';

/** `active`: must be cited by a test. `planned`: no service does it yet, so no test may cite it. */
export type Status = 'active' | 'planned';

/** One statement of a contract that can be true or false. */
export interface Requirement {
  readonly id: string;
  readonly text: string;
  /** Section of the contract it was read from. */
  readonly source: string;
  readonly group: string;
  readonly status: Status;
  /** File that lists it, for messages. */
  readonly file: string;
}

/** A requirements file breaks its own form. The message names the file and what is wrong. */
export class BadRequirements extends Error {
  override readonly name = 'BadRequirements';
}

/**
 * The requirements of one file: contract, prefix and groups, each group with name, source, status, a reason
 * when planned, and a map of id to text. Errors: BadRequirements for any other form, an id twice, and an id
 * that does not start with the file's prefix; where the file is not YAML, with the line.
 */
export function parseRequirements(file: string, text: string): Requirement[] {
  const fail = (problem: string): never => {
    throw new BadRequirements(`${file}: ${problem}`);
  };
  const lineCounter = new LineCounter();
  const document = parseDocument(text, { lineCounter, prettyErrors: false });
  // A warning of the parser is a tag or an anchor that was meant to be text.
  for (const { pos, message } of [...document.errors, ...document.warnings])
    throw new BadRequirements(`${file}:${lineCounter.linePos(pos[0]).line}: ${message}`);
  const cut = text.split('\n').findIndex((line) => /^ +[A-Z][\w.-]*: [^'"].* #/.test(line));
  if (cut >= 0) throw new BadRequirements(`${file}:${cut + 1}: text after \` #\` is a comment: quote it`);
  const root: unknown = document.toJS();
  if (!isRecord(root) || typeof root['prefix'] !== 'string' || !Array.isArray(root['groups'])) {
    return fail('needs a prefix and groups');
  }
  const prefix = root['prefix'];
  const found: Requirement[] = [];
  for (const entry of root['groups'] as unknown[]) {
    const group = isRecord(entry) ? entry : {};
    const { name, source, status, reason, requirements } = group;
    if (typeof name !== 'string' || typeof source !== 'string' || !isRecord(requirements)) {
      return fail('every group needs a name, a source and requirements');
    }
    if (status !== 'active' && status !== 'planned')
      return fail(`group \`${name}\` is neither active nor planned`);
    if (status === 'planned' && typeof reason !== 'string')
      fail(`group \`${name}\` is planned without a reason`);
    for (const [id, wording] of Object.entries(requirements)) {
      if (!id.startsWith(`${prefix}-`)) fail(`\`${id}\` does not start with \`${prefix}-\``);
      if (typeof wording !== 'string' || wording.trim() === '') return fail(`\`${id}\` has no text`);
      if (found.some((other) => other.id === id)) fail(`\`${id}\` is listed twice`);
      found.push({ id, text: wording, source, group: name, status, file });
    }
  }
  return found;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A place in a test that names a requirement. */
export interface Citation {
  readonly id: string;
  readonly file: string;
}

/**
 * Every id with one of `prefixes` that stands in quotes of its own, as in `covers('INV-R12.3')` or a row of a
 * table, each once per file. `INV-F.ClaimInput.scope` is an id, too; the fixed part of a template
 * (`INV-F.${field}`) is none.
 */
export function citationsIn(file: string, text: string, prefixes: readonly string[]): Citation[] {
  const pattern = new RegExp(`(?<=['"])(?:${prefixes.join('|')})-\\w+(?:\\.\\w+)*(?=['"])`, 'g');
  return [...new Set(text.match(pattern) ?? [])].map((id) => ({ id, file }));
}

/** Ids inside longer texts of a test, such as its title, which do not count as citations. */
export function strayIdsIn(text: string, prefixes: readonly string[]): string[] {
  const pattern = new RegExp(`['"\`][^'"\`\\n]* \\(?(?:${prefixes.join('|')})-\\w+[^'"\`\\n]*['"\`]`, 'g');
  return text.match(pattern) ?? [];
}

/** The coverage of requirements by tests. The gate passes when its three lists are empty. */
export interface Coverage {
  /** Files that cite each requirement, by id. */
  readonly citedBy: ReadonlyMap<string, readonly string[]>;
  /** Active, and no test cites it. */
  readonly uncovered: readonly Requirement[];
  /** Cited, and no file lists it. */
  readonly unknown: readonly Citation[];
  /** Cited, and still said to be planned: its group must become active. */
  readonly early: readonly Requirement[];
}

/** A text of a test that holds an id among other words. */
export interface Stray {
  readonly file: string;
  readonly text: string;
}

export function cover(requirements: readonly Requirement[], citations: readonly Citation[]): Coverage {
  const listed = new Set(requirements.map((requirement) => requirement.id));
  const citedBy = new Map<string, string[]>();
  for (const { id, file } of citations) citedBy.set(id, [...(citedBy.get(id) ?? []), file]);
  return {
    citedBy,
    uncovered: requirements.filter(({ id, status }) => status === 'active' && !citedBy.has(id)),
    unknown: citations.filter(({ id }) => !listed.has(id)),
    early: requirements.filter(({ id, status }) => status === 'planned' && citedBy.has(id)),
  };
}

/** Reads the requirement files and the tests that may cite them. Paths are as given. */
export function readCoverage(
  requirementFiles: readonly string[],
  testFiles: readonly string[],
): { requirements: Requirement[]; coverage: Coverage; stray: Stray[] } {
  const requirements = requirementFiles.flatMap((file) =>
    parseRequirements(file, readFileSync(file, 'utf8')),
  );
  const prefixes = [...new Set(requirements.map(({ id }) => id.slice(0, id.indexOf('-'))))];
  const tests = testFiles.map((file) => ({ file, text: readFileSync(file, 'utf8') }));
  const citations = tests.flatMap(({ file, text }) => citationsIn(file, text, prefixes));
  const stray = tests.flatMap(({ file, text }) => strayIdsIn(text, prefixes).map((text) => ({ file, text })));
  return { requirements, coverage: cover(requirements, citations), stray };
}
