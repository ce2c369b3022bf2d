import { quotedText } from '@platform/decide/quoted-text';
import type { Policy } from '@platform/proto/authz/v1/policy';
import { counted, visible } from './output.ts';
import { toYaml } from './policy-file.ts';

/** How one policy set differs from another, by policy name. */
export interface PolicyDiff {
  readonly added: readonly string[];
  readonly removed: readonly string[];
  readonly changed: readonly string[];
  /**
   * `+ name` with what it says below, `- name` with what it said, or `~ name` with what differs; each setting
   * and each statement on a line. Empty for equal sets.
   */
  readonly lines: readonly string[];
}

/** What replacing `before` by `after` would change. The order of rules does not count. Never throws. */
export function diffPolicies(before: readonly Policy[], after: readonly Policy[]): PolicyDiff {
  const [old, next] = [linesByName(before), linesByName(after)];
  const added = [...next.keys()].filter((name) => !old.has(name));
  const removed = [...old.keys()].filter((name) => !next.has(name));
  const changed = [...next.keys()].filter(
    (name) => old.has(name) && !areEqual(old.get(name)!, next.get(name)!),
  );
  const lines = [
    ...added.flatMap((name) => [`+ ${name}`, ...differences([], next.get(name)!)]),
    ...removed.flatMap((name) => [`- ${name}`, ...differences(old.get(name)!, [])]),
    ...changed.flatMap((name) => [`~ ${name}`, ...differences(old.get(name)!, next.get(name)!)]),
  ];
  return { added, removed, changed, lines: lines.map(visible) };
}

/** What is said about sets without a difference; another order makes another version, and decides nothing. */
export function noDifference(before: readonly Policy[], after: readonly Policy[]): string {
  const isSameOrder = before.every(({ name }, at) => name === after[at]?.name);
  return isSameOrder ? 'no difference' : 'no difference but the order of policies, which decides nothing';
}

/** The names alone, for JSON. */
export function planOf({ added, removed, changed }: PolicyDiff) {
  return { added, removed, changed };
}

/** What each policy says, a line for each setting and each statement. */
function linesByName(policies: readonly Policy[]): Map<string, string[]> {
  return new Map(policies.map((policy) => [policy.name, linesOf(policy)]));
}

/** A statement is one line, because each of its rules grants nothing without the others. */
function linesOf({ description, statements, ...policy }: Policy): string[] {
  const settings = toYaml([{ ...policy, name: 'p', description: '', statements: [] }])
    .trimEnd()
    .split('\n')
    .slice(2, -1);
  return [
    ...(description === '' ? [] : [`description: ${quotedText(description)}`]),
    ...settings.map((line) => line.trim()),
    ...statements.map(statementLine),
  ];
}

function statementLine({ rules }: Policy['statements'][number]): string {
  const sorted = [...rules].sort(([a], [b]) => (a < b ? -1 : 1));
  return `statement: ${sorted.map((rule) => rule.map(quotedText).join(': ')).join(', ')}`;
}

function areEqual(one: readonly string[], other: readonly string[]): boolean {
  return one.join('\n') === other.join('\n');
}

function differences(old: readonly string[], next: readonly string[]): string[] {
  const [gone, come] = [without(old, next), without(next, old)];
  const lines = [...gone.map((line) => `    - ${line}`), ...come.map((line) => `    + ${line}`)];
  if (lines.length === 0) return ['    the order of its statements, which decides nothing'];
  const same = countStatements(old) - countStatements(gone);
  const isTurned = same > 0 && [...gone, ...come].some((line) => TURNS.test(line));
  return isTurned
    ? [...lines, `    that changes what ${counted(same, 'statement does', 'statements do')}`]
    : lines;
}

/** Settings that turn what a statement does. */
const TURNS = /^(?:deny|invert|engine): /;

const countStatements = (lines: readonly string[]) =>
  lines.filter((line) => line.startsWith('statement: ')).length;

/** The lines of one that the other lacks, each as many times as it has fewer of them. */
function without(lines: readonly string[], others: readonly string[]): string[] {
  const left = new Map<string, number>();
  for (const line of others) left.set(line, (left.get(line) ?? 0) + 1);
  return lines.filter((line) => {
    const count = left.get(line) ?? 0;
    left.set(line, count - 1);
    return count <= 0;
  });
}
