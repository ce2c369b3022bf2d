import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { suiteDatabase } from '@platform/database/migrated';
import { SEED } from '@platform/testing/seed';
import { covers } from '@platform/testing/covers';
import { soak } from '@platform/testing/soak';
import { prepareContents, wordsAskedFor } from '../rules/contents.ts';
import { createEtag } from '../rules/etag.ts';
import { createFileId } from '../rules/file-id.ts';
import { fold } from '../rules/text.ts';
import { LIST_ALL } from '../store/list-all.fixture.ts';
import type { DocumentStore, ListQuery } from '../store/document-store.ts';
import { createPrisma } from '../store/prisma.ts';
import { createSqlDocumentStore } from '../store/sql-document-store.ts';
import { MIGRATIONS } from '../test-service.fixture.ts';
import { createComputePool } from './compute-pool.ts';
import { FILENAME_MATCHES, type FilenameMatch } from './query.ts';

fc.configureGlobal({ seed: SEED });

const RUNS = { numRuns: soak(60, 20) };

const database = suiteDatabase('Postgres', MIGRATIONS);
let store: DocumentStore;
beforeAll(() => {
  store = createSqlDocumentStore(database, createPrisma(database), { versionsKept: 5 });
});

/** Few characters, among them every one that LIKE, globs and regular expressions read as more than itself. */
const text = (maxLength: number) =>
  fc.string({
    maxLength,
    unit: fc.constantFrom(...'aAbBsSßſKkéÉıIİiσςΣ%_\\*?[]-!/^$.()|{}+ \t', '\u0301', '👍', 'ﬁ', '日'),
  });
const filename = text(8).filter(
  (name) =>
    name !== '' && !name.includes('\t') && !name.split('/').some((segment) => /^\.\.?$/.test(segment)),
);

async function storeAll(documents: readonly { filename: string; contents: string }[]): Promise<string> {
  const owner = randomUUID();
  const now = new Date();
  for (const { filename: name, contents } of documents) {
    const prepared = await prepareContents(contents);
    const document = {
      id: createFileId(now),
      etag: createEtag(),
      filename: name,
      metadata: {},
      contents: prepared,
      now,
    };
    await store.create(owner, document, { documentsMax: 1000, bytesMax: 1e9 });
  }
  return owner;
}
const found = async (owner: string, query: Partial<ListQuery>) =>
  (await store.list(owner, { ...LIST_ALL, limit: 200, ...query }))
    .map((document) => document.filename)
    .sort();

const documentsOf = fc.uniqueArray(fc.record({ filename, contents: text(20) }), {
  selector: (document) => document.filename,
  minLength: 1,
  maxLength: 8,
});

describe('search equals the plain reading of its definition', () => {
  it('substring, with and without case', async () => {
    covers('DOC-D.12');
    await fc.assert(
      fc.asyncProperty(documentsOf, text(3), fc.boolean(), async (documents, needle, isCaseSensitive) => {
        fc.pre(needle !== '');
        const owner = await storeAll(documents);
        const expected = documents.filter(({ contents }) =>
          isCaseSensitive ? contents.includes(needle) : fold(contents).includes(fold(needle)),
        );
        expect(await found(owner, { search: { mode: 'substring', text: needle, isCaseSensitive } })).toEqual(
          expected.map((document) => document.filename).sort(),
        );
      }),
      RUNS,
    );
  });

  it('words', async () => {
    // The alphabet has one character of a script without spaces: its runs are characters and pairs of it.
    const wordSet = (value: string) =>
      new Set(
        (fold(value).match(/日+|(?:(?!日)[\p{L}\p{N}\p{M}_])+/gu) ?? []).flatMap((word) =>
          word.startsWith('日日') ? ['日', '日日'] : [word],
        ),
      );
    await fc.assert(
      fc.asyncProperty(documentsOf, text(6), async (documents, asked) => {
        const wanted = wordSet(asked);
        fc.pre(wanted.size > 0);
        const owner = await storeAll(documents);
        const expected = documents.filter(({ contents }) =>
          [...wanted].every((word) => wordSet(contents).has(word)),
        );
        expect(await found(owner, { search: { mode: 'words', words: await wordsAskedFor(asked) } })).toEqual(
          expected.map((document) => document.filename).sort(),
        );
      }),
      RUNS,
    );
  });

  it.each(FILENAME_MATCHES)('filename by %s, with and without case', async (match) => {
    covers('DOC-D.13');
    await fc.assert(
      fc.asyncProperty(documentsOf, filename, fc.boolean(), async (documents, sought, isCaseSensitive) => {
        const owner = await storeAll(documents);
        if (match === 'glob' && alternativesOf([...sought]) === null) {
          const refused = found(owner, { filename: { match, text: sought, isCaseSensitive } });
          return expect(refused).rejects.toMatchObject({ kind: 'invalid_argument' });
        }
        // Which `**/` begins a segment depends on the alternative that it stands in.
        fc.pre(match !== 'glob' || !(sought.includes('{') && sought.includes('**')));
        const expected = documents
          .map((document) => document.filename)
          .filter((name) => matchesFilename(match, sought, name, isCaseSensitive));
        expect(await found(owner, { filename: { match, text: sought, isCaseSensitive } })).toEqual(
          expected.sort(),
        );
      }),
      RUNS,
    );
  });

  it('a regular expression’s sure literals are in every text it matches, so narrowing by them loses nothing', async () => {
    const compute = createComputePool({ taskTimeoutMs: 5_000, waitingMax: 8 });
    const piece = fc.constantFrom(
      'ab',
      '(ab|cd)',
      'a+',
      '[ab]c',
      'x?',
      '(?i)K',
      'é',
      '(abc){2}',
      '\\.',
      'S',
      '.*',
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(piece, { minLength: 1, maxLength: 4 }),
        fc.array(fc.constantFrom('ab', 'cd', 'a', 'c', 'x', 'K', 'k', 'é', 'abcabc', '.', 'S', 'ſ'), {
          maxLength: 8,
        }),
        async (pieces, parts) => {
          const [pattern, haystack] = [pieces.join(''), parts.join('')];
          const [matches] = await compute.match('owner', pattern, [haystack]);
          if (!matches) return;
          for (const literal of await compute.literals('owner', pattern))
            expect(fold(haystack)).toContain(fold(literal));
        },
      ),
      { numRuns: soak(200, 40) },
    );
    await compute.close();
  });
});

describe('a class of a glob without regard to case', () => {
  it.each([
    ['[Z-a]', ['z', 'Z', 'a', 'A', '[', '_', '^'], ['b', 'y', 'Y', '@']],
    ['[A-z]', ['a', 'M', '[', '_', '`'], ['{', '@', 'é']],
    ['[À-Þ]', ['é', 'É'], ['e', 'ÿ']],
    ['[!Z-a]', ['b', 'Y'], ['z', 'Z', 'a', 'A', '[']],
    ['[^A-C\\]]', ['d', 'D'], ['a', 'B', ']']],
    ['[\u{10400}]', ['\u{10400}', '\u{10428}'], ['\u{10401}']],
  ])('%s', async (glob, inside, outside) => {
    const owner = await storeAll([...inside, ...outside].map((name) => ({ filename: name, contents: '' })));
    const filter = { match: 'glob', text: glob, isCaseSensitive: false } as const;
    expect(await found(owner, { filename: filter })).toEqual([...inside].sort());
  });
});

/** The definition, read as plainly as can be; a glob by trying every way to cut the name. */
function matchesFilename(
  match: FilenameMatch,
  sought: string,
  name: string,
  isCaseSensitive: boolean,
): boolean {
  const [a, b] = isCaseSensitive ? [name, sought] : [fold(name), fold(sought)];
  switch (match) {
    case 'exact':
      return a === b;
    case 'prefix':
      return a.startsWith(b);
    case 'suffix':
      return a.endsWith(b);
    case 'substring':
      return a.includes(b);
    case 'glob':
      return alternativesOf([...sought])!.some((glob) =>
        globMatches(glob, [...a], isCaseSensitive ? (point) => point : fold),
      );
  }
}

/** The globs without braces that one with braces stands for; null when something in it is not closed. */
function alternativesOf(glob: readonly string[]): string[][] | null {
  /** Alternatives of the part from `at` up to what closes it, and where that is. */
  const read = (start: number, isNested: boolean): { globs: string[][]; end: number } | null => {
    const globs: string[][] = [];
    let current: string[][] = [[]];
    let at = start;
    const append = (points: readonly string[]) => (current = current.map((each) => [...each, ...points]));
    for (; at < glob.length; at++) {
      const point = glob[at]!;
      if (point === '\\') {
        if (at + 1 >= glob.length) return null;
        append([point, glob[++at]!]);
      } else if (point === '[') {
        const group = readGroup(glob.slice(at), (same) => same);
        if (group === null) return null;
        append(glob.slice(at, at + group.length));
        at += group.length - 1;
      } else if (point === '{') {
        const inner = read(at + 1, true);
        if (inner === null) return null;
        current = current.flatMap((each) => inner.globs.map((one) => [...each, ...one]));
        at = inner.end;
      } else if (isNested && point === ',') {
        globs.push(...current);
        current = [[]];
      } else if (isNested && point === '}') return { globs: [...globs, ...current], end: at };
      else append([point]);
    }
    return isNested ? null : { globs: current, end: at };
  };
  return read(0, false)?.globs ?? null;
}

function globMatches(
  glob: readonly string[],
  name: readonly string[],
  foldPoint: (point: string) => string,
  isAtStart = true,
): boolean {
  const [first, ...rest] = glob;
  if (first === undefined) return name.length === 0;
  if (first === '*') {
    const stars = glob.findIndex((point) => point !== '*');
    const count = stars === -1 ? glob.length : stars;
    const after = glob.slice(count);
    const mayBeNoFolder = count > 1 && isAtStart && after[0] === '/';
    if (mayBeNoFolder && globMatches(after.slice(1), name, foldPoint)) return true;
    for (let length = 0; length <= name.length; length++) {
      if (count === 1 && name.slice(0, length).includes('/')) return false;
      if (globMatches(after, name.slice(length), foldPoint, false)) return true;
    }
    return false;
  }
  if (first === '[') {
    const group = readGroup(glob, foldPoint);
    if (group !== null) {
      return (
        name.length > 0 &&
        name[0] !== '/' &&
        group.contains(name[0]!) &&
        globMatches(glob.slice(group.length), name.slice(1), foldPoint, false)
      );
    }
  }
  if (first === '?')
    return name.length > 0 && name[0] !== '/' && globMatches(rest, name.slice(1), foldPoint, false);
  const [literal, after] = first === '\\' && rest.length > 0 ? [rest[0]!, rest.slice(1)] : [first, rest];
  const folded = [...foldPoint(literal)];
  return (
    folded.every((point, index) => name[index] === point) &&
    globMatches(after, name.slice(folded.length), foldPoint, literal === '/')
  );
}

function readGroup(
  glob: readonly string[],
  foldPoint: (point: string) => string,
): { length: number; contains(point: string): boolean } | null {
  let at = 1;
  const isNegated = glob[at] === '!' || glob[at] === '^';
  if (isNegated) at++;
  const ranges: [number, number][] = [];
  const start = at;
  const take = () => {
    if (glob[at] === '\\' && at + 1 < glob.length) at++;
    return glob[at++]!.codePointAt(0)!;
  };
  for (;;) {
    if (at >= glob.length) return null;
    if (glob[at] === ']' && at > start) break;
    const low = take();
    if (glob[at] === '-' && at + 1 < glob.length && glob[at + 1] !== ']') {
      at++;
      ranges.push([low, take()]);
    } else ranges.push([low, low]);
  }
  return {
    length: at + 1,
    contains: (point) =>
      ranges.some(([low, high]) => {
        for (let one = low; one <= high; one++) {
          if ([...foldPoint(String.fromCodePoint(one))].includes(point)) return true;
        }
        return false;
      }) !== isNegated,
  };
}
