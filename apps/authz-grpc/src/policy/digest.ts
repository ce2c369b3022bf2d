import { createHash } from 'node:crypto';
import type { Policy } from './types.ts';

/**
 * What tells one set of policies from another: `sha256:` and the hexadecimal SHA-256 of the JSON of each
 * policy in turn, as `GetDomainPolicies` returns them, with a line feed after each. A policy is the array of
 * name, description, engine, deny, invert and statements, a statement the array of its rules as pairs of key
 * and value, sorted by key in UTF-16 code units.
 */
export function digestOfPolicies(policies: readonly Policy[]): string {
  const hash = createHash('sha256');
  for (const { name, description, engine, deny, invert, statements } of policies) {
    const rules = statements.map((statement) =>
      Object.keys(statement.rules)
        .sort()
        .map((key) => [key, statement.rules[key]]),
    );
    hash.update(`${JSON.stringify([name, description, engine, deny, invert, rules])}\n`);
  }
  return `sha256:${hash.digest('hex')}`;
}

/** What an audit row says about a set of policies, from which a reader can tell later what was live. */
export function summaryOf(policies: readonly Policy[]): {
  readonly policies: number;
  readonly digest: string;
} {
  return { policies: policies.length, digest: digestOfPolicies(policies) };
}
