import { describe, expect, it } from '@jest/globals';
import { textOf, type InvestigationInput } from '@platform/opinion-fusion';
import { covers } from '@platform/testing/covers';
import { SEED } from '@platform/testing/seed';
import { soak } from '@platform/testing/soak';
import fc from 'fast-check';
import { isOpposite } from '../../components/claim-statement.tsx';
import { isOfYesAndNo, tieOf } from '../../format/words.ts';
import { createModel } from '../../model.ts';
import { snapshotOf } from '../../snapshot.fixture.ts';
import { answerOf } from './answer.ts';

fc.configureGlobal({ seed: SEED });

interface Said {
  readonly value: string;
  readonly valence: 'Supports' | 'Refutes';
  /** The claim that this one is about, counted from the first. */
  readonly on?: number | undefined;
  readonly type?: string;
  /** The source that this one copies, counted from the first. */
  readonly copies?: number | undefined;
  /** The claim whose source says this, too. */
  readonly by?: number | undefined;
}

const NAMES = ['Ada', 'Bea', 'Cleo', 'Dora', 'Edda', 'Fay', 'Gil', 'Hal', 'Ina'] as const;

const nameOf = (said: readonly Said[], index: number) => NAMES[said[index]!.by ?? index]!;

/** `refuted`: the claims that one item of evidence each refutes, counted from the first. */
function answered(said: readonly Said[], refuted: readonly number[] = []) {
  const input: InvestigationInput = {
    research_question: 'What happened?',
    actors: said.map(({ type = 'Journalist', copies }, i) => ({
      id: NAMES[i]!,
      name: NAMES[i]!,
      source_type: type,
      ...(copies !== undefined && { depends_on: [NAMES[copies]!] }),
    })),
    subjects: [{ id: 's', name: 'The leak', subject_type: 'event' }],
    claims: said.map(({ value, valence, on }, i) => ({
      id: `c${i}`,
      actor_id: nameOf(said, i),
      predicate: 'source',
      value,
      valence,
      content: `statement ${i}`,
      ...(on === undefined ? { subject_id: 's' } : { target_claim_id: `c${on}` }),
    })),
    evidence: refuted.map((on, i) => ({
      id: `e${i}`,
      claim_id: `c${on}`,
      content: 'A memo',
      valence: 'Refutes',
      weight: 1,
    })),
  };
  const model = createModel(snapshotOf(input));
  const { sources, verdict } = answerOf(model)!;
  return { model, verdict, line: textOf(sources) };
}

const REGULATOR = { value: 'x', type: 'Regulator', on: 0 } as const;

/** “It” would be read as “it is not so”, with which those who dispute the finding agree. */
const MISREAD = /it is not so[^;]*, and [^;,]* (?:disputes?|against) it\b/;

describe('claims about claims', () => {
  it.each([
    [
      'a denial that is supported',
      [
        { value: 'Smith', valence: 'Refutes' },
        { ...REGULATOR, valence: 'Supports' },
      ],
      'No source says so directly; Ada says it is not so; Bea supports what Ada says.',
    ],
    [
      'a denial that is disputed',
      [
        { value: 'Smith', valence: 'Refutes' },
        { ...REGULATOR, valence: 'Refutes' },
      ],
      'No source says so directly; Ada says it is not so; Bea disputes what Ada says.',
    ],
    [
      'a no that is supported',
      [
        { value: 'no', valence: 'Supports' },
        { ...REGULATOR, valence: 'Supports' },
      ],
      'One source says it is not so; Bea supports what Ada says.',
    ],
    [
      'a no that is disputed',
      [
        { value: 'no', valence: 'Supports' },
        { ...REGULATOR, valence: 'Refutes' },
      ],
      'No source says so directly; Ada says it is not so; Bea disputes what Ada says.',
    ],
    [
      'a denial whose supporter it copies',
      [
        { value: 'Smith', valence: 'Refutes', copies: 1 },
        { ...REGULATOR, valence: 'Supports' },
      ],
      'No source says so directly; Ada says it is not so; Bea supports what Ada says.',
    ],
    [
      'a claim whose supporter it copies',
      [
        { value: 'Smith', valence: 'Supports', type: 'Insider', copies: 1 },
        { ...REGULATOR, valence: 'Supports' },
      ],
      'Bea supports it, and so does one more that is not independent of it.',
    ],
    [
      'a yes that is disputed and contradicted',
      [
        { value: 'yes', valence: 'Supports' },
        { value: 'no', valence: 'Supports', type: 'Insider' },
        { ...REGULATOR, type: 'Insider', valence: 'Refutes' },
      ],
      'One source says so; Bea says it is not so, and Cleo disputes what Ada says.',
    ],
    [
      'a value that is disputed and denied',
      [
        { value: 'Smith', valence: 'Supports' },
        { value: 'Smith', valence: 'Refutes', type: 'Insider' },
        { ...REGULATOR, type: 'Insider', valence: 'Refutes' },
      ],
      'One source says so; Bea says it is not so, and Cleo disputes what Ada says.',
    ],
    [
      'a value that is denied, behind who repeats it',
      [
        { value: 'Jones', valence: 'Supports', type: 'Regulator' },
        { value: 'Smith', valence: 'Supports', type: 'Regulator' },
        { value: 'Smith', valence: 'Supports', type: 'Regulator', copies: 1 },
        { value: 'Smith', valence: 'Refutes', type: 'Regulator' },
        { ...REGULATOR, valence: 'Refutes', on: 3 },
        { ...REGULATOR, valence: 'Supports', on: 0 },
      ],
      'One source says so, and Fay supports it; Bea says Smith, and so does one more that is not independent of it, which Dora denies, though Edda disputes that.',
    ],
  ] as const)('%s is told with whom it is about', (_, said, line) => {
    covers('INV-V.137', 'INV-V.143');
    expect(answered(said).line).toBe(line);
  });

  it('a source is said to support exactly what its claim supports, and to dispute what it refutes', () => {
    covers('INV-V.137', 'INV-V.143');
    const valence = fc.constantFrom('Supports', 'Refutes');
    const type = fc.constantFrom('Regulator', 'Expert', 'Journalist', 'Insider');
    const copies = fc.option(fc.nat(), { nil: undefined, freq: 7 });
    const common = { valence, type, copies, by: copies };
    const list = fc.constantFrom(['yes', 'no'], ['Smith', 'Jones']).chain((values) =>
      fc.tuple(
        fc.array(fc.record({ value: fc.constantFrom(...values), ...common }), {
          minLength: 1,
          maxLength: 4,
        }),
        fc.array(fc.record({ value: fc.constant('x'), ...common, on: fc.nat() }), {
          minLength: 1,
          maxLength: 5,
        }),
        fc.array(fc.nat(), { maxLength: 2 }),
      ),
    );
    const seen = new Set<string>();
    fc.assert(
      fc.property(list, ([direct, about, refuted]) => {
        const said: Said[] = [...direct, ...about].map((one, i) => ({
          ...one,
          copies: i > 0 && one.copies !== undefined ? one.copies % i : undefined,
          by: i > 0 && one.by !== undefined ? one.by % i : undefined,
          ...('on' in one && { on: one.on % i }),
        }));
        const { model, verdict, line } = answered(
          said,
          refuted.map((on) => on % direct.length),
        );
        const verbOf = (index: number) => (said[index]!.valence === 'Supports' ? 'support' : 'dispute');
        const told = line.matchAll(
          /(?<!independent of )\b(\w+)(?: and \w+ others?)? (?<!also )(support|dispute)s? (?!and )(?:what (\w+) says|(\w+))/g,
        );
        const verbs = new Set(line.includes('also dispute') ? ['dispute'] : []);
        for (const [, name, verb, whose, what] of told) {
          verbs.add(verb!);
          // Such as `one disputes what others say`.
          if (what === 'what') continue;
          seen.add(`${verb} ${whose === undefined ? 'it' : 'what'}`);
          // The finding itself is supported or disputed through a claim that it is so; “that” is a denial.
          const isIt = (on: number) =>
            whose === undefined
              ? isOpposite(model.claimById.get(`c${on}`)!) === (what === 'that')
              : nameOf(said, on) === whose;
          const isTold = said.some(
            ({ on }, i) => on !== undefined && nameOf(said, i) === name && verbOf(i) === verb && isIt(on),
          );
          expect([line, name, verb, isTold]).toEqual([line, name, verb, true]);
        }
        expect(line).not.toMatch(MISREAD);
        // Of values of which none leads, the sources stand with the finding.
        if (tieOf(verdict.result) !== null && !isOfYesAndNo(tieOf(verdict.result)!)) return;
        expect(line).toMatch(/^[A-Z]/);
        for (const { route, outcome, offered, claim_id } of verdict.explanation!.contributions) {
          const index = Number(claim_id!.slice(1));
          const isVoice = said.some(
            (one, i) => one.on === undefined && nameOf(said, i) === nameOf(said, index),
          );
          // A source that says so itself, or is not independent of another, is told by its number.
          if (route === 'meta_claim' && offered > 0 && outcome !== 'dependent' && !isVoice)
            expect([line, [...verbs]]).toEqual([line, expect.arrayContaining([verbOf(index)])]);
        }
      }),
      { numRuns: soak(600) },
    );
    expect([...seen].sort()).toEqual(['dispute it', 'dispute what', 'support it', 'support what']);
  });
});
