import { expect, it } from '@jest/globals';
import type { Filter } from '@platform/authz-client';
import { covers } from '@platform/testing/covers';
import { wordsOfFilter } from './filter-words.ts';

it.each<[string, Filter]>([
  ['always', { kind: 'constant', value: true }],
  ['never', { kind: 'constant', value: false }],
  [
    'owner is "bob\\" and team is \\"red"',
    { kind: 'match', test: 'equals', key: 'owner', parts: ['bob" and team is "red'] },
  ],
  ['team is "\\u0024{owner}"', { kind: 'match', test: 'equals', key: 'team', parts: ['${owner}'] }],
  [
    'object begins with "svc://d/docs/"',
    { kind: 'match', test: 'starts_with', key: 'object', parts: ['svc://d/docs/'] },
  ],
  [
    'resource.team is like "${owner}-*"',
    { kind: 'match', test: 'glob', key: 'resource.team', parts: [{ attribute: 'owner' }, '-*'] },
  ],
  [
    'not "bob" is the value of owner',
    {
      kind: 'not',
      of: { kind: 'compared', test: 'equals', text: 'bob', parts: [{ attribute: 'owner' }] },
    },
  ],
  [
    '("bob-2" begins with the value of owner and owner is one text)',
    {
      kind: 'all',
      of: [
        { kind: 'compared', test: 'starts_with', text: 'bob-2', parts: [{ attribute: 'owner' }] },
        { kind: 'single', key: 'owner' },
      ],
    },
  ],
  [
    '("approve-bob" is like "*-${owner}" or "bob" matches "^${owner}$")',
    {
      kind: 'any',
      of: [
        { kind: 'compared', test: 'glob', text: 'approve-bob', parts: ['*-', { attribute: 'owner' }] },
        { kind: 'compared', test: 'regex', text: 'bob', parts: ['^', { attribute: 'owner' }, '$'] },
      ],
    },
  ],
  ['"a\\u{1b}" is ""', { kind: 'compared', test: 'equals', text: 'a\u001B', parts: [] }],
])('the condition of a plan reads: %s', (words, filter) => {
  covers('AUTHZ-V.13');
  expect(wordsOfFilter(filter)).toBe(words);
});
