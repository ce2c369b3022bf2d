import { describe, expect, it } from '@jest/globals';
import type { InvestigationInput } from '@platform/opinion-fusion';
import { investigations } from '@platform/opinion-fusion/fixtures';
import { covers } from '@platform/testing/covers';
import { SEED } from '@platform/testing/seed';
import { soak } from '@platform/testing/soak';
import { workbook } from '@platform/testing/workbook';
import { rankedClaimsCsv } from '@platform/viewer';
import { guessMapping, importClaims, readSheet } from '@platform/workbench/claims';
import fc from 'fast-check';
import Papa from 'papaparse';
import { judge } from './judged.fixture.ts';
import { readWorkbook } from './read-workbook.ts';

fc.configureGlobal({ seed: SEED });

type Item = { readonly id: string } & Readonly<Record<string, unknown>>;
type Lists = Readonly<Record<'actors' | 'subjects' | 'claims', readonly Item[]>>;
const NOTHING: Lists = { actors: [], subjects: [], claims: [] };

/** Fields of a claim that a table holds, but for its source and subject, which may get other ids. */
const FIELDS = [
  ['id', 'predicate', 'value', 'content', 'valence', 'claim_type', 'scope', 'target_claim_id', 'source'],
  ['supersedes_claim_id', 'decay_half_life_days'],
].flat();
/** A month is the first instant of it. */
const TIMES = ['assertion_time', 'event_start_time', 'event_end_time'];
/** Texts that spreadsheets would run, or that look like one that was kept from it. */
const WORDS = ['-5', '+1', "'-5", "''=1", '=A1', '@a', "'", 'red', 'b "c", d', '\uff1d1', '\t=2', ' \n-3 '];

const READERS: Readonly<Record<string, (csv: string, present: Lists) => Lists>> = {
  CSV: (csv, present) => {
    const sheet = readSheet(csv);
    return importClaims(sheet, guessMapping(sheet.columns), present, {
      createMissing: true,
      sourceTypes: {},
      subjectType: 'topic',
      dateOrders: {},
    });
  },
  XLSX: (csv, present) => {
    const rows = Papa.parse<string[]>(csv, { skipEmptyLines: true }).data;
    const bytes = workbook({ Claims: rows }, { bookSST: true });
    return readWorkbook(bytes, present).payload as unknown as Lists;
  },
};

/** What the claims say, with the names of their sources and subjects, by id. */
function saidIn({ claims }: Lists, { actors, subjects }: Omit<Lists, 'claims'>) {
  const nameOf = (items: readonly Item[], id: unknown) => items.find((item) => item.id === id)?.['name'];
  return Object.fromEntries(
    claims.map((claim) => [
      claim.id,
      {
        source: nameOf(actors, claim['actor_id']),
        subject: nameOf(subjects, claim['subject_id']),
        ...Object.fromEntries(FIELDS.map((field) => [field, claim[field] || undefined])),
        ...Object.fromEntries(TIMES.map((field) => [field, Date.parse(String(claim[field]))])),
      },
    ]),
  );
}

/** `there` with what was read, which replaces items of the same id. */
const merged = (there: Lists, read: Lists): Lists => {
  const list = (kind: keyof Lists) => [
    ...new Map([...there[kind], ...read[kind]].map((item) => [item.id, item])).values(),
  ];
  return { actors: list('actors'), subjects: list('subjects'), claims: list('claims') };
};

/** An investigation whose names and texts are any of the words. */
const worded = fc
  .tuple(investigations(), fc.array(fc.constantFrom(...WORDS), { minLength: 7, maxLength: 7 }))
  .map(([input, words]): InvestigationInput => {
    const word = (index: number) => words[index % words.length]!;
    const named = <T extends { id: string }>(item: T) => ({ ...item, name: `${word(0).trim()} ${item.id}` });
    return {
      ...input,
      actors: input.actors.map(named),
      subjects: input.subjects.map(named),
      claims: input.claims.map((claim, index) => ({
        ...claim,
        value: word(index).trim(),
        content: word(index + 1).trim(),
        ...(claim.scope && { scope: word(index + 2).trim() }),
        source: {
          document: 'file_1',
          selector: { exact: `${word(index + 3)}x`, prefix: `${word(index + 4)}y` },
        },
      })),
    };
  });

describe('the table of ranked claims', () => {
  it.each(Object.entries(READERS))(
    'claims come back from a %s of the ranked claims as they were, with their sources, and twice change nothing',
    (_, read) => {
      covers('INV-IMPORT.51');
      fc.assert(
        fc.property(worded, (input) => {
          const csv = rankedClaimsCsv(judge(input));
          fc.pre(csv.split('\r\n').length > 2);
          const given = input as unknown as Lists;
          const said = saidIn(given, given);
          // In an empty session, in that session again, and where the sources are there under other ids.
          const first = merged(NOTHING, read(csv, NOTHING));
          const again = merged(first, read(csv, first));
          const sources = given.actors.map(({ id, name }) => ({
            id: `other-${id}`,
            name,
            source_type: 'Expert',
          }));
          const beside = merged({ ...NOTHING, actors: sources }, read(csv, { ...NOTHING, actors: sources }));
          for (const lists of [first, again, beside])
            expect({ ...said, ...saidIn(lists, lists) }).toEqual(said);
          const { data } = Papa.parse<Record<string, string>>(csv, { header: true, skipEmptyLines: true });
          const ids = data.flatMap((row) => (row['target_claim_id'] ? [] : [row['claim_id']]));
          expect(first.claims.map(({ id }) => id)).toEqual(expect.arrayContaining(ids));
          expect(again).toEqual(first);
          expect(beside.actors).toHaveLength(sources.length);
        }),
        { numRuns: soak(300, 60) },
      );
    },
  );

  it.each(Object.entries(READERS))(
    'a claim that another one of a %s supersedes comes back without that as its own status, and a retracted one with it',
    (_, read) => {
      covers('INV-IMPORT.51');
      const claim = (id: string, more: object = {}) => ({
        id,
        actor_id: 'a',
        subject_id: 's',
        predicate: 'p',
        value: id,
        content: id,
        ...more,
      });
      const input: InvestigationInput = {
        research_question: 'q',
        actors: [{ id: 'a', name: 'Ann', source_type: 'Expert' }],
        subjects: [{ id: 's', name: 'Dam', subject_type: 'structure' }],
        claims: [
          claim('old'),
          claim('new', { supersedes_claim_id: 'old' }),
          claim('gone', { epistemic_status: 'retracted' }),
          claim('outdated', { epistemic_status: 'superseded' }),
        ],
      };
      const { claims } = read(rankedClaimsCsv(judge(input)), NOTHING);
      expect(Object.fromEntries(claims.map((one) => [one.id, one['epistemic_status']]))).toEqual({
        old: undefined,
        new: undefined,
        gone: 'retracted',
        outdated: 'superseded',
      });
    },
  );
});
