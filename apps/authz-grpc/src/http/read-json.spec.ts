import { expect, it } from '@jest/globals';
import { BundleQuery } from './bundle-routes.ts';
import { readAs } from './read-json.ts';

it('an unknown parameter is named, and not called a body', () => {
  expect(() => readAs(BundleQuery, { wait: '3', wiat: '9' })).toThrow('`wiat` is not a field here');
  expect(() => readAs(BundleQuery, { wait: 'x' })).toThrow(/^`wait` /);
  expect(readAs(BundleQuery, { wait: '3' })).toEqual({ wait: 3 });
});
