import { andOthers, estimateWords, isDeniedTie, supersededWords, type Part } from '@platform/opinion-fusion';
import { toldByOrigin } from '../../../components/told-by-origin.ts';
import { capital, isOfYesAndNo, tieOf, withdrawnStatus } from '../../../format/words.ts';
import type { Claim, Model, Verdict } from '../../../model.ts';
import { agreement } from './agreement.ts';
import { deniedHere, deniersOf, likelierDenied } from './denials.ts';
import { dissentOf, disputes } from './dissent.ts';
import { elsewhere } from './elsewhere.ts';
import { aboutClaims } from './said-about.ts';
import { speakersOf } from './speakers.ts';
import { standpointOf } from './standpoint.ts';
import { tiedSpeakers } from './tie.ts';
import { turnsOf } from './turns.ts';

/**
 * `Four independent sources say so; Jane’s says Gustave Whitehead, and one other disagrees.` Sources that are
 * not, or may not be, independent of these are named as such, on either side. A source that says both is told
 * with those that say so, and disagrees with nobody. Sources that speak about a claim dispute or support it,
 * and evidence is told as evidence.
 */
export function sourcesOf(verdict: Verdict, model: Model): Part[] {
  const sentences = [
    speaking(verdict, model),
    deniedHere(verdict, model),
    elsewhere(verdict, model),
    inTheMiddle(verdict),
  ];
  return sentences
    .filter(({ length }) => length > 0)
    .flatMap((one, index): readonly Part[] => (index === 0 ? one : [' ', ...one]));
}

/** Who says what line one says, and who does not. */
function speaking(verdict: Verdict, model: Model): Part[] {
  const { result, explanation } = verdict;
  const tie = tieOf(result);
  if (tie !== null && isDeniedTie(tie)) return deniersOf(tie, verdict, model);
  if (tie !== null && !isOfYesAndNo(tie)) return tiedSpeakers(tie, verdict, model);
  if (result.no_value_counts) return uncounted(verdict);
  // Without the reasons only one side could be counted.
  if (explanation === null) return [];
  const contributions = toldByOrigin(explanation.contributions, model);
  const standpoint = standpointOf(verdict, contributions, model);
  const speakers = speakersOf(contributions, standpoint, model);
  const dissent = dissentOf(speakers, standpoint, verdict, model);
  return [
    ...agreement(speakers, standpoint, model),
    ...turnsOf(speakers, standpoint, verdict, model),
    ...dissent.parts,
    ...(result.superseded ? ['; ', ...supersededWords(result.superseded)] : []),
    ...likelierDenied(verdict, model),
    ...disputes(speakers, standpoint, dissent, verdict, model),
    ...aboutClaims(speakers.supporting, 'support', model),
    ...aboutClaims(speakers.disputing, 'dispute', model),
    '.',
  ];
}

/**
 * `What Daily said was withdrawn, and no other source of it counts.` Others than the source may have done so,
 * as the editors of Wikidata do of what they deprecate.
 */
function uncounted({ claims }: Verdict): Part[] {
  const own = claims.filter(({ input }) => !input.target_claim_id);
  const isWithdrawn = (claim: Claim) => withdrawnStatus(claim) === 'retracted';
  const [name, ...others] = new Set(own.filter(isWithdrawn).map(({ actor }) => actor.name));
  if (name === undefined) return ['No source of it counts.'];
  return [
    'What ',
    ...andOthers(name, others.length),
    ' said was withdrawn',
    own.every(isWithdrawn) ? '.' : ', and no other source of it counts.',
  ];
}

/** `In the middle: 62,000 (90 % interval 40,000 to 150,000).`, where numbers are estimated. */
const inTheMiddle = ({ result: { numeric_estimate: estimate } }: Verdict): Part[] =>
  estimate ? [`${capital(estimateWords(estimate))}.`] : [];
