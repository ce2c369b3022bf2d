import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { covers } from '@platform/testing/covers';
import { SEED } from '@platform/testing/seed';
import type { Policy } from '@platform/proto/authz/v1/policy';
import { leavesLine } from './leaving-policies.ts';
import { diffPolicies } from './policy-diff.ts';

fc.configureGlobal({ seed: SEED });

const policy = (name: string, rules: Record<string, string>, more: Partial<Policy> = {}): Policy => ({
  name,
  description: '',
  invert: false,
  deny: false,
  engine: 1,
  statements: [{ rules: new Map(Object.entries(rules)) }],
  ...more,
});

it('diffPolicies names added, removed and changed policies, and the lines that differ', () => {
  const before = [policy('root-access', { subject: 'root' }), policy('starter', { subject: 'alice' })];
  const after = [
    policy('starter', { subject: 'bob' }, { deny: true }),
    policy('readers', { action: 'read' }),
  ];
  const { added, removed, changed, lines } = diffPolicies(before, after);
  expect({ added, removed, changed }).toEqual({
    added: ['readers'],
    removed: ['root-access'],
    changed: ['starter'],
  });
  expect(lines).toEqual([
    '+ readers',
    '    + engine: fixed',
    '    + statement: action: read',
    '- root-access',
    '    - engine: fixed',
    '    - statement: subject: root',
    '~ starter',
    '    - statement: subject: alice',
    '    + deny: true',
    '    + statement: subject: bob',
  ]);
});

it('a diff shows each statement that comes or goes, whatever other statements of its policy say', () => {
  covers('AUTHZ-CLI.73');
  const team = (...statements: string[]) => ({
    ...policy('team', {}),
    statements: statements.map((text) => {
      const [subject, action] = text.split(' ') as [string, string];
      return { rules: new Map(Object.entries({ subject, action })) };
    }),
  });
  const texts = fc.array(fc.constantFrom('ann read', 'ann write', 'ben read', 'ben write', 'cid write'), {
    maxLength: 6,
  });
  fc.assert(
    fc.property(texts, texts, (before, after) => {
      const { lines } = diffPolicies([team(...before)], [team(...after)]);
      const line = (text: string) =>
        `statement: action: ${text.split(' ')[1]}, subject: ${text.split(' ')[0]}`;
      const told = (sign: string, text: string) =>
        lines.filter((one) => one === `    ${sign} ${line(text)}`).length;
      for (const text of new Set([...before, ...after])) {
        const count = (all: readonly string[]) => all.filter((one) => one === text).length;
        const more = count(after) - count(before);
        expect([text, told('+', text), told('-', text)]).toEqual([
          text,
          Math.max(0, more),
          Math.max(0, -more),
        ]);
      }
      if (before.join() === after.join()) expect(lines).toEqual([]);
      else expect(lines.length).toBeGreaterThan(1);
    }),
  );
});

it.each([
  [{ action: 'delete', object: 'x' }, { 'action: delete, object': 'x' }],
  [{ subject: 'ann', team: 'red' }, { 'subject: ann, team': 'red' }],
  [{ subject: 'ann\u200b' }, { subject: 'ann\\u{200b}' }],
  [{ subject: 'a\nb' }, { subject: 'a\\nb' }],
  [{ subject: 'a`b' }, { subject: '"a\\u0060b"' }],
])('a diff tells the rules %j from %j', (one, other) => {
  covers('AUTHZ-CLI.73');
  const { lines } = diffPolicies([policy('p', one)], [policy('p', other)]);
  expect(lines.slice(1).map((line) => line.slice(4))).toHaveLength(2);
  expect(lines[1]!.slice(6)).not.toBe(lines[2]!.slice(6));
});

it('diffPolicies finds no difference in another order of rules', () => {
  const one = [policy('p', { action: 'read', subject: 'bob' })];
  const other = [policy('p', { subject: 'bob', action: 'read' })];
  expect(diffPolicies(one, other).lines).toEqual([]);
});

it('a diff shows characters that a terminal would obey as escapes', () => {
  covers('AUTHZ-CLI.10');
  const { lines } = diffPolicies([], [policy('a\u202eb\u009bc', { subject: 'x' })]);
  expect(lines[0]).toBe('+ a\\u{202e}b\\u{9b}c');
});

it('the policies that leave are counted, also those that are not named', () => {
  covers('AUTHZ-CLI.74');
  const set = Array.from({ length: 12 }, (_, n) => policy(`p${n}`, { action: 'read' }));
  expect(leavesLine(diffPolicies(set, []))).toMatch(/^12 policies leave the set: `p0`, .*`p9` and 2 more$/);
});

it.each<Partial<Policy>>([{ deny: true }, { invert: true }, { engine: 2 }])(
  'a diff that only turns %j says how many statements that changes',
  (more) => {
    covers('AUTHZ-CLI.77');
    const statements = ['ann', 'ben'].map((subject) => ({ rules: new Map([['subject', subject]]) }));
    const [before, after] = [policy('p', {}, { statements }), policy('p', {}, { statements, ...more })];
    const { lines } = diffPolicies([before], [after]);
    expect(lines.at(-1)).toBe('    that changes what 2 statements do');
    const described = diffPolicies([before], [{ ...before, description: 'more' }]);
    expect(described.lines).toEqual(['~ p', '    + description: more']);
  },
);

it('a diff does not show the lines of a description as rules', () => {
  covers('AUTHZ-CLI.76');
  const description = 'readers\nstatement: subject: root\ndeny: true';
  const { lines } = diffPolicies([], [policy('p', { subject: 'ann' }, { description })]);
  expect(lines).toEqual([
    '+ p',
    '    + description: "readers\\nstatement: subject: root\\ndeny: true"',
    '    + engine: fixed',
    '    + statement: subject: ann',
  ]);
});
