import { expect, it } from '@jest/globals';
import { covers } from '@platform/testing/covers';
import { readPolicyText } from './policy-file.ts';
import { findingLines, setOf, validateSet, withOtherFindings } from './policy-findings.ts';
import type { Session } from './shell.ts';

/** A session whose service refuses every REGEX, a name that was there before and, with a domain, the set. */
const session = {
  clients: {
    authorization: {
      validatePolicies: async ({
        policies,
        domainId,
      }: {
        domainId?: string;
        policies: { name: string; engine: number; statements: { rules: Map<string, string> }[] }[];
      }) => ({
        errors: policies.flatMap(({ name, engine, statements }, policyIndex) => [
          ...(policies.findIndex((other) => other.name === name) < policyIndex
            ? [{ policyName: name, policyIndex, code: 'NAME_DUPLICATE', message: 'another one' }]
            : []),
          ...statements.flatMap(({ rules }, statement) =>
            [...rules.keys()]
              .filter(() => engine === 3)
              .map((key) => ({
                policyName: name,
                policyIndex,
                statement,
                key,
                code: 'PATTERN_INVALID',
                message: 'unclosed group',
              })),
          ),
        ]),
        warnings:
          domainId === undefined ? [] : [{ policyName: '', code: 'LOCKOUT', message: 'nobody is left' }],
      }),
    },
  },
  extras: {},
} as unknown as Session;
const place = (line: number | null, column: number | null) => `f${line === null ? '' : `:${line}:${column}`}`;

it('a finding stands at the line of its rule and names statement, key and pattern', async () => {
  covers('AUTHZ-CLI.2');
  const file = readPolicyText(
    `policies:
  - { name: a, engine: fixed, statements: [{ rules: { subject: x } }] }
  - name: a
    engine: regex
    statements:
      - rules: { subject: '(', action: 'b(' }
      - rules:
          subject: 'c('
`,
    place,
  );
  const found = await validateSet(session, setOf(file), { tenantId: 't', domainId: 'd' });
  expect(findingLines(found, place)).toEqual([
    'f:3:5: error NAME_DUPLICATE `a`: another one',
    'f:6:27: error PATTERN_INVALID `a`: statement 1, `subject: (`: unclosed group',
    'f:6:40: error PATTERN_INVALID `a`: statement 1, `action: b(`: unclosed group',
    'f:8:20: error PATTERN_INVALID `a`: statement 2, `subject: c(`: unclosed group',
    'f: error LOCKOUT: nobody is left',
  ]);
  expect(found.errors[1]).toMatchObject({ line: 6, column: 27, statement: 0, key: 'subject' });
  expect(found.warnings[0]).toMatchObject({ line: null, column: null });
});

it('a policy without the shape of one hides no problem of the other policies', async () => {
  covers('AUTHZ-CLI.2');
  const text = `policies:
  - { name: a, engine: regexx, statements: [{ rules: { subject: '(' } }] }
  - { name: b, engine: regex, statements: [{ rules: { subject: '(' } }] }
`;
  const error = await Promise.resolve()
    .then(() => readPolicyText(text, place))
    .catch((caught: unknown) => withOtherFindings(session, caught, place));
  expect((error as Error).message.split('\n')).toEqual([
    expect.stringMatching(/^f:2:24: policy `a`: engine: /),
    'f:3:64: error PATTERN_INVALID `b`: `subject: (`: unclosed group',
  ]);
});
