import { likelihoodWord, recentSource, type Part } from '@platform/opinion-fusion';
import { guessedFinding } from './guessed-finding.ts';
import { isSpoken } from './sides.ts';
import { answerWord, chanceText } from '../../format/words.ts';
import { verdictOf, type Claim, type Model, type Verdict } from '../../model.ts';
import type { AnswerWords, Presentation } from '../../snapshot.ts';
import { distinctionCards, type Side } from '../distinctions/distinction-cards.ts';
import { isOpposite, saysYesOrNo } from '../../components/claim-statement.tsx';
import { asksForValue, headlineOf, isDenied } from './headline.ts';
import { sourcesOf } from './who-says/who-says.ts';
import { ageOf, decayOf, yearsOf } from './answer-age.ts';

/** What an investigation answers, with the verdict that answers it. */
export interface Answer extends AnswerWords {
  readonly verdict: Verdict;
}

/**
 * The verdict that answers the question: the one that the author marked, else the one that its words are
 * guessed to ask for. Pure.
 */
export function answeringVerdict<Found extends Pick<Verdict, 'subjectId' | 'predicate' | 'result'>>(
  verdicts: readonly Found[],
  { answer_finding }: Presentation,
  question: string,
): Found | undefined {
  const marked = verdictOf(verdicts, answer_finding);
  if (marked) return marked;
  const guessed = guessedFinding(
    verdicts.map(({ result }) => result),
    question,
  );
  return verdicts.find(({ result }) => result === guessed);
}

/**
 * The answer of an investigation: the verdict that answers the question as a person would say it, who says
 * so, what it depends on and what would help most. Null without verdicts. Pure.
 */
export function answerOf(model: Model): Answer | null {
  const { research_question: question } = model.judged.result;
  const verdict = answeringVerdict(model.verdicts, model.presentation, question);
  if (!verdict) return null;
  const sources = sourcesOf(verdict, model);
  const age = ageOf(verdict, model);
  return {
    verdict,
    finding: { subject_id: verdict.subjectId, predicate: verdict.predicate },
    headline: headlineOf(verdict, {
      isValueAsked: asksForValue(verdict, {
        subjects: model.subjectById.size,
        question,
        presentation: model.presentation,
      }),
      isValueDenied: isDenied(verdict, model),
    }),
    chance: verdict.result.no_value_counts ? '' : `chance ${chanceText(verdict.result)}`,
    sources: sources.length > 0 && age.length > 0 ? [...sources, ' ', ...age] : [...sources, ...age],
    conditions: conditionsOf(verdict, model),
    next: nextOf(verdict, model, age.length > 0),
  };
}

/** `It depends on what counts as a flight: if …, Wilbur and Orville Wright; if …, Alberto Santos-Dumont.` */
function conditionsOf(verdict: Verdict, model: Model): Part[][] {
  return distinctionCards(model)
    .filter(
      ({ status, a }) =>
        status === 'active' &&
        a.claim?.subject?.id === verdict.subjectId &&
        a.claim.predicate === verdict.predicate,
    )
    .map(({ distinction, a, b }) => [
      'It depends on ',
      { user: distinction.feature },
      ': ',
      ...underCondition(a),
      '; ',
      ...underCondition(b),
      '.',
    ]);
}

/** What a side says, with the word for its chance under its condition where that is not likely. */
function underCondition({ condition, claim, chance }: Side): Part[] {
  return ['if ', { user: lowerFirst(condition) }, ', ', ...(claim ? saidUnder(claim, chance) : [])];
}

function saidUnder(claim: Claim, chance: number | null): Part[] {
  const { value } = claim.input;
  const word = chance === null ? '' : likelihoodWord(chance);
  const isNo = isOpposite(claim);
  if (!isNo && !saysYesOrNo(claim)) {
    const user = answerWord(value);
    // The other values of a question share its chance, so that an even one is much for one of them.
    if (chance === null || chance >= EVEN) return [{ user }];
    return [
      { user },
      NOUNS.test(word) ? ` has ${word === 'roughly even chance' ? 'a ' : ''}${word}` : ` is ${word}`,
    ];
  }
  const so = isNo ? 'it is not so' : 'it is so';
  if (chance === null || chance >= LIKELY) return [so];
  if (word === 'roughly even chance') return [`it is uncertain whether ${so} (${word})`];
  return [NOUNS.test(word) ? `there is ${word} that ${so}` : `it is ${word}${isNo ? ' not' : ''} to be so`];
}

/** Words of ICD 203 that are said with “has”, and not with “is”. */
const NOUNS = / chance$/;
/** A chance that no rounding puts below one half, and the least that is called likely. Probabilities. */
const EVEN = 0.5 - 1e-9;
const LIKELY = 0.55 - 1e-9;

const lowerFirst = (text: string) =>
  /^[A-Z][a-z]/.test(text) ? text.charAt(0).toLowerCase() + text.slice(1) : text;

/** Share of the weight that age leaves, below which a claim is stale. */
const STALE_BELOW = 0.25;

/** The kind of evidence that the result asks for, from the first words of its suggestion. */
function nextOf({ gap, explanation }: Verdict, { claimById, judged }: Model, isAgeTold: boolean): Part[] {
  const spoken = explanation?.contributions.filter(isSpoken) ?? [];
  if (spoken.length > 0 && spoken.every((one) => decayOf(one) < STALE_BELOW)) {
    const years = yearsOf(spoken.flatMap(({ claim_id }) => claimById.get(claim_id ?? '') ?? []));
    const lost = isAgeTold ? '' : ', and age has taken most of its weight';
    return [`All that is said is of ${years}${lost}. Most useful next: ${recentSource(judged.input.as_of)}.`];
  }
  const wanted = /^Look for (.+?),? on (?:whether )?`/.exec(gap?.suggestion ?? '')?.[1];
  if (wanted === undefined) return [];
  const kind = wanted === 'evidence against' ? 'independent evidence that could speak against it' : wanted;
  return [`Most useful next: ${kind}.`];
}
