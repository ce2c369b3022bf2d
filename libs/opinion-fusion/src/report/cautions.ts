import { FADED } from '../contract/constants.ts';
import { quote } from '../contract/quote.ts';
import { byCodeUnits, roundForComparison } from '../contract/rounding.ts';
import type { Warnings } from '../contract/warnings.ts';
import type { ConflictAnalysis } from '../interpretations/conflict-analysis.ts';
import type { Actor, Claim } from '../model/model.ts';
import { isStanding } from '../model/reliability.ts';
import { valuesAgree } from '../model/value.ts';
import { truthStatus } from '../verdict/truth-status.ts';
import type { NumericVoices } from '../verdict/numeric-estimate.ts';
import type { Likelier } from '../verdict/rivals.ts';
import type { Verdict } from '../verdict/verdict.ts';
import { AGREE, CONFLICT, relation } from '../model/statements.ts';
import type { StatementGroup } from '../model/statements.ts';
import { refuted } from '../weighing/claim-weighing.ts';
import { bearsOn, isContrary } from '../weighing/counts-for.ts';
import type { Weighed } from '../weighing/weighing.ts';
import { alike } from '../model/spellings.ts';
import { warnOfNearMisses } from './near-miss-cautions.ts';

/**
 * Warns of what changes no number and yet should be looked at: names that nearly meet, verdicts whose leading
 * value no accepted claim holds, claims without a time where others have one, questions whose weight age has
 * taken, and evidence that meets nothing since a source corrected itself. Source: reasoning model §11. Never
 * throws.
 */
export function addCautions(
  verdicts: readonly Verdict[],
  conflicts: readonly ConflictAnalysis[],
  weighed: Weighed,
  warnings: Warnings,
): void {
  warnOfNearMisses(weighed.model, warnings);
  warnOfOneQuestion(weighed, warnings);
  warnOfNamesakes(weighed, warnings);
  verdicts.forEach((verdict, i) => warnUnlessAccepted(verdict, conflicts[i]!, weighed, warnings));
  warnOfAges(weighed, warnings);
  warnOfUpdates(weighed, warnings);
  warnOfLapsedEvidence(weighed, warnings);
}

/** Claims that one warning names. */
const NAMED_MAX = 5;
/**
 * Warns of each source that says later what contradicts what it said before, on one question and scope: each
 * of its claims is weighed less for it, where a replacement might be meant.
 */
function warnOfUpdates({ pairs, contradictions, weighings }: Weighed, warnings: Warnings): void {
  for (const { subject, predicate, buckets } of pairs) {
    for (const { repeaters } of buckets) {
      for (const claims of repeaters.values()) {
        const own = claims.filter(
          (claim) =>
            isStanding(claim) &&
            claim.assertedAt !== null &&
            Boolean(contradictions[claim.index]) &&
            !weighings[claim.index]!.belowFloor,
        );
        if (new Set(own.map(({ assertedAt }) => assertedAt)).size < 2) continue;
        const named = own.slice(0, NAMED_MAX).map(({ id }) => quote(id));
        const more = own.length > named.length ? ` and ${own.length - named.length} more` : '';
        warnings.add(
          'contradicts_itself',
          own[0]!.actor.id,
          `The source ${quote(own[0]!.actor.id)} contradicts itself on ${quote(predicate)} of ${quote(subject.id)} at different times (claims ${named.join(', ')}${more}), and each of these claims weighs less; name in supersedes_claim_id which claim replaces which, if it is an update.`,
        );
      }
    }
  }
}

/** Statements of one question and scope that are looked at for evidence that counts for nothing. */
const CORRECTED_MAX = 100;

/** Warns of evidence against claims that their own sources have corrected, where nothing said meets it. */
function warnOfLapsedEvidence({ pairs, weighings, successions }: Weighed, warnings: Warnings): void {
  const isHeard = ({ index }: Claim) => !weighings[index]!.silent;
  const isRefuted = (claim: Claim) =>
    !isHeard(claim) && !successions.copied.has(claim) && refuted([claim], weighings) > 0;
  for (const { groups } of pairs.flatMap(({ buckets }) => buckets)) {
    for (const own of groups.filter(({ claims }) => claims.some(isRefuted)).slice(0, CORRECTED_MAX)) {
      const meets = (group: StatementGroup) => {
        const is = relation(own, group);
        return is === AGREE ? bearsOn(own, group) : is === CONFLICT && isContrary(own, group);
      };
      if (groups.some((group) => meets(group) && group.claims.some(isHeard))) continue;
      for (const { id, evidence } of own.claims.filter(isRefuted)) {
        const items = evidence.filter(({ valence }) => valence === 'Refutes');
        const named = items.slice(0, NAMED_MAX).map((item) => quote(item.id));
        const more = items.length > named.length ? ` and ${items.length - named.length} more` : '';
        warnings.add(
          'evidence_lapsed',
          id,
          `The evidence against ${quote(id)} (${named.join(', ')}${more}) counts for nothing now, because its source has corrected the claim and nothing else that is said agrees with it or is its contrary; state what the evidence shows as a claim of its own, if the question needs it.`,
        );
      }
    }
  }
}

/** Warns of the numbers that an estimate leaves out, because their units cannot be converted into its own. */
export function warnOfLeftOut(
  { subject, predicate }: Verdict,
  { unit, leftOut }: NumericVoices,
  warnings: Warnings,
): void {
  if (leftOut.length === 0) return;
  const named = leftOut.slice(0, NAMED_MAX).map(({ id }) => quote(id));
  const more = leftOut.length > named.length ? ` and ${leftOut.length - named.length} more` : '';
  const into = unit === '' ? 'a number without unit' : quote(unit);
  warnings.add(
    'estimate_left_out',
    subject.id,
    `The estimate of ${quote(predicate)} of ${quote(subject.id)} leaves out ${named.join(', ')}${more}: their units cannot be converted into ${into}; state them in one unit.`,
  );
}

/** Warns of a leading value that has the most weight and yet not the highest chance, in whole percent. */
export function warnOfLikelier(
  { leading, subject, predicate }: Verdict,
  { value, isDenial, chance, leadingChance }: Likelier,
  { groupOf }: Weighed,
  warnings: Warnings,
): void {
  const said = (one: string, isDenied: boolean) => `${isDenied ? 'not ' : ''}${quote(one)}`;
  const { denies, value: first } = groupOf[leading!.index]!;
  const led = first.kind === 'boolean' ? String(first.truth) : leading!.input.value;
  const percent = (share: number) => `${Math.round(100 * share)} %`;
  if (percent(leadingChance) === percent(chance)) return;
  warnings.add(
    'leading_value_less_likely',
    subject.id,
    `Of ${quote(predicate)} of ${quote(subject.id)}, ${said(led, denies)} has the most weight but is less likely than ${said(value, isDenial)} (${percent(leadingChance)} against ${percent(chance)}); look at the evidence for and against both before relying on either.`,
  );
}

function warnUnlessAccepted(
  { leading, leadingValue, opinion, subject, predicate }: Verdict,
  { argumentation }: ConflictAnalysis,
  { model, groupOf }: Weighed,
  warnings: Warnings,
): void {
  const accepted = argumentation.accepted_claims.map((id) => model.claimById.get(id)!);
  // A verdict of False says by itself that the leading value does not hold.
  if (!leading || accepted.length === 0 || truthStatus(opinion) === 'False') return;
  const group = groupOf[leading.index]!;
  const holds = (claim: Claim): boolean => {
    const own = groupOf[claim.index];
    return own != null && own.denies === group.denies && valuesAgree(own.value, group.value);
  };
  if (accepted.some(holds)) return;
  warnings.add(
    'leading_value_not_accepted',
    subject.id,
    `The leading value ${quote(leadingValue)} of ${quote(predicate)} of ${quote(subject.id)} is held by no accepted claim; look at the interpretations before relying on it.`,
  );
}

/**
 * One warning that counts the claims without a time on questions where others have one, and one for each
 * question of which age has taken most of the weight while nobody gave a half-life. Only claims that stand
 * count.
 */
function warnOfAges({ model, pairs, weighings }: Weighed, warnings: Warnings): void {
  let undated = 0;
  let questions = 0;
  for (const { subject, predicate, claims } of pairs) {
    const standing = claims.filter(isStanding);
    const timeless = standing.filter(({ assertedAt }) => assertedAt === null).length;
    if (timeless > 0 && timeless < standing.length) {
      undated += timeless;
      questions += 1;
    }
    if (model.input.decay_half_life_days != null) continue;
    let given = 0;
    let left = 0;
    let old = 0;
    for (const claim of standing) {
      const { reliability, belowFloor, ageing } = weighings[claim.index]!;
      if (belowFloor) continue;
      given += reliability;
      left += reliability * ageing.decay;
      if (ageing.ageDays > FADED.halfLives * ageing.halfLifeDays) old += 1;
    }
    if (old === 0 || roundForComparison(left / given) >= FADED.shareLeft) continue;
    const percent = Math.round((100 * left) / given);
    warnings.add(
      'faded_with_age',
      subject.id,
      `Age has left ${percent === 0 ? 'less than 1' : percent} % of the weight of the claims on ${quote(predicate)} of ${quote(subject.id)}; ${old} of them ${old === 1 ? 'is' : 'are'} older than two half-lives. Set ${model.input.as_of == null ? 'as_of to the time that the question is about, or ' : ''}decay_half_life_days to how fast such claims age.`,
    );
  }
  if (undated > 0)
    warnings.add(
      'undated_beside_dated',
      '',
      `${undated === 1 ? '1 claim has' : `${undated} claims have`} no assertion_time and so never ${undated === 1 ? 'ages' : 'age'}, while dated claims on the same ${questions === 1 ? 'question' : 'questions'} do; give the time of each.`,
    );
}

/** Words of a predicate that say that it counts, and not what. */
const COUNTING = new Set(['number', 'of', 'the', 'total', 'count', 'toll', 'tally', 'sum', 'overall', 'no']);

/** What a predicate counts: `death` of `deaths` and of `number_of_deaths`; empty where nothing is left. */
function countedBy(predicate: string): string {
  const words = predicate.toLowerCase().split(/[^\p{L}\p{N}]+/u);
  return words
    .filter((word) => word !== '' && !COUNTING.has(word))
    .map((word) => word.replace(/(?<=\p{L}{3})(?<!s)s$/u, ''))
    .join(' ');
}

/** Suggests for each subject that predicates with numbers that count the same may be one question. */
function warnOfOneQuestion({ pairs }: Weighed, warnings: Warnings): void {
  const known = new Map<string, { readonly subject: string; readonly names: string[] }>();
  for (const { subject, predicate, claims } of pairs) {
    const what = countedBy(predicate);
    if (what === '' || !claims.some((claim) => isStanding(claim) && /^\D{0,12}\d/.test(claim.input.value)))
      continue;
    const key = JSON.stringify([subject.id, what]);
    const { names } = known.get(key) ?? known.set(key, { subject: subject.id, names: [] }).get(key)!;
    // Two spellings of one name have a warning of their own.
    if (!names.some((name) => alike(name) === alike(predicate))) names.push(predicate);
  }
  for (const { subject, names } of known.values()) {
    if (names.length < 2) continue;
    const listed = names.sort(byCodeUnits).map(quote);
    warnings.add(
      'may_be_one_question',
      subject,
      `The predicates ${listed.slice(0, -1).join(', ')} and ${listed.at(-1)} of ${quote(subject)} may be one question and are judged apart; give their claims one predicate if they are.`,
    );
  }
}

/**
 * Warns of each source that has the name and type of one before it, where both speak and do not count as one
 * voice already, as by depends_on.
 */
function warnOfNamesakes({ model: { claims, actors }, classes }: Weighed, warnings: Warnings): void {
  const speakers = new Set(claims.filter(isStanding).map(({ actor }) => actor));
  const first = new Map<string, Actor>();
  for (const actor of actors.filter((one) => speakers.has(one)).sort((a, b) => byCodeUnits(a.id, b.id))) {
    const key = `${actor.type} ${alike(actor.name)}`;
    const other = first.get(key);
    if (actor.name.trim() === '') continue;
    if (other === undefined) first.set(key, actor);
    else if (classes.of(actor) !== classes.of(other))
      warnings.add(
        'same_name',
        actor.id,
        `The sources ${quote(other.id)} and ${quote(actor.id)} have one name, ${[...new Set([other.name, actor.name])].map(quote).join(' or ')}, and one type, and count as two independent sources; give their claims one actor_id if they are the same.`,
      );
  }
}
