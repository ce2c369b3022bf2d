import { requestContext } from '@platform/authz-client';
import type { ExplainAuthorizationResponse } from '@platform/proto/authz/v1/authorization';
import type { Command } from 'commander';
import { contextOf } from '../arguments.ts';
import { EXIT } from '../exit-codes.ts';
import { objectOf } from '../names.ts';
import { visible } from '../output.ts';
import type { Shell } from '../shell.ts';

type Context = ReturnType<typeof contextOf>;
type Trace = ExplainAuthorizationResponse['policies'][number];

/** Decisions and their reasons: `check`, `explain`. */
export function addDecisions(program: Command, { talking, print, setExitCode }: Shell): void {
  const question = (name: string, description: string) =>
    program
      .command(`${name} <subject> <action> <object> [attributes...]`)
      .description(`${description}; an object without svc:// is a path of the current domain`);

  question('check', 'ask for a decision; attributes are key=value, repeated for several values').action(
    talking(async (session, subject: string, action: string, object: string, attributes: string[]) => {
      let checkId = '';
      const context = contextOf(subject, action, await objectOf(session, object), attributes);
      const { authorized } = await session.clients.authorization.checkAuthorization(
        { context: requestContext(context) },
        {
          ...session.extras,
          onTrailer: (trailer) => (checkId = String(trailer.get('x-check-id')[0] ?? '')),
        },
      );
      print(session, { allowed: authorized, checkId }, authorized ? 'allowed' : 'denied');
      if (!authorized) setExitCode(EXIT.no);
    }),
  );

  question('explain', 'say which policy decides a check, and why the others do not match').action(
    talking(async (session, subject: string, action: string, object: string, attributes: string[]) => {
      const context = contextOf(subject, action, await objectOf(session, object), attributes);
      const explained = await session.clients.authorization.explainAuthorization(
        { context: requestContext(context) },
        session.extras,
      );
      const lines = explained.policies.map((trace) => policyLine(trace, context));
      const problems = explained.problems.map((text) => `! ${visible(text)}`);
      print(session, explained, [verdictOf(explained), ...lines, ...problems].join('\n'));
      if (!explained.authorized) setExitCode(EXIT.no);
    }),
  );
}

/**
 * The decision in a sentence that names the policy behind it: the first deny that matches, else the first
 * allow.
 */
export function verdictOf({ authorized, policies, problems }: ExplainAuthorizationResponse): string {
  const matched = policies.filter((policy) => policy.matched);
  const decisive = matched.find(({ deny }) => deny) ?? matched[0];
  if (authorized && decisive) return `allowed: policy \`${visible(decisive.policyName)}\` allows it`;
  if (decisive?.deny) return `denied: policy \`${visible(decisive.policyName)}\` denies it`;
  if (problems.length > 0) return 'denied: the policies could not be evaluated';
  return policies.length === 0 ? 'denied: the domain has no policies' : 'denied: no policy allows it';
}

/** One policy: ● when it matches, ○ with what failed in each statement and the value it met. */
function policyLine({ policyName, deny, inverted, matched, statements }: Trace, context: Context): string {
  const effect = `${deny ? 'deny' : 'allow'}${inverted ? ', inverted' : ''}`;
  const failures = statements
    .filter((statement) => !statement.matched)
    .map(({ index, failedRuleKey }) => {
      const met = context[failedRuleKey];
      const value = met === undefined ? 'the request has none' : [met].flat().map(quoted).join(', ');
      return `${statements.length > 1 ? `statement ${index + 1}: ` : ''}\`${visible(failedRuleKey)}\` does not match (${value})`;
    });
  const why = failures.length > 0 ? `: ${failures.join('; ')}` : '';
  return `${matched ? '●' : '○'} ${visible(policyName)} (${effect})${why}`;
}

const quoted = (text: string) => `"${visible(text)}"`;
