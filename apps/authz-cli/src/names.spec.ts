import { expect, it } from '@jest/globals';
import { covers } from '@platform/testing/covers';
import { nameObject, nameSubject, subjectOf, withAccountNames } from './names.ts';

const NAMES = new Map([
  ['11111111-1111-4111-8111-111111111111', 'acme'],
  ['22222222-2222-4222-8222-222222222222', 'agent'],
  ['33333333-3333-4333-8333-333333333333', 'agent-2'],
  ['44444444-4444-4444-8444-444444444444', 'agent-2'],
]);

it.each([
  ['tenants/11111111-1111-4111-8111-111111111111', 'tenants/acme'],
  ['users/22222222-2222-4222-8222-222222222222/attributes', 'users/agent/attributes'],
  ['svc://11111111-1111-4111-8111-111111111111/docs/plan', 'svc://acme/docs/plan'],
  ['members/55555555-5555-4555-8555-555555555555', 'members/55555555-5555-4555-8555-555555555555'],
  ['users', 'users'],
])('the object `%s` of an audit row is shown as `%s`', (object, named) => {
  covers('AUTHZ-CON.10', 'AUTHZ-C.10');
  expect(nameObject(object, NAMES)).toBe(named);
});

it('a text that is the name of an account is shown in quotation marks, which mean the text', () => {
  covers('AUTHZ-CLI.43');
  const id = '22222222-2222-4222-8222-222222222222';
  const shown = [id, 'agent', 'wendy'].map((subject) => nameSubject(subject, NAMES));
  expect(shown).toEqual(['agent', '"agent"', 'wendy']);
  expect(shown.map((given) => subjectOf(given, NAMES))).toEqual([id, 'agent', 'wendy']);
});

it('a subject is meant by its id, by the name of one account, or by a text that is not an account', () => {
  covers('AUTHZ-CON.10', 'AUTHZ-C.10');
  const id = '22222222-2222-4222-8222-222222222222';
  expect([id, 'agent', 'wendy'].map((given) => subjectOf(given, NAMES))).toEqual([id, id, 'wendy']);
  expect(() => subjectOf('agent-2', NAMES)).toThrow(
    /^several accounts are called agent-2; name one by its id: 3{8}/,
  );
});

it.each([
  [
    '22222222-2222-4222-8222-222222222222 read docs/plan: denied, then allowed',
    '22222222-2222-4222-8222-222222222222 (agent) read docs/plan: denied, then allowed',
  ],
  [
    'allows requests whose `subject` is `22222222-2222-4222-8222-222222222222`',
    'allows requests whose `subject` is `22222222-2222-4222-8222-222222222222` (agent)',
  ],
])('the sentence `%s` names accounts behind their ids', (sentence, named) => {
  covers('AUTHZ-C.10');
  expect(withAccountNames(sentence, NAMES)).toBe(named);
});

it.each([
  'x read svc://11111111-1111-4111-8111-111111111111/docs/plan: denied',
  'x read users/22222222-2222-4222-8222-222222222222: denied',
  '55555555-5555-4555-8555-555555555555 read docs/plan: denied',
  'allows requests whose `subject` matches `^22222222-2222-4222-8222-222222222222$`',
  'allows requests whose `subject` matches `(22222222-2222-4222-8222-222222222222|bob)`',
  'allows requests whose `subject` matches `22222222-2222-4222-8222-222222222222*`',
])('the sentence `%s` stays as it is', (sentence) => {
  covers('AUTHZ-C.10', 'AUTHZ-CLI.38');
  expect(withAccountNames(sentence, NAMES)).toBe(sentence);
});
