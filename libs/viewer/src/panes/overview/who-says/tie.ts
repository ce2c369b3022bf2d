import { byWeight, inWords, namedOfTie, textOf, type Part } from '@platform/opinion-fusion';
import { answerOfClaim, isDenial, saysYesOrNo } from '../../../components/claim-statement.tsx';
import { toldByOrigin } from '../../../components/told-by-origin.ts';
import { shortened } from '../../../format/text.ts';
import {
  answerWord,
  capital,
  isHeard,
  isTieApart,
  otherValues,
  placeText,
  sameWords,
  withdrawnStatus,
  type Rival,
} from '../../../format/words.ts';
import type { Claim, Model, Verdict } from '../../../model.ts';
import { alike } from './copies.ts';
import { deniedBy, disputedBy } from './refutations.ts';

/**
 * `Herald says Lions, and two independent sources say Tigers; Post says Bears.`: who says what is tied, and
 * who what comes next; of several scopes and times `Census says each.` where that is so of all.
 */
export function tiedSpeakers(tie: readonly Rival[], verdict: Verdict, model: Model): Part[] {
  const { result, explanation } = verdict;
  if (explanation === null) return [];
  const { named } = namedOfTie(tie);
  const isApart = isTieApart(tie);
  const said = speakersOfTie(isApart, verdict, model);
  const saidOf = (values: readonly Rival[]): Part[] =>
    values.flatMap((rival, index): Part[] => [
      index === 0 ? '' : index === values.length - 1 ? ', and ' : ', ',
      ...said(rival, [
        { user: `${shortened(answerWord(rival.value), 80)}${isApart ? placeText(rival) : ''}` },
      ]),
    ]);
  const each = new Map(named.map((rival) => said(rival, ['each'])).map((one) => [textOf(one), one]));
  const [next = []] = byWeight(otherValues(result).filter((one) => !one.denied && !tie.includes(one)));
  const others = namedOfTie(next).named;
  const [first, ...rest] = [
    ...(isApart && each.size === 1 ? [...each.values()].flat() : saidOf(named).slice(1)),
    ...(others.length > 0 ? ['; ', ...saidOf(others)] : []),
  ] as [Part, ...Part[]];
  return [typeof first === 'string' ? capital(first) : first, ...rest, '.'];
}

/** Words for who says a value: `two independent sources say Tigers, which Curator disputes`. */
function speakersOfTie(isApart: boolean, { claims, explanation }: Verdict, model: Model) {
  const contributions = explanation!.contributions;
  const voiced = toldByOrigin(contributions, model).filter(({ counted }) => counted > 0);
  const counted = new Set(voiced.map(({ claim_id }) => claim_id));
  const suspected = contributions.some((one) => one.suspected);
  const namesOf = (list: readonly Claim[]) => new Set(list.map(({ actor }) => actor.name));
  const classOf = new Map(contributions.map((one) => [one.claim_id, one.dependence_class]));
  const classesOf = (list: readonly Claim[]) => new Set(list.map(({ id }) => classOf.get(id)));
  return (rival: Rival, what: readonly Part[]): Part[] => {
    const { source_count: all = 0, independent_source_count: heard = all } = rival;
    const saying = claims.filter(
      (claim) =>
        !claim.input.target_claim_id &&
        (!isDenial(claim) || saysYesOrNo(claim)) &&
        isHeard(claim.analysis) &&
        sameWords(answerOfClaim(claim), answerWord(rival.value)) &&
        (!isApart || placeText(claim.input) === placeText(rival)),
    );
    const own = saying.filter((claim) => withdrawnStatus(claim) !== 'superseded');
    const replaced = namesOf(saying).size - namesOf(own).size;
    const independent = heard - (classesOf(saying).size - classesOf(own).size);
    const names = namesOf(own.filter(({ id }) => all - replaced === 1 || counted.has(id)));
    const [user] = independent === 1 && names.size === 1 ? names : [];
    const copies = isApart ? 0 : Math.max(0, all - replaced - independent);
    return [
      ...(user === undefined
        ? [`${inWords(independent)} ${independent === 1 ? 'source' : 'independent sources'}`]
        : [{ user }]),
      ` say${independent === 1 ? 's' : ''} `,
      ...what,
      ...alike({ copies, suspected }, independent),
      ...disputedBy(own, model),
      ...deniedBy(rival, claims, model),
    ];
  };
}
