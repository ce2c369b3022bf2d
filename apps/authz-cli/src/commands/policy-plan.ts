import {
  PlannedKind,
  PlannedOutcome,
  type PlannedChange,
  type PolicyWitness,
  type ReplayedChange,
  type ReplayPoliciesResponse,
} from '@platform/proto/authz/v1/policy_set';
import type { Command } from 'commander';
import { readSince } from '../arguments.ts';
import { EXIT } from '../exit-codes.ts';
import { placeOf, type Place } from '../names.ts';
import { visible } from '../output.ts';
import { readPolicyFile, toMessages } from '../policy-file.ts';
import type { Session, Shell } from '../shell.ts';
import { ofDomain, type DomainOptions } from './of-domain.ts';

/** Longest that the service may compare sets, or decide recorded checks. Milliseconds. */
const PLAN_MS_MAX = 90_000;

/** `policies plan | replay`. */
export function addPolicyPlan(policies: Command, { talking, print, setExitCode }: Shell): void {
  ofDomain(
    policies
      .command('plan <file>')
      .description('what `put` would change, with a request that shows each change'),
  )
    .option('--since <time>', 'decide the recorded checks since then as well: 7d, 12h, 30m or a time')
    .action(
      talking(async (session, path: string, options: DomainOptions & { since?: string }) => {
        const since = options.since === undefined ? undefined : readSince(options.since, new Date());
        const file = await readPolicyFile(path);
        const place = await placeOf(session, options);
        const policySet = toMessages(file.policies);
        const plan = await session.clients.policySets.planPolicyChange(
          { ...place, policies: policySet },
          { ...session.extras, timeoutMs: PLAN_MS_MAX },
        );
        const replayed = since === undefined ? undefined : await replay(session, place, policySet, since);
        const { witnessed, noEffect, notDecided, domains, domainsCompared } = plan;
        const partly = domainsCompared < domains ? `; ${domainsCompared} of ${domains} domains compared` : '';
        const counts = `${witnessed} change decisions, ${noEffect} change none, ${notDecided} not decided${partly}`;
        const lines = [
          ...plan.changes.flatMap(changeLines),
          plan.changes.length === 0 ? 'no difference' : counts,
          ...(replayed === undefined ? [] : replayLines(replayed)),
        ];
        print(session, { ...plan, replay: replayed }, lines.join('\n'));
        if (plan.changes.length > noEffect) setExitCode(EXIT.no);
      }),
    );

  ofDomain(
    policies.command('replay <file>').description('decide recorded checks as if the file were the policies'),
  )
    .requiredOption('--since <time>', 'checks after: 7d, 12h, 30m or a time')
    .action(
      talking(async (session, path: string, options: DomainOptions & { since: string }) => {
        const since = readSince(options.since, new Date());
        const file = await readPolicyFile(path);
        const place = await placeOf(session, options);
        const replayed = await replay(session, place, toMessages(file.policies), since);
        print(session, replayed, replayLines(replayed).join('\n'));
        const differs = (change: ReplayedChange | undefined) => (change?.checks ?? 0n) > 0n;
        if (differs(replayed.lost) || differs(replayed.gained)) setExitCode(EXIT.no);
      }),
    );
}

function replay(
  { clients, extras }: Session,
  place: Place,
  policies: ReturnType<typeof toMessages>,
  since: Date,
): Promise<ReplayPoliciesResponse> {
  const request = { ...place, policies, since, until: undefined };
  return clients.policySets.replayPolicies(request, { ...extras, timeoutMs: PLAN_MS_MAX });
}

const SIGN = {
  [PlannedKind.ADDED]: '+',
  [PlannedKind.REMOVED]: '-',
  [PlannedKind.UNSPECIFIED]: ' ',
} as const;

function changeLines({ kind, policyName, words, outcome, reason, witness }: PlannedChange): string[] {
  const head = `${SIGN[kind]} ${visible(policyName)} ${visible(words)}`;
  if (witness !== undefined) return [head, `    ${witnessLine(witness)}`];
  return [
    head,
    outcome === PlannedOutcome.NO_EFFECT ? '    changes no decision' : `    not decided: ${reason}`,
  ];
}

function witnessLine({ context, authorizedBefore, policyBefore, policyAfter }: PolicyWitness): string {
  const textOf = (key: string) => {
    const value = context.get(key)?.value;
    return value === undefined ? '' : value.$case === 'single' ? value.value : value.value.values.join(', ');
  };
  const more = [...context.keys()].filter((key) => !['subject', 'action', 'object'].includes(key));
  const attributes = more.map((key) => ` ${key}=${textOf(key)}`).join('');
  const by = (policy: string | undefined) => (policy === undefined ? 'by no policy' : `by \`${policy}\``);
  const [before, after] = authorizedBefore ? ['allowed', 'denied'] : ['denied', 'allowed'];
  return visible(
    `${textOf('subject')} ${textOf('action')} ${textOf('object')}${attributes}: ${before} ${by(policyBefore)}, then ${after} ${by(policyAfter)}`,
  );
}

function replayLines(replayed: ReplayPoliciesResponse): string[] {
  const { checks, lost, gained, notReplayed, complete, reached, atLeast } = replayed;
  const more = atLeast ? 'at least ' : '';
  const count = (change: ReplayedChange | undefined, verb: string) => {
    const { subjects = 0n, objects = 0n, checks: times = 0n } = change ?? {};
    return subjects === 0n
      ? `0 ${verb}`
      : `${more}${subjects} ${subjects === 1n ? `subject ${verb}s` : `subjects ${verb}`} ${objects} ${objects === 1n ? 'object' : 'objects'} (${times} checks)`;
  };
  const first = [
    ...(lost?.first ?? []).slice(0, FIRST_SHOWN),
    ...(gained?.first ?? []).slice(0, FIRST_SHOWN),
  ];
  return [
    `${checks} recorded checks: ${count(lost, 'lose')}, ${count(gained, 'gain')}`,
    ...first.map((witness) => `    ${witnessLine(witness)}`),
    ...(notReplayed === 0n
      ? []
      : [`${notReplayed} checks not decided again: their rows do not keep all values`]),
    ...(complete ? [] : [`stopped at ${reached?.toISOString() ?? ''}; checks before it were not reached`]),
  ];
}

/** Requests printed of each kind. */
const FIRST_SHOWN = 5;
