import { inQuotes, quotedText } from '@platform/decide/quoted-text';
import {
  PlannedKind,
  PlannedOutcome,
  type PlannedChange,
  type PlanPolicyChangeResponse,
  type PolicyWitness,
  type ReplayedChange,
  type ReplayPoliciesResponse,
} from '@platform/proto/authz/v1/policy_set';
import type { Place } from './names.ts';
import { counted, visible } from './output.ts';
import type { toMessages } from './policy-file.ts';
import type { Session } from './shell.ts';

/** Longest that the service may compare sets, or decide recorded checks. Milliseconds. */
const PLAN_MS_MAX = 90_000;

/** What a set would change. Throws GrpcCallError. */
export function planPolicies(
  { clients, extras }: Session,
  place: Place,
  policies: ReturnType<typeof toMessages>,
): Promise<PlanPolicyChangeResponse> {
  const request = { ...place, policies };
  return clients.policySets.planPolicyChange(request, { ...extras, timeoutMs: PLAN_MS_MAX });
}

/** The checks recorded after `since`, decided as if the set were the policies. Throws GrpcCallError. */
export function replayPolicies(
  { clients, extras }: Session,
  place: Place,
  policies: ReturnType<typeof toMessages>,
  since: Date,
): Promise<ReplayPoliciesResponse> {
  const request = { ...place, policies, since, until: undefined };
  return clients.policySets.replayPolicies(request, { ...extras, timeoutMs: PLAN_MS_MAX });
}

/** How many statements of a plan have each outcome. */
type Counts = Pick<PlanPolicyChangeResponse, 'witnessed' | 'noEffect' | 'notDecided'>;

const sumOf = ({ witnessed, noEffect, notDecided }: Counts): number => witnessed + noEffect + notDecided;

/**
 * Whether the set decides a request otherwise, or may: by the counts, as not every change is listed. A change
 * without effect may have one in a domain that was not compared.
 */
export function mayDecideOtherwise(
  plan: Counts & Pick<PlanPolicyChangeResponse, 'domains' | 'domainsCompared'>,
): boolean {
  const { witnessed, noEffect, notDecided, domains, domainsCompared } = plan;
  return witnessed > 0 || notDecided > 0 || (noEffect > 0 && domainsCompared < domains);
}

/** Whether a recorded check is decided otherwise, or may be, as not all of them were reached. */
export function mayReplayOtherwise({ lost, gained, complete }: ReplayPoliciesResponse): boolean {
  return !complete || [lost, gained].some((change) => (change?.checks ?? 0n) > 0n);
}

/** How many changes there are of each outcome, and whether all domains were compared. */
export function planSummary(plan: PlanPolicyChangeResponse): string {
  const { domains, domainsCompared } = plan;
  if (sumOf(plan) === 0) return 'no difference';
  const partly = domainsCompared < domains ? `; ${domainsCompared} of ${domains} domains compared` : '';
  return countWords(plan) + partly;
}

/** The changes that a plan does not list: how many, and of which outcomes. */
export function unlistedChanges(plan: PlanPolicyChangeResponse): { count: number; words: string } {
  const listed = (outcome: PlannedOutcome) =>
    plan.changes.filter((change) => change.outcome === outcome).length;
  const left = {
    witnessed: plan.witnessed - listed(PlannedOutcome.WITNESSED),
    noEffect: plan.noEffect - listed(PlannedOutcome.NO_EFFECT),
    notDecided: plan.notDecided - listed(PlannedOutcome.NOT_DECIDED),
  };
  return { count: sumOf(left), words: `not listed: ${countWords(left)}` };
}

function countWords({ witnessed, noEffect, notDecided }: Counts): string {
  const statements = counted(witnessed, 'statement changes', 'statements change');
  return `${statements} decisions, ${noEffect} without effect, ${notDecided} not decided`;
}

/** What to do about changes that were not decided, as lines for a terminal; none when all were. */
export function nextSteps({ notDecided }: PlanPolicyChangeResponse): string[] {
  if (notDecided === 0) return [];
  return [
    'not decided: no request was found that the two sets decide differently, and one may exist. Decide recorded checks with --since, or all from now on with `platform policies shadow put`',
  ];
}

const SIGN = {
  [PlannedKind.ADDED]: '+',
  [PlannedKind.REMOVED]: '-',
  [PlannedKind.UNSPECIFIED]: ' ',
} as const;

/** The changes with their witnesses, what is not listed of them, and the summary, as lines for a terminal. */
export function planLines(plan: PlanPolicyChangeResponse): string[] {
  const { count, words } = unlistedChanges(plan);
  return [...plan.changes.flatMap(changeLines), ...(count === 0 ? [] : [words]), planSummary(plan)];
}

function changeLines(change: PlannedChange): string[] {
  const { kind, policyName, words } = change;
  return [`${SIGN[kind]} ${visible(quotedText(policyName))} ${visible(words)}`, `    ${effectOf(change)}`];
}

/** What a change does: the request that both sets decide differently, or why there is none. */
export function effectOf({ outcome, reason, witness }: PlannedChange): string {
  if (witness !== undefined) return witnessLine(witness);
  return outcome === PlannedOutcome.NO_EFFECT ? 'changes no decision' : `not decided: ${reason}`;
}

function witnessLine({
  context,
  authorizedBefore,
  policyBefore,
  policyAfter,
  denied,
}: PolicyWitness): string {
  const textOf = (key: string) => {
    const value = context.get(key)?.value;
    if (value === undefined) return '';
    return value.$case === 'single' ? wordOf(value.value) : value.value.values.map(wordOf).join(', ');
  };
  const more = [...context.keys()].filter((key) => !['subject', 'action', 'object'].includes(key));
  const attributes = more.map((key) => ` ${wordOf(key)}=${textOf(key)}`).join('');
  const none = denied === true ? ', as the policies could not be evaluated' : ', as no policy allows it';
  const by = (policy: string | undefined) => (policy === undefined ? none : ` by \`${quotedText(policy)}\``);
  const [before, after] = authorizedBefore ? ['allowed', 'denied'] : ['denied', 'allowed'];
  return visible(
    `${textOf('subject')} ${textOf('action')} ${textOf('object')}${attributes}: ${before}${by(policyBefore)}, then ${after}${by(policyAfter)}`,
  );
}

/** A value of a request, in quotes where it is not one word. */
const wordOf = (text: string) => (text.includes(' ') ? inQuotes(text) : quotedText(text));

/** What recorded checks gain and lose, as lines for a terminal. */
export function replayLines(replayed: ReplayPoliciesResponse): string[] {
  const { checks, lost, gained, notReplayed, domainNotActive, reached, atLeast, domains, domainsCompared } =
    replayed;
  const more = atLeast ? 'at least ' : '';
  const count = (change: ReplayedChange | undefined, verb: string) => {
    const { subjects = 0n, objects = 0n, checks: times = 0n } = change ?? {};
    return subjects === 0n
      ? `0 ${verb}`
      : `${more}${counted(subjects, `subject ${verb}s`, `subjects ${verb}`)} ${counted(objects, 'object')} (${counted(times, 'check')})`;
  };
  const first = [
    ...(lost?.first ?? []).slice(0, FIRST_SHOWN),
    ...(gained?.first ?? []).slice(0, FIRST_SHOWN),
  ];
  return [
    `${counted(checks, 'recorded check')}: ${count(lost, 'lose')}, ${count(gained, 'gain')}`,
    ...first.map((witness) => `    ${witnessLine(witness)}`),
    ...(notReplayed === 0n
      ? []
      : [
          `${counted(notReplayed, 'check')} not decided again: ${notReplayed === 1n ? 'its row does not keep all values or is' : 'their rows do not keep all values or are'} disputed`,
        ]),
    ...(domainNotActive === 0n
      ? []
      : [
          `${counted(domainNotActive, 'check')} not decided again: ${domainNotActive === 1n ? 'its domain is' : 'their domains are'} not active now or deleted`,
        ]),
    ...(reached === undefined
      ? []
      : [`stopped at ${reached.toISOString()}; checks before it were not reached`]),
    ...(domainsCompared === domains
      ? []
      : [
          `${domains - domainsCompared} of ${domains} domains were left out: their checks are not decided again`,
        ]),
  ];
}

/** Requests printed of each kind. */
const FIRST_SHOWN = 5;
