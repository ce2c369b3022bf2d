import type { Command } from 'commander';
import { readSince } from '../arguments.ts';
import { EXIT } from '../exit-codes.ts';
import { accountNames, placeOf, withAccountNames, type Place } from '../names.ts';
import { folded, visible } from '../output.ts';
import {
  mayDecideOtherwise,
  mayReplayOtherwise,
  nextSteps,
  planLines,
  planPolicies,
  replayLines,
  replayPolicies,
  unlistedChanges,
} from '../policy-changes.ts';
import { readPolicyFile, toMessages } from '../policy-file.ts';
import { isRefused, setOf, throwPlaced, validateSet } from '../policy-findings.ts';
import type { Session, Shell } from '../shell.ts';
import { ofDomain, type DomainOptions } from './of-domain.ts';
import { notePresent } from './policy-versions.ts';

/** `policies plan | replay`. */
export function addPolicyPlan(policies: Command, shell: Shell): void {
  const { talking, print, setExitCode } = shell;
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
        const plan = await planPolicies(session, place, policySet).catch((error: unknown) =>
          throwPlaced(session, error, file),
        );
        const { warnings } = await validateSet(session, setOf(file), place);
        const refused = warnings.filter(isRefused).map(({ words }) => words);
        const replayed =
          since === undefined ? undefined : await replayPolicies(session, place, policySet, since);
        const lines = [
          ...planLines(plan),
          ...refused.map((words) => `\`put\` refuses the set: ${words}`),
          ...nextSteps(plan),
          ...(replayed === undefined ? [] : replayLines(replayed)),
        ];
        notePresent(shell, session, plan.version);
        print(
          session,
          { ...plan, notListed: unlistedChanges(plan).count, refused, replay: replayed },
          await readable(session, place, lines, shell.columns),
        );
        if (mayDecideOtherwise(plan)) setExitCode(EXIT.no);
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
        const policySet = toMessages(file.policies);
        const replayed = await replayPolicies(session, place, policySet, since).catch((error: unknown) =>
          throwPlaced(session, error, file),
        );
        print(session, replayed, await readable(session, place, replayLines(replayed), shell.columns));
        if (mayReplayOtherwise(replayed)) setExitCode(EXIT.no);
      }),
    );
}

/** The lines as one text of the terminal's width, with the names of accounts behind their ids. */
async function readable(
  session: Session,
  { tenantId }: Place,
  lines: readonly string[],
  width: number | undefined,
): Promise<string> {
  const names = session.isJson ? new Map<string, string>() : await accountNames(session, tenantId);
  return lines.map((line) => folded(visible(withAccountNames(line, names)), width)).join('\n');
}
