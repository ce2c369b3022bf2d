import { describe, expect, it } from '@jest/globals';
import {
  analyze,
  answersOf,
  isOtherwise,
  leadingOf,
  leadsOther,
  meets,
  regionOf,
  type ClaimInput,
  type EvidenceInput,
  type InvestigationInput,
  type InvestigationResult,
} from '@platform/opinion-fusion';
import { covers } from '@platform/testing/covers';
import { SEED } from '@platform/testing/seed';
import { soak } from '@platform/testing/soak';
import fc from 'fast-check';
import { h } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { createModel } from '../model.ts';
import { withComparisons } from '../page/with-comparisons.ts';
import { snapshotOf } from '../snapshot.fixture.ts';
import { VerdictReasons } from './verdict-reasons.tsx';

fc.configureGlobal({ seed: SEED });

const NOW = new Date('2026-03-14T09:12:45.000Z');
/** Properties of every kind of words, each with values that contradict one another. */
const PROPERTIES = [
  ['open', 'true', 'false'],
  ['flew_under_power', 'yes', 'no', 'true'],
  ['is_safe', 'true', 'false', 'unknown'],
  ['deaths', '14', '31', '100'],
  ['winner_of', 'Ann', 'Bo', 'Cleo'],
  ['was_built_in', '1960', '1982'],
  ['color', 'red', 'blue', ''],
] as const;

/** Sources of few kinds, so that many investigations are tied, each with one claim. */
const investigations: fc.Arbitrary<InvestigationInput> = fc
  .constantFrom(...PROPERTIES)
  .chain(([predicate, ...values]) =>
    fc
      .array(
        fc.record({
          value: fc.constantFrom(...values),
          source_type: fc.constantFrom('Regulator', 'Regulator', 'Journalist'),
          valence: fc.constantFrom('Supports', 'Supports', 'Supports', 'Refutes'),
        }),
        { minLength: 2, maxLength: 6 },
      )
      .map((said) => ({
        research_question: 'What is it?',
        actors: said.map(({ source_type }, index) => ({ id: `a${index}`, name: `N${index}`, source_type })),
        subjects: [{ id: 's', name: 'North bridge', subject_type: 'structure' }],
        claims: said.map(({ value, valence }, index) => ({
          id: `c${index}`,
          actor_id: `a${index}`,
          subject_id: 's',
          predicate,
          value,
          valence,
          content: `Said ${index}.`,
        })),
      })),
  );

/** Scopes and times of which no two have anything in common. */
const PLACES = [
  { scope: 'Berlin' },
  { scope: 'Hamburg' },
  { event_start_time: '2000', event_end_time: '2010' },
  { event_start_time: '2010' },
] as const;
/** Times of which some overlap others. */
const TIMES = [
  {},
  { event_start_time: '2000', event_end_time: '2010' },
  { event_start_time: '2005', event_end_time: '2015' },
  { event_start_time: '2012', event_end_time: '2015' },
  { event_start_time: '2012' },
] as const;
/** The same with documents for and against claims, and with corrections by their own sources. */
const disputed = fc
  .tuple(
    investigations,
    fc.constantFrom(PLACES, TIMES, [{}]),
    fc.infiniteStream(
      fc.tuple(fc.nat(), fc.constantFrom('', '', '', 'against', 'for', 'twice'), fc.nat({ max: 5 })),
    ),
  )
  .map(([input, places, more]): InvestigationInput => {
    const evidence: EvidenceInput[] = [];
    const corrections: InvestigationInput['claims'] = [];
    const claims = input.claims.map((claim, i) => {
      const [place, documents, correction] = more.next().value as [number, string, number];
      const one = { ...claim, ...places[place % places.length] };
      if (documents !== '')
        evidence.push({ ...against(one.id), ...(documents === 'for' && { valence: 'Supports' }) });
      if (documents === 'twice') evidence.push(against(one.id, 1));
      if (correction === 5 && i > 0)
        corrections.push({
          ...one,
          id: `${one.id}-corrected`,
          value: input.claims[0]!.value,
          supersedes_claim_id: one.id,
        });
      return one;
    });
    return { ...input, claims: [...claims, ...corrections], evidence };
  });
const inPlaces = fc
  .tuple(investigations, fc.infiniteStream(fc.constantFrom(...PLACES)))
  .map(([input, places]) => ({
    ...input,
    claims: input.claims.map((claim) => ({ ...claim, ...(places.next().value as object) })),
  }));

/** `Ann: red (in Berlin)` and the like: who says what, with the type of a source behind its name. */
function saying(
  predicate: string,
  said: readonly (readonly [source: string, value: string, place?: object, more?: object])[],
): InvestigationInput {
  const names = [...new Set(said.map(([source]) => source))];
  return {
    research_question: 'What is it?',
    actors: names.map((id) => {
      const [name, source_type = 'Journalist'] = id.split('/') as [string, string?];
      return { id, name, source_type };
    }),
    subjects: [{ id: 's', name: 'Office', subject_type: 'office' }],
    claims: said.map(([actor_id, value, place, more], index) => ({
      id: `c${index}`,
      actor_id,
      subject_id: 's',
      predicate,
      value,
      content: `Said ${index}.`,
      ...place,
      ...more,
    })),
  };
}
const [BERLIN, HAMBURG, BEFORE, SINCE] = PLACES;

/** A document that speaks against a claim. */
const against = (claim_id: string, index = 0) => ({
  id: `e${index}-${claim_id}`,
  claim_id,
  content: '',
  valence: 'Refutes' as const,
  weight: 3,
});

const CITY: InvestigationInput = {
  research_question: 'Is the bridge open?',
  actors: [
    { id: 'a0', name: 'City council', source_type: 'Regulator' },
    { id: 'a1', name: 'The Daily', source_type: 'Regulator' },
  ],
  subjects: [{ id: 's', name: 'North bridge', subject_type: 'structure' }],
  claims: ['true', 'false'].map((value, index) => ({
    id: `c${index}`,
    actor_id: `a${index}`,
    subject_id: 's',
    predicate: 'open',
    value,
    content: '',
  })),
};

/** What Why says about how firmly a verdict stands. */
function firmnessOf(input: InvestigationInput) {
  const model = createModel(withComparisons(snapshotOf(input)));
  const [verdict] = model.verdicts;
  const explanation = verdict!.explanation!;
  const text = renderToString(h(VerdictReasons, { explanation, model }))
    .replace(/^.*How firmly it stands/s, '')
    .replace(/<[^>]*>/g, '')
    .replaceAll('\u00a0', ' ');
  const names = new Map(input.actors.map(({ id, name }) => [name, id]));
  const without = new Map(
    [...text.matchAll(/Without ([^,]*), (.*?)\.(?=Without|The fewest|A set|$)/g)].map(([, name, what]) => [
      names.get(name!)!,
      what!,
    ]),
  );
  const change = /without which the answer would change \((.*?)\): /.exec(text)?.[1] ?? null;
  return { text, explanation, without, change };
}

const judged = (input: InvestigationInput, out: readonly string[]) =>
  (
    analyze(
      { ...input, claims: input.claims.filter(({ id }) => !out.includes(id)) },
      { now: NOW },
    ) as InvestigationResult
  ).subject_results[0];

type Verdict = ReturnType<typeof judged>;

/** Whether judging the rest gives what the words say. */
function isSo(words: string, found: Verdict): boolean {
  const lead = /^(.*) would lead$/.exec(words)?.[1];
  if (words === 'no answer would lead')
    return found?.tied === true || found?.rival_values[0]?.denied === true;
  if (words === 'there would be too little evidence to say')
    return (found?.truth_status ?? 'Neither') === 'Neither';
  if (!found) return false;
  if (lead !== undefined)
    return !found.tied && (leadingOf(found) || '(empty)') === lead && found.truth_status !== 'False';
  const likely = /^it would probably be “(.*)”$/.exec(words)?.[1];
  if (likely !== undefined)
    return (found.leading_value || '(empty)') === likely && found.truth_status === 'True';
  const denied = /^it would probably not be “(.*)”$/.exec(words)?.[1];
  if (denied !== undefined)
    return (found.leading_value || '(empty)') === denied && found.truth_status === 'False';
  if (words === 'it would probably be true') return found.truth_status === 'True';
  if (words === 'it would probably be false') return found.truth_status === 'False';
  if (words === 'it would be contested') return found.truth_status === 'Both';
  return words === 'it would no longer be contested' && found.truth_status !== 'Both';
}

describe('how firmly a verdict stands', () => {
  it('a tied yes or no is told to be false without the source that says true, and true without the other', () => {
    covers('INV-V.67');
    const { without, change, text } = firmnessOf(CITY);
    expect(Object.fromEntries(without)).toEqual({
      a0: 'it would probably be false',
      a1: 'it would probably be true',
    });
    expect(change).toMatch(/^it would probably be (true|false)$/);
    expect(text).not.toContain('would lead');
  });

  it('a yes is not said to lead without a third answer where the no would', () => {
    covers('RM-11.354');
    const said: readonly (readonly [string, string, string])[] = [
      ['Ada', 'no', 'Journalist'],
      ['Court', 'partly', 'Regulator'],
      ['Dan', 'yes', 'Insider'],
    ];
    const { without } = firmnessOf({
      research_question: 'Is it?',
      actors: said.map(([id, , source_type]) => ({ id, name: id, source_type })),
      subjects: [{ id: 's', name: 'the club', subject_type: 'x' }],
      claims: said.map(([actor_id, value], index) => ({
        id: `c${index}`,
        actor_id,
        subject_id: 's',
        predicate: 'is guilty',
        value,
        content: value,
      })),
    });
    expect(without.get('Court')).toBe('true or false would lead');
  });

  it('what is said in another city or of another time is not told to take the place of the answer', () => {
    covers('INV-V.315', 'RM-11.364');
    const pools = firmnessOf(
      saying('is_open', [
        ['A1/Regulator', 'yes', BERLIN],
        ['A2/Regulator', 'yes', BERLIN],
        ['B1/Regulator', 'no', HAMBURG],
        ['B2', 'yes', HAMBURG],
        ['B3', 'no', HAMBURG],
      ]),
    );
    expect(pools.text).toMatch(/^ \(in Berlin\)No single source decides it\./);
    expect(pools.change).toBe('there would be too little evidence to say');
    const office = firmnessOf(
      saying('head', [
        ['Register/Regulator', 'Ann', BEFORE],
        ['Daily', 'Bo', SINCE],
        ['Post', 'Bo', SINCE],
      ]),
    );
    expect(office.text).toMatch(/^ \(from 2010 on\)No single source decides it\./);
  });

  it('what would lead for another time that overlaps that of the answer is told with its time', () => {
    covers('INV-V.315');
    const { text } = firmnessOf(
      saying('head', [
        ['Register/Regulator', 'Ann', BEFORE],
        ['Daily', 'Bo', { event_start_time: '2005', event_end_time: '2015' }],
      ]),
    );
    expect(text).toContain('Without Register, Bo (from 2005 to 2015) would lead.');
  });

  it('a value that documents make likely against its denial is told as the answer without the one that leads', () => {
    covers('RM-11.410', 'INV-X.3');
    const input = saying('leaked_by', [
      ['A', 'Smith'],
      ['B/Regulator', 'Jones', {}, { valence: 'Refutes' }],
    ]);
    const { without, change, explanation } = firmnessOf({
      ...input,
      evidence: [against('c1'), against('c1', 1)],
    });
    expect([...without]).toEqual([['A', 'it would probably be “Jones”']]);
    expect(change).toBe('it would probably be “Jones”');
    expect(explanation.smallest_change!.claim_ids).toEqual(['c0']);
  });

  it.each([
    ['head', 'Ann', 'Bo', '2015'],
    ['head', 'Ann', 'Bo', null],
    ['is_open', 'yes', 'no', '2015'],
  ])('a dispute of another time is not told to begin without a source: of %s, %s or %s until %s', (...of) => {
    covers('RM-11.411');
    const [predicate, one, other, event_end_time] = of;
    const { text, change } = firmnessOf(
      saying(predicate, [
        ['R1/Regulator', one, BEFORE],
        ['R2/Regulator', other, { event_start_time: '2005', event_end_time }],
        ['Daily', other, { event_start_time: '2012', event_end_time }],
      ]),
    );
    expect(text).toMatch(/^ \(from 2012 (on|to 2015)\)No single source decides it\./);
    expect(change).toBe('there would be too little evidence to say');
  });

  it('a no that is tied with a third answer is not told to be probable without the yes', () => {
    covers('RM-11.412');
    const { without, change } = firmnessOf(
      saying('is_open', [
        ['A', 'no'],
        ['B', 'partly'],
        ['C/Insider', 'yes'],
      ]),
    );
    expect(without.has('C/Insider')).toBe(false);
    expect(change).not.toBe('it would probably be false');
  });

  it('a claim that is retracted is not told to decide what only copies it', () => {
    covers('INV-V.316');
    const input = saying('head', [
      ['Daily', 'Smith', {}, { epistemic_status: 'retracted' }],
      ['Wire/Regulator', 'Smith'],
      ['Post', 'Jones'],
    ]);
    const copying = input.actors.map((one) =>
      one.name === 'Wire' ? { ...one, depends_on: ['Daily'] } : one,
    );
    const { without, change, explanation } = firmnessOf({ ...input, actors: copying });
    expect(explanation.leading_value).toBe('Jones');
    expect([...without.keys()]).toEqual(['Post']);
    expect(change).not.toContain('Smith');
  });

  it('what Why says would be without a source is what judging the rest says about the same scope and time', () => {
    covers('INV-V.315', 'RM-11.364');
    let told = 0;
    fc.assert(
      fc.property(inPlaces, (input) => {
        const { explanation, without, text } = firmnessOf(input);
        const isPlaced = explanation.leading_claim_id !== null && text !== '';
        if (isPlaced) expect(text).toMatch(/^ \((in Berlin|in Hamburg|from 2000 to 2010|from 2010 on)\)/);
        const answerOf = (verdict: Verdict) =>
          answersOf(verdict).find((answer) => meets(answer, { region: regionOf(explanation) }))?.verdict;
        const now = answerOf(judged(input, []));
        for (const { id } of input.actors) {
          const out = input.claims.filter(({ actor_id }) => actor_id === id).map((claim) => claim.id);
          const then = answerOf(judged(input, out));
          const words = without.get(id);
          const lead = /^(.*?)(?: \(.*\))? would lead$/.exec(words ?? '')?.[1];
          // Of a value that another of its times stands for, the judgement does not list this one.
          if (lead !== undefined && lead !== 'no answer' && then) {
            told += 1;
            expect([leadingOf(then) || '(empty)', then.tied]).toEqual([lead, undefined]);
          }
          const saidOf = (verdict: typeof then) =>
            verdict && [verdict.leading_value, verdict.expected_probability, verdict.tied];
          if (now && then && String(saidOf(now)) === String(saidOf(then)))
            expect([id, words]).toEqual([id, undefined]);
        }
      }),
      { numRuns: soak(600, 150) },
    );
    expect(told).toBeGreaterThan(5);
  });

  it('what Why says would be without a source is what judging the rest of the same scope and time says', () => {
    covers('RM-11.410', 'RM-11.411', 'RM-11.412');
    const told = new Map<string, number>();
    fc.assert(
      fc.property(disputed, (input) => {
        const { explanation, without, change } = firmnessOf(input);
        const region = explanation.leading_claim_id === null ? null : regionOf(explanation);
        /** What is said in that scope and time, judged without some claims. */
        const judgedThere = (out: readonly string[]) => {
          const isThere = (claim: ClaimInput) => meets({ region: regionOf(claim) }, { region });
          const claims = input.claims.filter((claim) => !out.includes(claim.id) && isThere(claim));
          const evidence = input.evidence!.filter((item) => claims.some(({ id }) => id === item.claim_id));
          return (analyze({ ...input, claims, evidence }, { now: NOW }) as InvestigationResult)
            .subject_results[0];
        };
        // Where a claim of a longer time leads what is said in that of the answer, the answer is kept.
        const now = judgedThere([]);
        if (now && isOtherwise(now, explanation)) return;
        const claimsOf = (actor: string) =>
          input.claims.filter(({ actor_id: id }) => id === actor).map(({ id }) => id);
        const rows = [...without].map(([actor, words]) => [words, claimsOf(actor)] as const);
        if (change !== null) rows.push([change, explanation.smallest_change!.removed_claim_ids]);
        for (const [words, out] of rows) {
          const bare = words.replace(/ \([^()]*\)( would lead|”)/, '$1');
          const found = judgedThere(out);
          expect([words, isSo(bare, found), found]).toEqual([words, true, found]);
          const kind = bare.replace(/.*( would lead)|“.*”/, '…$1');
          told.set(kind, (told.get(kind) ?? 0) + 1);
        }
        for (const { id } of input.actors) {
          const found = judgedThere(claimsOf(id));
          const isCorrected = input.claims.some(
            (claim) => claim.actor_id === id && claim.supersedes_claim_id,
          );
          if (!without.has(id) && !isCorrected)
            expect([id, found && leadsOther(found, explanation)]).toEqual([id, found && false]);
        }
      }),
      { numRuns: soak(2000, 300) },
    );
    expect([...told.values()].filter((times) => times > 5).length).toBeGreaterThan(6);
  });

  it('what Why says would be without a source, and without the fewest claims, is what judging the rest says', () => {
    covers('INV-V.67');
    fc.assert(
      fc.property(investigations, (input) => {
        const { explanation, without, change } = firmnessOf(input);
        for (const { id } of input.actors) {
          const out = input.claims.filter(({ actor_id }) => actor_id === id).map((claim) => claim.id);
          const found = judged(input, out);
          const words = without.get(id);
          const said = words === undefined || isSo(words, found);
          expect({ id, words, said, found: said ? null : found }).toEqual({
            id,
            words,
            said: true,
            found: null,
          });
          // A tied yes or no that is decided without a source is told.
          if (
            explanation.tied &&
            !explanation.denied &&
            found &&
            !found.tied &&
            /^(True|False)$/.test(found.truth_status)
          )
            expect([id, words]).toEqual([id, expect.any(String)]);
        }
        if (change !== null) {
          const found = judged(input, explanation.smallest_change!.removed_claim_ids);
          expect([change, isSo(change, found), found]).toEqual([change, true, found]);
        }
      }),
      { numRuns: soak(300, 60) },
    );
  });
});
