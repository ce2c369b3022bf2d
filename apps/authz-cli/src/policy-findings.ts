import { GrpcCallError } from '@platform/authz-client';
import type { PolicyFinding } from '@platform/proto/authz/v1/authorization';
import type { Policy } from '@platform/proto/authz/v1/policy';
import { UsageError } from './exit-codes.ts';
import type { Place } from './names.ts';
import { visible } from './output.ts';
import { PolicyFileError, toMessages, type PolicyFile, type StoredPolicyFile } from './policy-file.ts';
import type { Session } from './shell.ts';

/**
 * Longest that the service may validate and write a large set, its wait behind other sets included.
 * Milliseconds.
 */
export const SET_MS_MAX = 90_000;

/** The warning about a set after which nobody could manage the tenant: it is refused unless asked for. */
const LOCKOUT = 'LOCKOUT';

export function isRefused({ code }: PolicyFinding): boolean {
  return code === LOCKOUT;
}

/** A finding of the service, and where it is in the file; null where the finding is about the whole set. */
export interface PlacedFinding extends PolicyFinding {
  readonly line: number | null;
  readonly column: number | null;
  /** The message, after the rule and, where there are several, the statement that it is about. */
  readonly words: string;
}

export interface Findings {
  readonly errors: readonly PlacedFinding[];
  readonly warnings: readonly PlacedFinding[];
}

/** A set of policies, and where they stand in a file; nowhere for a set that the service keeps. */
export interface JudgedSet {
  readonly policies: readonly Policy[];
  readonly find?: PolicyFile['find'];
}

/** The set of a file. */
export function setOf({ policies, find }: PolicyFile): JudgedSet {
  return { policies: toMessages(policies), find };
}

/** What the service finds in the policies, in the domain if one is given. */
export async function validateSet(
  { clients, extras }: Session,
  set: JudgedSet,
  place: Partial<Place> = {},
): Promise<Findings> {
  const { errors, warnings } = await clients.authorization.validatePolicies(
    { policies: [...set.policies], ...place },
    { ...extras, timeoutMs: SET_MS_MAX },
  );
  const placed = (finding: PolicyFinding): PlacedFinding => {
    const { line = null, column = null } = set.find?.(finding) ?? {};
    return { ...finding, line, column, words: `${ruleOf(set, finding)}${finding.message}` };
  };
  return { errors: errors.map(placed), warnings: warnings.map(placed) };
}

/** Longest part of a pattern that is repeated. */
const PATTERN_SHOWN = 100;

/** `statement 2, \`subject: a(b\`: `; the pattern only where the message does not quote it. */
function ruleOf({ policies }: JudgedSet, { policyIndex, statement, key, message }: PolicyFinding): string {
  const statements = policyIndex === undefined ? undefined : policies[policyIndex]?.statements;
  if (statements === undefined || statement === undefined) return '';
  const place = statements.length > 1 ? [`statement ${statement + 1}`] : [];
  if (key !== undefined) {
    const pattern = statements[statement]?.rules.get(key);
    const isQuoted = pattern === undefined || message.includes(`\`${pattern}\``);
    const shown =
      isQuoted || pattern.length <= PATTERN_SHOWN ? pattern : `${pattern.slice(0, PATTERN_SHOWN)}…`;
    place.push(`\`${visible(isQuoted ? key : `${key}: ${shown}`)}\``);
  }
  return place.length === 0 ? '' : `${place.join(', ')}: `;
}

/** One line for each finding: where it is, what it is worth and what it says. */
export function findingLines(
  { errors, warnings }: Findings,
  writePlace: (line: number | null, column: number | null) => string,
  isTaken: (warning: PlacedFinding) => boolean = (warning) => !isRefused(warning),
): string[] {
  const lineOf = (level: string, { line, column, code, policyName, words }: PlacedFinding) => {
    const subject = policyName === '' ? '' : ` \`${visible(policyName)}\``;
    return `${writePlace(line, column)}: ${level} ${code}${subject}: ${words}`;
  };
  return [
    ...errors.map((error) => lineOf('error', error)),
    ...warnings.map((warning) => lineOf(isTaken(warning) ? 'warning' : 'error', warning)),
  ];
}

/**
 * The error, and where only some policies of a file lack the shape of one, what the service finds in the
 * others: one mistake hides no other. It is judged without a domain, since the set is not whole.
 */
export async function withOtherFindings(
  session: Session,
  error: unknown,
  writePlace: (line: number | null, column: number | null) => string,
): Promise<unknown> {
  if (!(error instanceof PolicyFileError) || error.readable === null) return error;
  const found = await validateSet(session, setOf(error.readable)).catch(() => null);
  if (found === null) return error;
  return new PolicyFileError([error.message, ...findingLines(found, writePlace)].join('\n'), error.readable);
}

/**
 * Throws the error of a call that was given the policies of the file; where the service refuses policies, as
 * UsageError with each of them at its place in the file.
 */
export async function throwPlaced(session: Session, error: unknown, file: StoredPolicyFile): Promise<never> {
  if (!(error instanceof GrpcCallError) || error.reason !== 'INVALID_POLICY') throw error;
  const { errors } = await validateSet(session, setOf(file)).catch(() => ({ errors: [] }));
  const lines = findingLines({ errors, warnings: [] }, placesIn(file.path));
  throw lines.length === 0 ? error : new UsageError(lines.join('\n'), { cause: error });
}

/** The error of a test, which the service knows by its index, with its place and name. */
export function withPlaceOfTest(
  error: unknown,
  { tests, findTest }: PolicyFile,
  writePlace: (line: number, column: number) => string,
): unknown {
  const [all, digits] = (error instanceof Error && /^cases\[(\d+)\]: /.exec(error.message)) || [];
  const test = tests[Number(digits)];
  if (!(error instanceof Error) || all === undefined || test === undefined) return error;
  const { line, column } = findTest(Number(digits));
  const place = `${writePlace(line, column)}: test \`${visible(test.name)}\`: `;
  return new UsageError(place + error.message.slice(all.length), { cause: error });
}

/** How lines name a place of the file. */
export const placesIn = (path: string) => (line: number | null, column: number | null) =>
  line === null ? path : `${path}:${line}:${column}`;
