import { expect, it } from '@jest/globals';
import { BundleQuery, Decisions } from './bundle-routes.ts';
import { readAs } from './read-json.ts';

it('an unknown parameter is named, and not called a body', () => {
  expect(() => readAs(BundleQuery, { wait: '3', wiat: '9' })).toThrow('`wiat` is not a field here');
  expect(() => readAs(BundleQuery, { wait: 'x' })).toThrow(/^`wait` /);
  expect(readAs(BundleQuery, { wait: '3' })).toEqual({ wait: 3 });
});

it('an unknown field of a reported decision is named and refused, for its value would be in no audit', () => {
  const decision = {
    id: '0199b3c5-4a57-7c7e-9a3d-2f6d8e1c7b90',
    decided_at: '2026-01-01T00:00:00Z',
    context: {},
    allowed: true,
  };
  const bundle = { issued_at: 0, key_id: '', versions: {} };
  const sent = (more: object, one: object, of: object) => ({
    bundle: { ...bundle, ...of },
    decisions: [{ ...decision, ...one }],
    ...more,
  });
  expect(() => readAs(Decisions, sent({}, {}, {}))).not.toThrow();
  expect(() => readAs(Decisions, sent({}, { atributes: {} }, {}))).toThrow(
    '`decisions.0.atributes` is not a field here',
  );
  expect(() => readAs(Decisions, sent({}, {}, { id: 1 }))).toThrow('`bundle.id` is not a field here');
  expect(() => readAs(Decisions, sent({ more: 1 }, {}, {}))).toThrow('`more` is not a field here');
});
