import {
  denialWords,
  disputedWords,
  leadingOf,
  leadsOther,
  statedIn,
  textOf,
  tiedValues,
  unlistedOf,
  whereSaid,
  noneWouldLead,
  whereExplained,
} from '@platform/opinion-fusion';
import { FIRST_PART, isCounted, listsOf, type Explained } from './explanation-part.ts';
import type { AskedPart } from './shown-result.ts';
import { ageSuffix, conditionsSuffix, estimateSuffix, inBrackets, verdictHead } from './verdict-summary.ts';
import { percent, short } from './words.ts';

type Explanation = Explained['explanation'];
type Contribution = Explanation['contributions'][number];
type Rival = Explanation['rival_values'][number];

const RIVALS_MAX = 5;

/**
 * The arguments for and against a verdict, strongest first, what did not count and why, and what would
 * change it; of a part behind the first, its contributions and sources alone.
 */
export function explanationText(
  { explanation: e, judged_at }: Explained,
  part: AskedPart = FIRST_PART,
): string {
  const isFirst = part.offset === 0;
  return [
    headLine(e, judged_at),
    ...(isFirst ? [...rivalLine(e), ...denialLine(e), itemsLine(e)] : []),
    ...contributionLines(e, part),
    ...(isFirst ? [changeLine(e)] : []),
    ...sourceLines(e, part),
  ].join('\n');
}

const headLine = (e: Explanation, judgedAt: string): string =>
  `${verdictHead(whole(e))} (judged ${judgedAt})${estimateSuffix(e)}${ageSuffix(whole(e), e.decay_half_life_days)}${conditionsSuffix(e)}`;

/** With a tie of values of other scopes and times, which the explanation of one answer has none of. */
const whole = (e: Explanation) => ({ ...e, tied: e.tied ?? e.rival_values.some(({ tied }) => tied) });

const itemsLine = ({ r, s, prior_weight: prior }: Explanation): string =>
  `Evidence for ${r.toFixed(2)} items, against ${s.toFixed(2)}; ${prior} stand for not knowing.`;

/** The values that the head line does not name. */
function rivalLine(e: Explanation): string[] {
  const { rival_values: rivals, leading_value: leading, tied, denied } = whole(e);
  const tie = tiedValues({ tied, rival_values: rivals }) ?? [];
  const rest = rivals.filter((one, index) => index > 0 && !tie.includes(one));
  const isApart = (one: Rival) => one.apart === true && (!one.denied || !denied);
  const others = rest.filter((one) => !isApart(one) && one.value !== leading);
  const apart = rest.filter(isApart);
  const more = unlistedOf(whole(e));
  const disputed = textOf(disputedWords(e)).trimEnd();
  const words = (values: readonly Rival[], unlisted: number) =>
    values
      .slice(0, RIVALS_MAX)
      .map((rival) => {
        const where = whereSaid(rival);
        const how = rival.denied && !denied ? 'denied, ' : '';
        return `${short(rival.value)} (${where === '' ? '' : `${short(where)}: `}${how}${percent(rival.calibrated_probability)})`;
      })
      .join(', ') + andMore(Math.max(0, values.length - RIVALS_MAX) + unlisted);
  return [
    ...(others.length > 0
      ? [`${denied ? 'Denied elsewhere' : 'Rival values'}: ${words(others, more.competing)}`]
      : []),
    ...(apart.length > 0 || more.apart > 0
      ? [`In other scopes or of other times: ${words(apart, more.apart).replace(/^ and /, '')}`]
      : []),
    ...(disputed === '' ? [] : [disputed]),
  ];
}

const andMore = (count: number): string => (count > 0 ? ` and ${count} more` : '');

/** Values that nobody states, with the claims that deny them. */
function denialLine({ denials = [] }: Explanation): string[] {
  if (denials.length === 0) return [];
  const claims = ({ claim_ids: ids }: (typeof denials)[number]) => [` (${short(ids.join(', '))})`];
  return [`Denied, and said by nobody: ${textOf(denialWords(denials, claims))}.`];
}

function speakerOf(c: Contribution): string {
  if (c.inference_id !== undefined) return `inference ${c.inference_id}`;
  if (c.evidence_id !== undefined)
    return `evidence ${c.evidence_id} against ${c.claim_id}${c.denies ? `, which denies ${short(c.value ?? '')}` : ''}`;
  const name = c.actor_name ?? c.actor_id ?? '';
  if (c.target_claim_id !== undefined) return `${name} on claim ${c.target_claim_id} (${c.claim_id})`;
  return `${name} ${c.denies ? 'denies' : 'says'} ${short(c.value ?? '')} (${c.claim_id})`;
}

/** A cost below this share of the weight is not worth a word. */
const COST_FROM = 0.5;
const COSTS: { readonly [name: string]: string } = {
  decay: 'age',
  competence: 'little competence in this field',
  self_contradiction: 'contradicting itself',
  superseded: 'being superseded',
  kappa: 'what others say about the claim',
};

/** The factor that takes most of what a claim could add, where it takes half or more. */
function costOf({ factors, original }: Contribution): string {
  const [least] = factors.filter(({ name }) => name in COSTS).toSorted((a, b) => a.value - b.value);
  if (least === undefined || least.value > COST_FROM) return '';
  const isLike = original && least.name === 'superseded';
  const what = isLike
    ? `saying the same as claim ${original.claim_id}, which is superseded`
    : COSTS[least.name];
  return `; ${percent(1 - least.value)} lost to ${what}`;
}

/** Why a claim that is weighed like the withdrawn one of another source adds nothing; null for any other. */
function originalWords({ original, outcome }: Contribution): string | null {
  if (!original || (outcome !== 'withdrawn_original' && outcome !== 'superseded')) return null;
  const what = `claim ${original.claim_id} of another source, which was ${outcome === 'superseded' ? 'superseded' : 'withdrawn'}`;
  return original.suspected
    ? `it says the same as ${what}, and may not be independent of it, which is a suspicion and no proof`
    : `it repeats ${what}; its source depends on that one, according to the author`;
}

const SUSPECTED =
  'it says the same unusual things as a source that counts in its place, and may not be independent of it';
const OUTCOME_WORDS: Readonly<Record<Contribution['outcome'], string>> = {
  counted: 'adds nothing',
  capped: 'inferences add one item at most',
  dependent: 'a source that is not independent of it counts in its place',
  discounted: 'one of a crowd of unidentified sources',
  below_floor: 'the source is too unreliable to be heard',
  retracted: 'retracted',
  corrected: 'corrected by its own source',
  withdrawn_original: 'it says the same as a claim that was withdrawn',
  superseded: 'superseded',
  unheard_target: 'speaks about a claim that is not heard',
  distinguished: 'a distinction ends the conflict',
  other_answer: 'neither yes nor no, so on neither side',
  raises_target: 'supports that claim, and counts in its weight alone',
  lowers_target: 'disputes that claim, and counts in its weight alone',
};

function contributionLines(e: Explanation, part: AskedPart): string[] {
  const { contributions } = listsOf(e);
  const shown = partOf(contributions, part);
  const [counts, idle] = [shown.filter(isCounted), shown.filter((one) => !isCounted(one))];
  return [
    ...(shown.length === 0 && part.offset > 0
      ? [`There are ${contributions.length} contributions, so none begins at this offset.`]
      : []),
    ...counts.map((c) => `- ${c.side}: ${speakerOf(c)}, ${c.counted.toFixed(2)} items${costOf(c)}`),
    ...(idle.length > 0 ? ['Not counted:'] : []),
    ...idle.map(
      (c) => `- ${speakerOf(c)}: ${originalWords(c) ?? (c.suspected ? SUSPECTED : OUTCOME_WORDS[c.outcome])}`,
    ),
    ...more(contributions, part, 'more'),
  ];
}

const partOf = <Item>(list: readonly Item[], { limit, offset }: AskedPart): readonly Item[] =>
  list.slice(offset, offset + limit);

/** How many items come behind a part, and how to ask for them; empty where none do. */
function more(list: readonly unknown[], { limit, offset }: AskedPart, what: string): string[] {
  const next = offset + limit;
  return list.length > next ? [`… ${list.length - next} ${what}: ask with offset ${next}`] : [];
}

function changeLine(e: Explanation): string {
  const { smallest_change: change } = e;
  if (change === null) return `No removal of claims changes the answer${placeOf(e)}.`;
  if (change.claim_ids.length === 0) return 'Which claims would change the answer was not found in time.';
  const removed = short(change.removed_claim_ids.join(', '));
  return `Without ${removed}${idleWords(change.removed_claim_ids, e)}: ${outcomeWords(change, e)}.`;
}

/** Why a verdict changes without claims that add nothing, where their line does not say so itself. */
function idleWords(removed: readonly string[], e: Explanation): string {
  const of = e.contributions.filter(({ claim_id: id }) => id !== null && removed.includes(id));
  const isTold = ({ outcome }: Contribution) => outcome === 'raises_target' || outcome === 'lowers_target';
  if (of.length === 0 || of.some((one) => isCounted(one) || isTold(one))) return '';
  return `, which ${removed.length === 1 ? 'adds nothing itself but decides' : 'add nothing themselves but decide'} whether others count`;
}

/** The sources that the verdict hangs on, and what it would be without each; the data have the same. */
function sourceLines(e: Explanation, part: AskedPart): string[] {
  const names = new Map(e.contributions.map(({ actor_id: id, actor_name: name }) => [id, name]));
  const { without_source: turning } = listsOf(e);
  return [
    ...partOf(turning, part).map(
      (row) =>
        `Without ${short(names.get(row.actor_id) ?? row.actor_id)}${idleWords(row.claim_ids, e)}: ${outcomeWords(row, e)}.`,
    ),
    ...more(turning, part, 'more sources change it'),
    ...(e.without_source_is_complete ? [] : ['Not every source could be looked at in time.']),
  ];
}

/** ` (in Berlin)`: the scope and time of a verdict as it would be, or of the present one. */
const placeOf = (e: Explanation, other: Outcome = e): string => inBrackets(whereExplained(e, e, other));

type Outcome = Pick<
  Explanation,
  | 'truth_status'
  | 'leading_value'
  | 'tied'
  | 'denied'
  | 'expected_probability'
  | 'scope'
  | 'event_start_time'
  | 'event_end_time'
>;

/** A verdict as it would be, in what differs from the present one. */
function outcomeWords(other: Outcome, e: Explanation): string {
  const status = `truth status ${other.truth_status}${placeOf(e, other)}`;
  if (noneWouldLead(other, e))
    return `no value would lead${other.denied ? ` (${e.predicate} = ${short(other.leading_value!)} denied)` : ''}, ${status}`;
  const question = statedIn(e.subject_name, e.predicate) === null ? `${e.predicate} =` : 'the rating';
  const leads = leadsOther(other, e)
    ? `${question} ${short(leadingOf(other)!)}${other.denied ? ' (denied) would be the answer' : ' would lead'}, `
    : '';
  return `${leads}${status}`;
}
