import { expect, it } from '@jest/globals';
import {
  analyze,
  auditClaims,
  explain,
  explainAll,
  summarizeResult,
  tiedValues,
  withoutDistinctions,
  type InvestigationInput,
  type InvestigationResult,
  type SubjectResult,
} from '@platform/opinion-fusion';
import { covers } from '@platform/testing/covers';
import { SEED } from '@platform/testing/seed';
import { soak } from '@platform/testing/soak';
import { answerText, leadingAnswer, renderEmbedPage, renderSharePage } from '@platform/viewer';
import fc from 'fast-check';
import { toldExplanation } from '../engine/told-explanation.ts';
import { explanationText } from './explanation-text.ts';
import { summarizeVerdict } from './verdict-summary.ts';

fc.configureGlobal({ seed: SEED });

const NOW = new Date('2026-11-29T10:00:00Z');

interface Said {
  readonly source: string;
  readonly value: string;
  readonly denies: boolean;
  readonly place: object;
  /** Earlier claims that it supersedes, by their place in the list. */
  readonly of: readonly number[];
  readonly status: string | null;
  readonly refuted: number;
}

const TYPES = {
  'Ann Roe': 'Insider',
  Gazette: 'Journalist',
  Post: 'Journalist',
  Ministry: 'Regulator',
  Auditor: 'Expert',
  Tip: 'Anonymous',
};

function investigation(said: readonly Said[], question: string, isCopying: boolean): InvestigationInput {
  const sources = new Set(said.map(({ source }) => source));
  return {
    research_question: question,
    actors: [...sources].map((source) => ({
      id: source,
      name: source,
      source_type: TYPES[source as keyof typeof TYPES],
      ...(isCopying && source === 'Post' && sources.has('Gazette') && { depends_on: ['Gazette'] }),
    })),
    subjects: [{ id: 's', name: 'Kos bridge', subject_type: 'bridge' }],
    claims: said.map(({ source, value, denies, place, of, status }, i) => ({
      id: `c${i}`,
      actor_id: source,
      subject_id: 's',
      predicate: 'state',
      value,
      content: `statement ${i}`,
      ...(denies && { valence: 'Refutes' }),
      ...(status !== null && { epistemic_status: status }),
      relationships: of
        .filter((other) => other < i)
        .map((other) => ({ relationship_type: 'supersedes', target_claim_id: `c${other}` })),
      ...place,
    })),
    evidence: said.flatMap(({ refuted }, i) =>
      refuted === 0
        ? []
        : [{ id: `e${i}`, claim_id: `c${i}`, content: 'A record', valence: 'Refutes', weight: refuted }],
    ),
  };
}

const saidOf = (...values: readonly string[]) =>
  fc.record({
    source: fc.constantFrom(...Object.keys(TYPES)),
    value: fc.constantFrom(...values),
    denies: fc.constantFrom(false, false, false, true),
    place: fc.constantFrom<object>(
      {},
      {},
      {},
      { scope: 'north lane' },
      { event_start_time: '2015', event_end_time: '2020' },
    ),
    of: fc.constantFrom<readonly number[]>([], [], [], [0], [0, 1], [2]),
    status: fc.constantFrom(null, null, null, null, 'retracted', 'conjecture'),
    refuted: fc.constantFrom(0, 0, 0, 1, 3),
  });
const listOf = (...values: readonly string[]) => fc.array(saidOf(...values), { minLength: 1, maxLength: 6 });
const investigations = fc
  .tuple(
    fc.oneof(listOf('closed', 'open', 'toppled'), listOf('true', 'false'), listOf('true', 'false', 'partly')),
    fc.constantFrom('Which state is the Kos bridge in?', 'What of the bridge?'),
    fc.boolean(),
  )
  .map((all) => investigation(...all));

const plainly = (source: string, value: string, more: Partial<Said> = {}): Said => ({
  source,
  value,
  denies: false,
  place: {},
  of: [],
  status: null,
  refuted: 0,
  ...more,
});
/** One of each standing, those that chance seldom deals. */
const EXAMPLES = [
  [plainly('Ann Roe', '1931')],
  [plainly('Gazette', 'open', { status: 'retracted' })],
  [plainly('Gazette', 'open', { denies: true }), plainly('Auditor', 'closed', { denies: true })],
  [
    plainly('Gazette', 'open', { place: { scope: 'north lane' } }),
    plainly('Post', 'closed', { place: { scope: 'south lane' } }),
  ],
  [plainly('Gazette', 'open'), plainly('Post', 'closed')],
  [plainly('Ministry', 'true'), plainly('Auditor', 'false')],
  [plainly('Ministry', 'open'), plainly('Post', 'closed')],
  [plainly('Ministry', 'false')],
  [plainly('Ministry', 'true')],
].map((said): [InvestigationInput] => [investigation(said, 'What of the bridge?', false)]);

/** How a question stands. */
type Standing = (typeof STANDINGS)[number];
const STANDINGS = [
  'no claim',
  'denied',
  'apart',
  'tied',
  'open',
  'contested',
  'between',
  'false',
  'true',
] as const;

const standingBy =
  (...words: readonly (readonly [RegExp, Standing])[]) =>
  (text: string): Standing =>
    words.find(([pattern]) => pattern.test(text))?.[1] ?? 'true';

const ofPage = standingBy(
  [/not enough evidence on /i, 'no claim'],
  [/only deny that|Sources deny that|are (only )?denied/, 'denied'],
  [/depends on the scope or time|in different scopes or of different times/, 'apart'],
  [/is undecided whether|are tied/, 'tied'],
  [/not enough evidence to say whether/, 'open'],
  [/evidence is divided|though it is contested/, 'contested'],
  [/is uncertain whether .*; .*(leads|…)/, 'between'],
  [/ unlikely that|almost no chance/, 'false'],
);
const ofTool = standingBy(
  [/no claim counts/, 'no claim'],
  [/\((only )?denied: /, 'denied'],
  [/each for itself/, 'apart'],
  [/\(tied: /, 'tied'],
  [/(: |yet )(Neither|not enough to say),/, 'open'],
  [/(: |yet )(Both|contested),/, 'contested'],
  [/: False,/, 'false'],
);
const ofSynthesis = standingBy(
  [/as no claim counts/, 'no claim'],
  [/are (only )?denied/, 'denied'],
  [/are said in different scopes/, 'apart'],
  [/are tied/, 'tied'],
  [/not enough evidence either way/, 'open'],
  [/with evidence on both sides/, 'contested'],
  [/: (very unlikely|unlikely|almost no chance) \(/, 'false'],
);

const ASSETS = { styles: '/s.css', early: '/e.js', main: '/m.js', embed: '/embed.css' };
const textIn = (html: string | undefined) =>
  (html ?? '')
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&');

/** What each output says about the only question. */
function outputsOf(input: InvestigationInput) {
  const result = analyze(input, { now: NOW }) as InvestigationResult;
  const judged = {
    input,
    result,
    explanations: explainAll(input, { now: NOW }),
    claim_audits: auditClaims(input, { now: NOW }),
    without_distinctions: withoutDistinctions(input, { now: NOW }),
  };
  const at = NOW.toISOString();
  const snapshot = {
    ...judged,
    share: {
      share_uuid: 'u',
      slug: 'bridge',
      preferred_pane: 'overview',
      url: 'https://x.example/share/u/bridge',
      snapshot_taken_at: at,
      updated_at: at,
    },
    session_name: 'Desk',
    interpretation: null,
    interpretation_updated_at: null,
    judgement: { id: 'j', judged_at: at, duration_ms: 1, engine_version: result.engine_version },
    judgements: [],
    input_sha256: '',
    result_sha256: '',
  } as unknown as Parameters<typeof renderSharePage>[0];
  const explanation = explain(input, { now: NOW, subject_id: 's', predicate: 'state' })!;
  const explained = explanationText({
    judged_at: at,
    explanation: toldExplanation(explanation, input, result),
  } as unknown as Parameters<typeof explanationText>[0]);
  const card = renderEmbedPage(snapshot, ASSETS);
  return {
    verdict: result.subject_results[0]!,
    page: answerText(judged as unknown as Parameters<typeof answerText>[0]).answer[0]!,
    description: textIn(
      /name="description" content="([^"]*)"/.exec(renderSharePage(snapshot, { assets: ASSETS }))![1],
    ),
    embed: textIn(/<h1>(.*?)<\/h1>/s.exec(card)![1]),
    list: leadingAnswer(judged)!.text,
    badges: ['support', 'opposition'].map((side) =>
      textIn(new RegExp(`class="name-${side}">([^<]*)`).exec(card)![1]),
    ),
    tools: {
      digest: summarizeVerdict(result).split('\n')[1]!,
      explained: explained.split('\n')[0]!,
      synthesis: summarizeResult(result).synthesis,
    },
    explained,
  };
}

/** What texts of tools may say beside a page: how a value stands that leads little, and that a tie is one. */
function alsoSaid(page: Standing, { tied, rival_values }: SubjectResult): readonly Standing[] {
  if (page === 'between') return ['open', 'contested', 'false'];
  const tie = tiedValues({ tied, rival_values }) ?? [];
  const isOfYesAndNo = tie.every(({ value, apart }) => !apart && (value === 'true' || value === 'false'));
  return tie.length > 0 && isOfYesAndNo && (page === 'open' || page === 'contested') ? ['tied'] : [page];
}

it('pages, cards, lists, tools and syntheses agree whether a question is open, tied, contested, true or false', () => {
  covers('INV-V.331', 'RM-11.382');
  const seen = new Set<Standing>();
  fc.assert(
    fc.property(investigations, (input) => {
      const { verdict, page, tools, ...outputs } = outputsOf(input);
      const standing = ofPage(page);
      seen.add(standing);
      const shown = [outputs.description, outputs.embed, outputs.list].map(ofPage);
      expect([page, outputs, shown]).toEqual([page, outputs, shown.map(() => standing)]);
      const told = [...[tools.digest, tools.explained].map(ofTool), ofSynthesis(tools.synthesis)];
      for (const one of told)
        expect([page, tools, alsoSaid(standing, verdict)]).toEqual([
          page,
          tools,
          expect.arrayContaining([one]),
        ]);
      expect(new Set(told).size).toBe(1);
    }),
    { numRuns: soak(400) + EXAMPLES.length, examples: EXAMPLES },
  );
  expect([...seen].toSorted()).toEqual([...STANDINGS].toSorted());
});

/** The places in which something is said for and against a value, by the claims alone. */
function disputesIn(said: readonly Said[]): boolean {
  const sides = said.map(({ value, denies, ...one }) => {
    const isNo = denies !== (value === 'false');
    return ['true', 'false'].includes(value)
      ? { ...one, value: String(!isNo), denies: false }
      : { ...one, value, denies };
  });
  return sides.some(
    (one) =>
      one.refuted > 0 ||
      sides.some(
        (other) =>
          JSON.stringify(one.place) === JSON.stringify(other.place) &&
          !one.denies &&
          (one.value === other.value) === other.denies,
      ),
  );
}

const places = [
  {},
  { scope: 'north lane' },
  { scope: 'south lane' },
  { scope: 'south lane', event_start_time: '2015', event_end_time: '2020' },
  { scope: 'south lane', event_start_time: '2020' },
];
const disputes = fc
  .tuple(
    fc.constantFrom(['closed', 'open', 'toppled'], ['true', 'false', 'partly'], ['true', 'false']),
    fc.constantFrom([places[0]!], places.slice(1, 3), [places[1]!, ...places.slice(3)]),
  )
  .chain(([values, at]) =>
    fc.array(
      fc
        .tuple(saidOf(...values), fc.constantFrom(...at), fc.boolean())
        .map(([one, place, isRefuted]): Said => ({
          ...one,
          // Who denies a yes says no: `false`, which is among the values, says it.
          denies: one.denies && !['true', 'false'].includes(one.value),
          place,
          of: [],
          status: null,
          refuted: isRefuted ? one.refuted : 0,
        })),
      { minLength: 1, maxLength: 7 },
    ),
  );

it('every output tells what is disputed in another scope or time, and whether there is evidence for and against', () => {
  covers('RM-11.420', 'RM-11.421', 'INV-V.345', 'INV-Q.110');
  let seen = 0;
  fc.assert(
    fc.property(disputes, (said) => {
      const { page, description, embed, list, tools, explained } = outputsOf(
        investigation(said, 'What of the bridge?', false),
      );
      const placeIn = (text: string) => /[Ww]hat holds ([^.;]*) is disputed/.exec(text)?.[1];
      if (placeIn(page) !== undefined) seen += 1;
      for (const text of [description, embed, list, tools.digest, tools.synthesis, explained])
        expect([said, text, placeIn(text)]).toEqual([said, text, placeIn(page)]);
      const isDisputed = tools.synthesis.includes('On 1 of 1 questions there is evidence both');
      expect([said, tools.synthesis, isDisputed]).toEqual([said, tools.synthesis, disputesIn(said)]);
    }),
    { numRuns: soak(400) },
  );
  expect(seen).toBeGreaterThan(0);
});

const supersedes = plainly('Auditor', 'closed', { of: [0] });
it('cards count who speaks for and against what supersedes another as tools do', () => {
  covers('INV-V.332');
  const { badges, tools } = outputsOf(
    investigation([plainly('Gazette', 'open'), supersedes], 'What of it?', false),
  );
  expect(badges).toEqual(['1 for', '0 against, 1 superseded']);
  expect(tools.digest).toContain('1 source for, 0 against');
  let seen = 0;
  fc.assert(
    fc.property(investigations, (input) => {
      const { verdict, badges, tools } = outputsOf(input);
      const { superseded } = verdict;
      if (!superseded) return;
      seen += 1;
      const [, forIt, against] = /(\d+) sources? for, (\d+) against/.exec(tools.digest)!;
      const sources = (badge: string) => {
        const [, voices, copies = 0] = /^(\d+) (?:for|against)(?:, (\d+) more)?/.exec(badge)!;
        return Number(voices) + Number(copies);
      };
      expect([badges, tools.digest, badges.map(sources)]).toEqual([
        badges,
        tools.digest,
        [forIt, against].map(Number),
      ]);
      const aside = (badge: string) => Number(/(\d+) superseded/.exec(badge)?.[1] ?? 0);
      expect(badges.map(aside)).toEqual([
        superseded.supporting_source_count,
        superseded.opposing_source_count,
      ]);
    }),
    { numRuns: soak(400) },
  );
  expect(seen).toBeGreaterThan(0);
});
