import type { Policy } from '@platform/proto/authz/v1/policy';
import { visible } from './output.ts';
import { toYaml } from './policy-file.ts';

/** How one policy set differs from another, by policy name. */
export interface PolicyDiff {
  readonly added: readonly string[];
  readonly removed: readonly string[];
  readonly changed: readonly string[];
  /**
   * One line each: `+ name`, `- name`, or `~ name` with the lines that differ below it. Empty for equal sets.
   */
  readonly lines: readonly string[];
}

/** What replacing `before` by `after` would change. The order of rules does not count. */
export function diffPolicies(before: readonly Policy[], after: readonly Policy[]): PolicyDiff {
  const [old, next] = [linesByName(before), linesByName(after)];
  const added = [...next.keys()].filter((name) => !old.has(name));
  const removed = [...old.keys()].filter((name) => !next.has(name));
  const changed = [...next.keys()].filter(
    (name) => old.has(name) && !areEqual(old.get(name)!, next.get(name)!),
  );
  const lines = [
    ...added.map((name) => `+ ${name}`),
    ...removed.map((name) => `- ${name}`),
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

/** The YAML lines of each policy, without the heading and the name. */
function linesByName(policies: readonly Policy[]): Map<string, string[]> {
  return new Map(policies.map((policy) => [policy.name, toYaml([policy]).trimEnd().split('\n').slice(2)]));
}

function areEqual(one: readonly string[], other: readonly string[]): boolean {
  return one.join('\n') === other.join('\n');
}

function differences(old: readonly string[], next: readonly string[]): string[] {
  return [
    ...old.filter((line) => !next.includes(line)).map((line) => `    - ${line.trim()}`),
    ...next.filter((line) => !old.includes(line)).map((line) => `    + ${line.trim()}`),
  ];
}
