import { leadsOther, whereSaid, wouldTie } from '@platform/opinion-fusion';
import type { z } from 'zod';
import type { ExplainedVerdict } from '../wire/explanation-schema.ts';
import { percent, short, statusWords } from './words.ts';

type Explained = z.output<typeof ExplainedVerdict>;
type Explanation = Explained['explanation'];
type Contribution = Explanation['contributions'][number];

const CONTRIBUTIONS_MAX = 8;
const SOURCES_MAX = 20;
const RIVALS_MAX = 5;

/**
 * The arguments for and against a verdict, strongest first, what did not count and why, and what would
 * change it.
 */
export function explanationText({ explanation: e, judged_at }: Explained): string {
  const counts = e.contributions.filter(isCounted);
  const idle = e.contributions.filter((contribution) => !isCounted(contribution));
  return [
    headLine(e, judged_at),
    ...rivalLine(e),
    `Evidence for ${e.r.toFixed(2)} items, against ${e.s.toFixed(2)}; ${e.prior_weight} stand for not knowing.`,
    ...linesOf(counts, (c) => `- ${c.side}: ${speakerOf(c)}, ${c.counted.toFixed(2)} items${costOf(c)}`),
    ...(idle.length > 0 ? ['Not counted:'] : []),
    ...linesOf(idle, (c) => `- ${speakerOf(c)}: ${c.suspected ? SUSPECTED : OUTCOME_WORDS[c.outcome]}`),
    changeLine(e),
    ...sourceLine(e),
  ].join('\n');
}

/** Whether a contribution adds anything to the verdict. */
export function isCounted({ counted }: Contribution): boolean {
  return counted > 0;
}

function headLine(e: Explanation, judgedAt: string): string {
  const leading = e.leading_value === null ? '' : ` = ${short(e.leading_value)}`;
  const chance = e.calibrated_probability ?? e.expected_probability;
  return `${short(e.subject_name)}: ${e.predicate}${leading}: ${statusWords(e.truth_status, chance)}, chance that it is true ${percent(chance)} (judged ${judgedAt})`;
}

function rivalLine({ rival_values: rivals, leading_value: leading, tied: isTied }: Explanation): string[] {
  const others = rivals.filter(({ value }) => value !== leading).slice(0, RIVALS_MAX);
  if (others.length === 0) return [];
  const words = others.map((rival) => {
    const where = whereSaid(rival);
    return `${short(rival.value)} (${where === '' ? '' : `${short(where)}: `}${percent(rival.calibrated_probability)})`;
  });
  return [`${isTied ? 'No value leads; r' : 'R'}ival values: ${words.join(', ')}`];
}

function speakerOf(c: Contribution): string {
  if (c.inference_id !== undefined) return `inference ${c.inference_id}`;
  if (c.evidence_id !== undefined) return `evidence ${c.evidence_id} against ${c.claim_id}`;
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
function costOf({ factors }: Contribution): string {
  const [least] = factors.filter(({ name }) => name in COSTS).toSorted((a, b) => a.value - b.value);
  if (least === undefined || least.value > COST_FROM) return '';
  return `; ${percent(1 - least.value)} lost to ${COSTS[least.name]}`;
}

const SUSPECTED =
  'it says the same unusual things as a source that counts in its place, and may not be independent of it';
const OUTCOME_WORDS: Readonly<Record<Contribution['outcome'], string>> = {
  counted: 'adds nothing',
  capped: 'inferences add one item at most',
  dependent: 'a source it depends on says the same and counts in its place',
  discounted: 'one of a crowd of unidentified sources',
  below_floor: 'the source is too unreliable to be heard',
  retracted: 'retracted',
  corrected: 'corrected by its own source',
  superseded: 'superseded',
  unheard_target: 'speaks about a claim that is not heard',
  distinguished: 'a distinction ends the conflict',
};

function linesOf(contributions: readonly Contribution[], lineOf: (contribution: Contribution) => string) {
  const more = contributions.length - CONTRIBUTIONS_MAX;
  return [
    ...contributions.slice(0, CONTRIBUTIONS_MAX).map(lineOf),
    ...(more > 0 ? [`… ${more} more: ask with detail full`] : []),
  ];
}

function changeLine(explanation: Explanation): string {
  const { smallest_change: change, predicate } = explanation;
  if (change === null) return 'No removal of claims changes the truth status.';
  if (change.claim_ids.length === 0)
    return 'Which claims would change the truth status was not found in time.';
  const other = leadsOther(change, explanation) ? `${predicate} = ${short(change.leading_value!)}: ` : '';
  const tie = wouldTie(change, explanation) ? ', and no value would lead' : '';
  return `Without ${short(change.removed_claim_ids.join(', '))} it would be ${other}${change.truth_status}${tie}.`;
}

function sourceLine(e: Explanation): string[] {
  const names = new Map(e.contributions.map(({ actor_id: id, actor_name: name }) => [id, name]));
  const turning = e.without_source
    .filter((row) => row.flips || leadsOther(row, e) || wouldTie(row, e))
    .map(({ actor_id: id }) => names.get(id) ?? id);
  if (turning.length === 0) return [];
  return [`Rests on a single source: without ${turning.slice(0, SOURCES_MAX).join(' or ')} it changes.`];
}
