import { analyze } from '@platform/opinion-fusion';
import type {
  ActorInput,
  ClaimInput,
  InvestigationInput,
  InvestigationResult,
} from '@platform/opinion-fusion';
import { mulberry32 } from './random.ts';

/** One way to mislead the engine, its effect, and whether the engine held. */
export interface Attack {
  readonly name: string;
  readonly outcome: string;
  /** What is asked for; null where the outcome is only reported. */
  readonly target: string | null;
  readonly holds: boolean | null;
}

const NOW = new Date('2020-01-01T00:00:00Z');
const TRIALS = 10;
/** Values that a question can have: with few, independent errors often coincide. */
const CHOICES = 5;

type Reliability = 'declared' | 'estimated';

/** All attacks, the ones with dice over ten seeds. */
export function runAttacks(): Attack[] {
  return (['declared', 'estimated'] as const)
    .flatMap((reliability) => [
      liars(
        5,
        15,
        30,
        1,
        reliability,
        'at least 94 % right, as without copy detection',
        ({ right }) => right >= 0.94,
      ),
      liars(8, 18, 30, 1, reliability, 'more than half right', ({ right }) => right > 0.5),
      liars(12, 22, 30, 0.85, reliability, null),
      sharedBlindSpot(reliability),
      wideBlindSpot(reliability),
      commonBias(reliability),
    ])
    .concat(floods(), repetition(), spelling());
}

interface Crowd {
  readonly actors: string[];
  /** By actor: value of each item. */
  readonly said: string[][];
  readonly truths: string[];
}

interface CrowdOutcome {
  /** Mean share of right leading values, and actors suspected of copying by kind, over the trials. */
  readonly right: number;
  readonly suspected: (from: number, to: number) => number;
  /** Of the suspected, those counted as one voice with others: not merely reported. */
  readonly joined: number;
}

function judgeCrowds(
  make: (next: () => number) => Crowd,
  reliability: Reliability,
  dependence: 'detected' | 'declared' = 'detected',
): CrowdOutcome {
  let right = 0;
  const suspicions: number[] = [];
  let joined = 0;
  for (let seed = 1; seed <= TRIALS; seed++) {
    const { actors, said, truths } = make(mulberry32(seed));
    const result = run({
      actors: actors.map((type, k) => ({ id: `a${pad(k)}`, name: `actor ${k + 1}`, source_type: type })),
      subjects: truths.map((_, i) => ({ id: `s${pad(i)}`, name: `item ${i + 1}`, subject_type: 'item' })),
      claims: said.flatMap((values, k) => values.map((value, i) => claim(`a${pad(k)}`, `s${pad(i)}`, value))),
      reliability,
      dependence,
    });
    const hits = result.subject_results.filter(
      ({ subject_id, leading_value }) => leading_value === truths[Number(subject_id.slice(1))],
    ).length;
    right += hits / truths.length / TRIALS;
    for (const group of result.source_dependence) {
      for (const actor of group.actor_ids) suspicions.push(Number(actor.slice(1)));
      if (group.applied) joined += group.actor_ids.length / TRIALS;
    }
  }
  return {
    right,
    joined,
    suspected: (from, to) => suspicions.filter((actor) => actor >= from && actor < to).length / TRIALS,
  };
}

/** Liars who tell the same wrong values; the others are right 8 times in 10 and err apart. */
function liars(
  count: number,
  sources: number,
  items: number,
  loyalty: number,
  reliability: Reliability,
  target: string | null,
  holds?: (outcome: CrowdOutcome) => boolean,
): Attack {
  const outcome = judgeCrowds((next) => {
    const truths = values(items, next);
    const lie = truths.map((truth) => wrong(truth, next));
    const own = (accuracy: number) => truths.map((truth) => (next() < accuracy ? truth : wrong(truth, next)));
    const honest = Array.from({ length: sources - count }, () => own(0.8));
    const lying = Array.from({ length: count }, () => {
      const free = own(0.5);
      return lie.map((value, i) => (next() < loyalty ? value : free[i]!));
    });
    return { actors: Array<string>(sources).fill('Journalist'), said: [...honest, ...lying], truths };
  }, reliability);
  const honest = sources - count;
  return {
    name: `${count} ${loyalty === 1 ? 'identical liars' : 'liars who copy 85 %'} among ${sources}, ${items} items, reliability ${reliability}`,
    outcome: `${percent(outcome.right)} right; suspected: ${outcome.suspected(honest, sources).toFixed(1)} liars, ${outcome.suspected(0, honest).toFixed(1)} of ${honest} honest; counted as one voice: ${outcome.joined.toFixed(1)}`,
    target,
    holds: holds ? holds(outcome) : null,
  };
}

/**
 * Ten experts, right 9 times in 10, and twenty novices who all fall for the same error on a third of the
 * items.
 */
function sharedBlindSpot(reliability: Reliability): Attack {
  const outcome = judgeCrowds((next) => {
    const truths = values(60, next);
    const trap = truths.map((truth) => wrong(truth, next));
    const experts = Array.from({ length: 10 }, () =>
      truths.map((truth) => (next() < 0.9 ? truth : wrong(truth, next))),
    );
    const novices = Array.from({ length: 20 }, () =>
      truths.map((truth, i) => {
        if (i % 3 === 0) return next() < 0.7 ? trap[i]! : truth;
        return next() < 0.85 ? truth : wrong(truth, next);
      }),
    );
    return { actors: Array<string>(30).fill('Journalist'), said: [...experts, ...novices], truths };
  }, reliability);
  const experts = outcome.suspected(0, 10);
  const novices = outcome.suspected(10, 30);
  return {
    name: `ten experts beside twenty novices with a shared blind spot, nobody copies, reliability ${reliability}`,
    outcome: `${percent(outcome.right)} right; suspected: ${experts.toFixed(1)} experts, ${novices.toFixed(1)} novices; counted as one voice: ${outcome.joined.toFixed(1)}`,
    target: 'at most 1 % of them suspected',
    holds: experts + novices <= 0.3,
  };
}

/**
 * Ten experts, right 9 times in 10, and twenty sources of the same weight that all make the same error on two
 * items in five: on the others they err apart, and the experts look as if they copied what only they know.
 */
function wideBlindSpot(reliability: Reliability): Attack {
  const crowd = (next: () => number): Crowd => {
    const truths = values(60, next);
    const trap = truths.map((truth) => wrong(truth, next));
    const said = Array.from({ length: 30 }, (_, k) =>
      truths.map((truth, i) => {
        if (k >= 10 && i % 5 < 2) return trap[i]!;
        return next() < (k < 10 ? 0.9 : 0.75) ? truth : wrong(truth, next);
      }),
    );
    return { actors: said.map((_, k) => (k < 10 ? 'Expert' : 'Institutional')), said, truths };
  };
  const outcome = judgeCrowds(crowd, reliability);
  const { right } = judgeCrowds(crowd, reliability, 'declared');
  return {
    name: `ten experts beside twenty sources that share one error on two items in five, nobody copies, reliability ${reliability}`,
    outcome: `${percent(outcome.right)} right, ${percent(right)} with dependence declared; suspected: ${outcome.suspected(0, 10).toFixed(1)} experts, ${outcome.suspected(10, 30).toFixed(1)} others; counted as one voice: ${outcome.joined.toFixed(1)}`,
    target: 'at most 1 % of them suspected',
    holds: outcome.suspected(0, 30) <= 0.3,
  };
}

/** Twenty independent voters on yes/no questions who all lean to yes. */
function commonBias(reliability: Reliability): Attack {
  const outcome = judgeCrowds((next) => {
    const truths = Array.from({ length: 60 }, () => (next() < 0.5 ? 'true' : 'false'));
    const said = Array.from({ length: 20 }, () =>
      truths.map((truth) => (truth === 'true' ? String(next() < 0.9) : String(next() < 0.4))),
    );
    return { actors: Array<string>(20).fill('Journalist'), said, truths };
  }, reliability);
  const suspected = outcome.suspected(0, 20);
  return {
    name: `twenty independent voters with a common bias, reliability ${reliability}`,
    outcome: `suspected: ${suspected.toFixed(1)}; counted as one voice: ${outcome.joined.toFixed(1)}`,
    target: 'at most 1 % of them suspected',
    holds: suspected <= 0.2,
  };
}

/** Many weak voices against one strong one. */
function floods(): Attack[] {
  const against = (count: number, type: string, strong: string | null) => {
    const crowd = Array.from({ length: count }, (_, k): ActorInput => ({
      id: `w${pad(k)}`,
      name: `weak ${k + 1}`,
      source_type: type,
    }));
    const result = run({
      actors: [...crowd, ...(strong ? [{ id: 'strong', name: 'strong', source_type: strong }] : [])],
      subjects: [{ id: 's', name: 'subject', subject_type: 'item' }],
      claims: [
        ...crowd.map(({ id }) => claim(id, 's', 'red')),
        ...(strong ? [claim('strong', 's', 'blue')] : []),
      ],
      reliability: 'declared',
    });
    return result.subject_results[0]!;
  };
  const row = (count: number, type: string): Attack => {
    const verdict = against(count, type, 'Regulator');
    return {
      name: `${count} ${type} against one Regulator`,
      outcome: `"${verdict.leading_value}" leads, P ${verdict.expected_probability.toFixed(3)}`,
      target: 'the Regulator leads',
      holds: verdict.leading_value === 'blue',
    };
  };
  const alone = against(500, 'Anonymous', null);
  const units = (2 * alone.confidence.support) / alone.confidence.uncertainty;
  const journalists = against(2, 'Journalist', 'Regulator');
  return [
    row(5, 'Anonymous'),
    row(5, 'SocialMedia'),
    row(500, 'Troll'),
    {
      name: '500 Anonymous, nobody against',
      outcome: `${units.toFixed(2)} units of evidence`,
      target: 'at most 2 units',
      holds: units <= 2 + 1e-9,
    },
    {
      name: '2 Journalist against one Regulator',
      outcome: `"${journalists.leading_value}" leads, P ${journalists.expected_probability.toFixed(3)}`,
      target: null,
      holds: null,
    },
  ];
}

/** One journalist says the same again and again. */
function repetition(): Attack[] {
  const probability = (count: number, timed: boolean) =>
    run({
      actors: [{ id: 'a', name: 'a', source_type: 'Journalist' }],
      subjects: [{ id: 's', name: 's', subject_type: 'item' }],
      claims: Array.from({ length: count }, (_, k) => ({
        ...claim('a', 's', 'red', k),
        ...(timed && { assertion_time: new Date(NOW.getTime() - (k + 1) * 86_400_000).toISOString() }),
      })),
      reliability: 'declared',
    }).subject_results[0]!.expected_probability;
  return [false, true].map((timed) => {
    const [once, often] = [probability(1, timed), probability(50, timed)];
    return {
      name: `one Journalist says the same 50 times${timed ? ', on 50 days' : ''}`,
      outcome: `P ${often.toFixed(3)}, said once ${once.toFixed(3)}`,
      target: 'no higher than said once',
      holds: often <= once + 1e-12,
    };
  });
}

/** The same amount in three spellings. */
function spelling(): Attack {
  const spellings = ['$5M', '5 million USD', '5,000,000'];
  const result = run({
    actors: spellings.map((_, k) => ({ id: `a${k}`, name: `a${k}`, source_type: 'Journalist' })),
    subjects: [{ id: 's', name: 's', subject_type: 'item' }],
    claims: spellings.map((value, k) => claim(`a${k}`, 's', value)),
    reliability: 'declared',
  }).subject_results[0]!;
  return {
    name: spellings.map((text) => `\`${text}\``).join(', '),
    outcome: `${result.source_count} of 3 sources agree, P ${result.expected_probability.toFixed(3)}`,
    target: 'all three agree',
    holds: result.source_count === 3,
  };
}

function run(parts: {
  actors: ActorInput[];
  subjects: InvestigationInput['subjects'];
  claims: ClaimInput[];
  reliability: Reliability;
  dependence?: 'detected' | 'declared';
}): InvestigationResult {
  return analyze({ research_question: 'What is true?', ...parts }, { now: NOW }) as InvestigationResult;
}

function claim(actor: string, subject: string, value: string, number = 0): ClaimInput {
  return {
    id: `${actor}-${subject}-${number}`,
    actor_id: actor,
    subject_id: subject,
    predicate: 'value',
    value,
    content: 'as claimed',
  };
}

function pad(index: number): string {
  return String(index).padStart(4, '0');
}

/** Right values of so many questions with a few possible values each. */
function values(count: number, next: () => number): string[] {
  return Array.from({ length: count }, () => `v${Math.floor(next() * CHOICES)}`);
}

function wrong(truth: string, next: () => number): string {
  const other = `v${Math.floor(next() * CHOICES)}`;
  return other === truth ? wrong(truth, next) : other;
}

function percent(share: number): string {
  return `${(100 * share).toFixed(0)} %`;
}
