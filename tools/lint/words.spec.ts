import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { globSync } from 'tinyglobby';
import { wordsAgainst } from './words.ts';

const ROOT = join(import.meta.dirname, '../..');

/** Words quoted as what not to write, and the words of a person in an example. */
const EXCEPTIONS = [
  'docs/writing.md',
  'tools/lint/words.ts',
  'tools/lint/words.spec.ts',
  'libs/workbench/src/csv/csv-import.tsx',
  'apps/investigation-api/e2e/workbench-import.e2e.spec.ts',
];

const UNREAD = ['**/{node_modules,dist,generated,gen,.nx,.data}/**'];

describe('words that must not come back', () => {
  it('no comment, title, text or page holds a word of the list', () => {
    const files = globSync(['**/*.{ts,tsx,mjs,md,yaml,yml,proto,css}'], {
      cwd: ROOT,
      ignore: [...UNREAD, ...EXCEPTIONS],
    });
    expect(files.length).toBeGreaterThan(400);
    const found = files.flatMap((file) =>
      readFileSync(join(ROOT, file), 'utf8')
        .split('\n')
        .flatMap((line, at) => wordsAgainst(line).map((word) => `${file}:${at + 1}: ${word}`)),
    );
    expect(found).toEqual([]);
  });

  it('a doc comment has more than two words, for one or two are not a sentence', () => {
    const files = globSync(['**/*.{ts,tsx,mjs}'], { cwd: ROOT, ignore: UNREAD });
    const found = files.flatMap((file) =>
      [...readFileSync(join(ROOT, file), 'utf8').matchAll(/\/\*\* [A-Z][a-z-]+(?: [a-z-]+)?\. \*\//g)].map(
        ([comment]) => `${file}: ${comment}`,
      ),
    );
    expect(found).toEqual([]);
  });

  it.each([
    ['Who got no answer reads again, if he can.', '`he`: write they, the caller, the client, the user'],
    ['Whoever comes waits.', '`Whoever`: write the caller, anyone who, no matter who'],
    ['refuses while Redis is away', '`is away`: write unavailable'],
    ['a client that went away', '`went away`: write unavailable'],
    ['with Redis away', '`with Redis away`: write unavailable'],
    ['statuses beside those of every call', '`beside those`: write besides, next to'],
    ['left out for want of types', '`for want of`: write for lack of, without'],
    ['a page goes on behind it', '`goes on`: write continues, keeps serving, stays open'],
    ['bytes that are no message', '`that are no m`: write that is not a'],
    ['what the row says of the call', '`says of`: write about'],
    ['a pause is no news', '`is no news`: write what the reader knows already, or nothing'],
    ['An unknown path answers 404.', '`answers 404`: write response; returns, responds to'],
    ['repeated after a lost answer', '`lost answer`: write response; returns, responds to'],
    ['any replica answers any request', '`answers any request`: write response; returns, responds to'],
    ['the licence of a package', '`licence`: write the American spelling'],
    ['a node and its neighbours', '`neighbour`: write the American spelling'],
    ['workers that analyse', '`analyse`: write the American spelling'],
  ])('the word check finds %p', (line, problem) => {
    expect(wordsAgainst(line)).toEqual([problem]);
  });

  it.each([
    'the others',
    'a key that is no longer valid',
    'a shell',
    'right away',
    'this',
    'they write',
    'license',
    'claim_analyses',
    'two analyses',
    'the answer of a verdict',
    'a server that answers 103,997 calls',
  ])('the word check does not find %p', (line) => {
    expect(wordsAgainst(line)).toEqual([]);
  });
});
