import { readFileSync } from 'node:fs';
import { runInNewContext } from 'node:vm';
import { expect, it } from '@jest/globals';
import { covers } from '@platform/testing/covers';
import { filterPredicate, filterPrisma, filterSql } from './index.ts';

it('the lines of the page about plans return what the page shows', () => {
  covers('AUTHZ-V.9');
  const page = readFileSync(new URL('../docs/plans.md', import.meta.url), 'utf8');
  const [, lines = '', shown = ''] = /```js\n([^`]*)```\n\nreturns\n\n```json\n(.*?)```/s.exec(page) ?? [];
  const returned: unknown = runInNewContext(`(() => {${lines}})()`, {
    filterPredicate,
    filterPrisma,
    filterSql,
  });
  expect(JSON.parse(JSON.stringify(returned))).toEqual(JSON.parse(shown));
});
