import { requestContext } from '@platform/authz-client';
import type { Command } from 'commander';
import { contextOf } from '../arguments.ts';
import { EXIT } from '../exit-codes.ts';
import { visible } from '../output.ts';
import type { Shell } from '../shell.ts';

/** A decision, and why: `check`, `explain`. */
export function addDecisions(program: Command, { talking, print, setExitCode }: Shell): void {
  program
    .command('check <subject> <action> <object> [attributes...]')
    .description('ask for a decision; attributes are key=value, repeated for several values')
    .action(
      talking(async (session, subject: string, action: string, object: string, attributes: string[]) => {
        let checkId = '';
        const { authorized } = await session.clients.authorization.checkAuthorization(
          { context: requestContext(contextOf(subject, action, object, attributes)) },
          {
            ...session.extras,
            onTrailer: (trailer) => (checkId = String(trailer.get('x-check-id')[0] ?? '')),
          },
        );
        print(session, { allowed: authorized, checkId }, authorized ? 'allowed' : 'denied');
        if (!authorized) setExitCode(EXIT.no);
      }),
    );

  program
    .command('explain <subject> <action> <object> [attributes...]')
    .description('why a check is decided as it is')
    .action(
      talking(async (session, subject: string, action: string, object: string, attributes: string[]) => {
        const explained = await session.clients.authorization.explainAuthorization(
          { context: requestContext(contextOf(subject, action, object, attributes)) },
          session.extras,
        );
        const lines = explained.policies.map(({ policyName, deny, inverted, matched, statements }) => {
          const effect = `${deny ? 'deny' : 'allow'}${inverted ? ' inverted' : ''}`;
          const why = statements
            .filter((statement) => !statement.matched)
            .map(({ index, failedRuleKey }) => `statement ${index} fails on \`${visible(failedRuleKey)}\``);
          return `${matched ? '●' : '○'} ${visible(policyName)} (${effect})${why.length > 0 ? `: ${why.join('; ')}` : ''}`;
        });
        const verdict = explained.authorized ? 'allowed' : 'denied';
        print(
          session,
          explained,
          [verdict, ...lines, ...explained.problems.map((text) => `! ${visible(text)}`)].join('\n'),
        );
        if (!explained.authorized) setExitCode(EXIT.no);
      }),
    );
}
