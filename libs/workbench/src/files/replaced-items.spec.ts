import { describe, expect, it } from '@jest/globals';
import { OBJECTS, type Field } from '@platform/opinion-fusion';
import { covers } from '@platform/testing/covers';
import { SEED } from '@platform/testing/seed';
import fc from 'fast-check';
import { KINDS } from '../edit/kinds.ts';
import { putBack } from './namesakes.ts';
import type { ItemLists } from './item-lists.ts';
import { replacedItems, replacedWords } from './replaced-items.ts';

fc.configureGlobal({ seed: SEED });

/** What a file of which all is added replaces. */
const replacedBy = (file: ItemLists, there: ItemLists) => replacedItems(file, file, there);

const quay = { actor_id: 'a', subject_id: 'quay', predicate: 'safe' };
const dam = { actor_id: 'b', subject_id: 'dam', predicate: 'height' };
const THERE = {
  actors: [{ id: 'a', name: 'Harbor office' }],
  subjects: [{ id: 'quay', name: 'Quay' }],
  claims: [
    { ...quay, id: '1', value: 'yes', content: 'The quay is safe.' },
    { ...quay, id: '2', value: 'no', content: 'The quay is unsafe.' },
  ],
  evidence: [{ id: 'e1', claim_id: '1', content: 'Inspection report', valence: 'Supports' }],
};
const FILE = {
  actors: [{ id: 'b', name: 'Water board' }],
  subjects: [{ id: 'dam', name: 'Dam' }],
  claims: [
    { ...dam, id: '1', value: '12 m', content: 'The dam is 12 m high.' },
    { ...dam, id: '2', value: '14 m', content: 'The dam is 14 m high.' },
  ],
};

describe('items of a file that take the place of those with their ids', () => {
  it('claims of another source, subject or property are named with what they replace and what refers to them', () => {
    covers('INV-IMPORT.27');
    const replaced = replacedBy(FILE, THERE);
    expect(replaced.others.map(({ before, after }) => [before.id, after['content']])).toEqual([
      ['1', 'The dam is 12 m high.'],
      ['2', 'The dam is 14 m high.'],
    ]);
    expect(replaced.referring).toEqual([THERE.evidence[0]]);
    expect(replaced.lost).toEqual([]);
    expect(replacedWords(replaced)).toEqual([
      '2 claims of the file take the place of others with the same id: "The quay is safe." becomes "The dam is 12 m high.", "The quay is unsafe." becomes "The dam is 14 m high.". Give them other ids in the file to keep both. What refers to the others stays, and is then about those of the file: "Inspection report".',
    ]);
  });

  it('items of a file that say nothing new about those with their ids are not named', () => {
    covers('INV-IMPORT.27', 'INV-IMPORT.28');
    expect(replacedWords(replacedBy(THERE, THERE))).toEqual([]);
    expect(replacedWords(replacedBy(FILE, {}))).toEqual([]);
  });

  it.each([
    ['source', 'claims', { actor_id: 'b' }],
    ['subject', 'claims', { subject_id: 'dam' }],
    ['property', 'claims', { predicate: 'height' }],
    ['target', 'claims', { subject_id: undefined, target_claim_id: '2' }],
    ['claim', 'evidence', { claim_id: '2' }],
    ['name', 'actors', { name: 'Water board' }],
    ['name', 'subjects', { name: 'Dam' }],
  ] as const)('an item with another %s of %s is another one', (_, kind, change) => {
    covers('INV-IMPORT.27');
    const before = THERE[kind][0]!;
    const { others } = replacedBy({ [kind]: [{ ...before, ...change }] }, THERE);
    expect(others).toEqual([{ kind, before, after: { ...before, ...change } }]);
  });

  it('an inference or distinction about other claims is another one', () => {
    covers('INV-IMPORT.27');
    const there = {
      inferences: [{ id: 'i', predicate: 'open', premise_claim_ids: ['1'] }],
      distinctions: [{ id: 'd', argument_a: '1', argument_b: '2', feature: 'year' }],
    };
    const file = {
      inferences: [{ ...there.inferences[0]!, premise_claim_ids: ['2'] }],
      distinctions: [{ ...there.distinctions[0]!, argument_a: '3' }],
    };
    expect(replacedBy(file, there).others.map(({ kind }) => kind)).toEqual(['inferences', 'distinctions']);
  });

  it('claims about sources and subjects that are others now are others, unless they say the same words', () => {
    covers('INV-IMPORT.27');
    const actors = [{ id: 'a', name: 'Water board' }];
    const [claim] = THERE.claims;
    const other = { ...claim!, content: 'The dam is safe.' };
    const kinds = (claims: (typeof claim)[]) =>
      replacedBy({ actors, claims: claims.map((one) => one!) }, THERE).others.map(({ kind }) => kind);
    expect(kinds([other])).toEqual(['actors', 'claims']);
    expect(kinds([claim])).toEqual(['actors']);
    // What refers to a source that is another one now is named, unless the file gives it anew.
    const { referring } = replacedBy({ actors, claims: [claim!] }, THERE);
    expect(referring.map(({ id }) => id)).toEqual(['2']);
    expect(replacedItems({ actors, claims: THERE.claims }, { actors }, THERE).referring).toEqual([]);
  });

  it('every field that a replaced item has and the file does not state is named, in whatever list and depth', () => {
    covers('INV-IMPORT.28');
    const fields = fc.subarray(['url', 'quote', 'archived_url', 'published_by'], { minLength: 1 });
    fc.assert(
      fc.property(fields, fc.constantFrom('claims', 'evidence'), (lost, kind) => {
        const item = THERE[kind][0]!;
        const before = { ...item, ...Object.fromEntries(lost.map((field) => [field, 'x'])) };
        const there = { ...THERE, [kind]: [before] };
        expect(replacedBy({ [kind]: [item] }, there).lost).toEqual([{ item: before, fields: lost }]);
      }),
    );
    const selector = { exact: 'safe', start: 4, end: 8 };
    const pinned = { ...THERE.claims[0]!, source: { document: 'f', selector }, scope: '', sources: [] };
    const claims = [{ ...THERE.claims[0]!, source: { document: 'f', selector: { exact: 'safe' } } }];
    const replaced = replacedBy({ claims }, { claims: [pinned] });
    expect(replaced.lost).toEqual([
      { item: pinned, fields: ['source.selector.start', 'source.selector.end'] },
    ]);
    expect(replacedWords(replaced)).toEqual([
      '1 item with the same id loses what the file does not state: "The quay is safe." its source.selector.start, source.selector.end.',
    ]);
  });

  it('a claim that the file turns round is named with both values and with what refers to it', () => {
    covers('INV-IMPORT.41', 'INV-IMPORT.42');
    const inference = { id: 'i', subject_id: 'quay', predicate: 'open', premise_claim_ids: ['2', '1'] };
    const there = { ...THERE, inferences: [inference] };
    const denied = { ...THERE.claims[0]!, value: 'no', valence: 'Refutes' };
    expect(replacedWords(replacedBy({ claims: [denied] }, there))).toEqual([
      'The file changes 1 item with the same id: "The quay is safe.": value from "yes" to "no", valence from "Neutral" to "Refutes". Leave it out of the file to keep it as it is. What refers to it stays, and is then about what the file says: "Inspection report", "i".',
    ]);
    const scoped = { claims: [{ ...THERE.claims[0]!, scope: 'at low water' }], evidence: THERE.evidence };
    expect(replacedWords(replacedBy({ claims: [THERE.claims[0]!] }, scoped))).toEqual([
      expect.stringMatching(/: scope from "at low water" to unset\..*: "Inspection report"\.$/),
    ]);
    // What the file gives anew is about the claim of the file.
    const file = { claims: [denied], evidence: THERE.evidence, inferences: [inference] };
    expect(replacedWords(replacedBy(file, there))[0]).not.toContain('refers');
  });

  it('a claim that the file revives or withdraws says whether it counts, also where the file states no status', () => {
    covers('INV-IMPORT.41');
    const claim = THERE.claims[1]!;
    const retracted = { ...claim, epistemic_status: 'retracted' };
    const words = (before: object, after: object) =>
      replacedWords(replacedBy({ claims: [{ ...claim, ...after }] }, { claims: [{ ...claim, ...before }] }));
    const revived =
      'The file changes 1 item with the same id: "The quay is unsafe.": epistemic_status from "retracted" to "hypothesis", so that it counts again. Leave it out of the file to keep it as it is.';
    expect(words(retracted, {})).toEqual([revived]);
    expect(words(retracted, { epistemic_status: 'Hypothesis' })).toEqual([
      revived.replace('"hypothesis"', '"Hypothesis"'),
    ]);
    expect(words({}, retracted)).toEqual([
      expect.stringContaining('to "retracted", so that it counts no longer.'),
    ]);
    expect(words({ epistemic_status: 'hypothesis', valence: 'Neutral' }, {})).toEqual([]);
    const [spelled, date] = [{ epistemic_status: 'RETRACTED' }, { assertion_time: '2024-05-06' }];
    expect(words({ ...retracted, ...date }, { ...spelled, assertion_time: '2024-05-06T00:00:00Z' })).toEqual(
      [],
    );
  });

  const [OLD_WORDS, NEW_WORDS] = ['the old words', 'the new words'];
  const samples: { readonly [K in Field['kind']]: (field: Field) => readonly [unknown, unknown] } = {
    text: () => [OLD_WORDS, NEW_WORDS],
    id: () => [OLD_WORDS, NEW_WORDS],
    word: ({ values, default: otherwise }) =>
      values!.filter((word) => word !== otherwise).slice(0, 2) as [string, string],
    timestamp: () => ['2024-05-06', '2025-05-06'],
    moment: () => ['2024', '2025'],
    url: () => ['https://example.org/1', 'https://example.org/2'],
    number: () => [0.2, 0.6],
    count: () => [2, 6],
    digest: () => ['a'.repeat(64), 'b'.repeat(64)],
    flag: () => [true, false],
    texts: () => [[OLD_WORDS], [NEW_WORDS]],
    numbers: () => [{ height: 0.2 }, { height: 0.6 }],
    list: ({ of }) => [[0, 1].map((at) => sampleOf(of!, at)), [sampleOf(of!, 1)]],
    object: ({ of }) => [sampleOf(of!, 0), sampleOf(of!, 1)],
  };
  const sampleOf = (object: keyof typeof OBJECTS, at: number): object =>
    Object.fromEntries(
      Object.entries(OBJECTS[object]).map(([name, field]) => [name, samples[field.kind](field)[at]]),
    );
  const FIELDS = KINDS.flatMap(({ kind, object }) =>
    Object.entries(OBJECTS[object])
      .filter(([name]) => name !== 'id')
      .map(([name, field]) => [kind, name, field] as const),
  );
  it.each(FIELDS)(
    'an item of %s whose %s the file changes, states first or drops is named',
    (kind, name, field) => {
      covers('INV-IMPORT.28', 'INV-IMPORT.41');
      const [was, is] = samples[field.kind](field);
      const item = { id: 'x', name: 'Lock', content: 'Lock', feature: 'Lock' };
      const words = (before: object, after: object) =>
        replacedWords(
          replacedBy({ [kind]: [{ ...item, ...after }] }, { [kind]: [{ ...item, ...before }] }),
        ).join('\n');
      const without = { [name]: undefined };
      expect(words({ [name]: was }, { [name]: was })).toBe('');
      for (const [before, after] of [
        [{ [name]: was }, { [name]: is }],
        [{ [name]: was }, without],
        [without, { [name]: is }],
      ] as const) {
        const isForReaders = ['url', 'archived_url', 'quote', 'published_by', 'source'].includes(name);
        const isGain = before === without && (isForReaders || name === 'reliability_record');
        if (isGain) expect(words(before, after)).toBe('');
        else expect(words(before, after)).toMatch(/ same ids?[: ]/);
      }
    },
  );

  it('a change within an object of an item is named by its path', () => {
    covers('INV-IMPORT.41');
    const source = { document: 'f', version: 1 };
    const changed = (before: object, after: object) =>
      replacedBy(
        { actors: [{ id: 'a', name: 'A', ...after }] },
        { actors: [{ id: 'a', name: 'a', ...before }] },
      ).changed.flatMap(({ changes }) => changes.map(({ field }) => field));
    const competence = { height: 0.2 };
    expect(changed({ competence }, { competence: { height: 0.6, width: 0.1 } })).toEqual([
      'competence.height',
      'competence.width',
    ]);
    expect(changed({ competence: { a: 1, b: 0.5 } }, { competence: { b: 0.5, a: 1 } })).toEqual([]);
    expect(changed({ source }, { source: { ...source, version: 2, sha256: 'x' } })).toEqual([
      'source.version',
    ]);
  });

  it('an item in the place of another one with the same words names the fields in which they differ', () => {
    covers('INV-IMPORT.27', 'INV-IMPORT.41');
    const claims = [{ ...THERE.claims[0]!, actor_id: 'b', valence: 'Refutes' }];
    expect(replacedWords(replacedBy({ claims }, THERE))).toEqual([
      expect.stringContaining(
        'same id: "The quay is safe.", its valence from "Neutral" to "Refutes", actor_id from "a" to "b". Give',
      ),
    ]);
  });

  it('an item that changes in many fields names those of its statement first and counts the others', () => {
    covers('INV-IMPORT.41');
    const fields = ['claim_type', 'scope', 'predicate2', 'a', 'b', 'c', 'd', 'value'];
    const claim = (say: string) => ({
      ...quay,
      id: '1',
      ...Object.fromEntries(fields.map((field) => [field, say])),
    });
    const [words] = replacedWords(replacedBy({ claims: [claim('x')] }, { claims: [claim('y')] }));
    expect(words).toMatch(
      /"1": scope from "y" to "x", value from "y" to "x", claim_type .* and 3 more\. Leave/,
    );
  });

  it('changes that turn a claim round stand before others', () => {
    covers('INV-IMPORT.41');
    const ids = Array.from({ length: 9 }, (_, index) => String(index));
    const claims = ids.map((id) => ({ ...quay, id, value: 'yes', url: 'https://a.org', content: `x${id}` }));
    const file = claims.map((claim) =>
      claim.id === '8' ? { ...claim, value: 'no' } : { ...claim, url: 'https://b.org' },
    );
    const [words] = replacedWords(replacedBy({ claims: file }, { claims }));
    expect(words).toMatch(
      /^The file changes 9 items with the same ids: "x8": value from "yes" to "no"; "x0": /,
    );
    expect(words).toContain(' and 4 more. Leave them out of the file to keep them as they are.');
  });

  it('a warning of many items names the first ones and counts the others', () => {
    covers('INV-IMPORT.27');
    const ids = Array.from({ length: 9 }, (_, index) => String(index));
    const file = { claims: ids.map((id) => ({ ...dam, id, content: `x${id}` })) };
    const there = { claims: ids.map((id) => ({ ...quay, id, content: `y${id}` })) };
    expect(replacedWords(replacedBy(file, there))).toEqual([
      expect.stringMatching(/^9 claims .*"y4" becomes "x4" and 4 more\. Give/),
    ]);
  });

  it('a file none of whose items was there before puts nothing back, whatever its ids are', () => {
    covers('INV-IMPORT.29');
    const added = { ...FILE, claims: [...FILE.claims, { ...dam, id: '3' }] };
    expect(putBack(added, THERE, added)).toEqual([]);
    const again = { claims: [THERE.claims[0]!, FILE.claims[1]!, { ...quay, id: '3' }] };
    expect(putBack(again, THERE, again)).toEqual([{ ...quay, id: '3' }]);
  });
});
