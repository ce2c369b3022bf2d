import { requestContext } from '@platform/authz-client';
import type {
  ExplainAuthorizationRequest,
  ExplainAuthorizationResponse,
} from '@platform/proto/authz/v1/authorization';
import type { Command } from 'commander';
import { contextOf } from '../arguments.ts';
import { EXIT, UsageError } from '../exit-codes.ts';
import { domainsOf, namedSubjectLines, objectOf, tenantOf } from '../names.ts';
import { visible } from '../output.ts';
import type { Session, Shell } from '../shell.ts';
import { ofDomain, verdictOf } from '../verdict.ts';

type Context = ReturnType<typeof contextOf>;
type Trace = ExplainAuthorizationResponse['policies'][number];

/** Decisions and their reasons: `check`, `explain`. */
export function addDecisions(program: Command, { talking, print, note, setExitCode }: Shell): void {
  program
    .command('check <subject> <action> <object> [attributes...]')
    .description(
      'ask for a decision; the subject of an account is its id, as `whoami` prints; attributes are key=value, repeated for several values; an object without svc:// is a path of the current domain',
    )
    .action(
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
        const named = authorized ? [] : await namedSubjectLines(session, subject);
        if (session.isJson) named.forEach((line) => note?.(line));
        const text = [authorized ? 'allowed' : 'denied', ...named].join('\n');
        print(session, { allowed: authorized, checkId }, text);
        if (!authorized) setExitCode(EXIT.no);
      }),
    );

  program
    .command('explain [subject] [action] [object] [attributes...]')
    .description(
      'say which policy decides a check, and why the others do not match; with --at, of a check of the past',
    )
    .option(
      '--at <check id>',
      'explain this check as it was decided (`check --json` and `audit tail` print ids)',
    )
    .option('--tenant <tenant>', 'with --at: id or name of the tenant that the check was made in')
    .action(
      talking(async (session, ...args) => {
        const [subject, action, object, attributes, options] = args as ExplainArguments;
        const asked = [subject, action, object];
        if (options.at === undefined ? asked.includes(undefined) : subject !== undefined)
          throw new UsageError('explain takes <subject> <action> <object>, or --at <check id> alone');
        if (options.at === undefined) {
          if (options.tenant !== undefined)
            throw new UsageError('explain --tenant goes with --at; without it the object says the domain');
          const uri = await objectOf({ ...session, options: new Set() }, object!);
          const context = contextOf(subject!, action!, uri, attributes);
          return show(session, { context: requestContext(context) }, () => context);
        }
        const tenantId = options.tenant === undefined ? undefined : await tenantOf(session, options.tenant);
        return show(session, { context: new Map(), checkId: options.at, tenantId }, keptContext);
      }),
    );

  async function show(
    session: Session,
    request: ExplainAuthorizationRequest,
    contextFor: (explained: ExplainAuthorizationResponse) => Context,
  ): Promise<void> {
    const explained = await session.clients.authorization
      .explainAuthorization(request, session.extras)
      .catch(async (error: unknown) => {
        const asked = request.context.get('subject')?.value;
        if (asked?.$case === 'single')
          for (const line of await namedSubjectLines(session, asked.value)) note?.(line);
        throw error;
      });
    const context = contextFor(explained);
    const domains = await domainsOf(session, explained.policies, request.tenantId);
    const lines = explained.policies.map((trace) => policyLine(trace, context, domains));
    const problems = explained.problems.map((text) => `! ${visible(text)}`);
    const subject = context['subject'];
    const named = typeof subject === 'string' ? await namedSubjectLines(session, subject) : [];
    if (session.isJson) named.forEach((line) => note?.(line));
    print(session, explained, [verdictOf(explained, domains), ...named, ...lines, ...problems].join('\n'));
    if (!explained.authorized) setExitCode(EXIT.no);
  }
}

type ExplainArguments = [
  subject: string | undefined,
  action: string | undefined,
  object: string | undefined,
  attributes: string[],
  options: { at?: string; tenant?: string },
];

/** The context of the check that was explained, as its row keeps it. */
function keptContext({ check }: ExplainAuthorizationResponse): Context {
  if (check === undefined) return {};
  const { subject, action, object, detail } = check;
  const { context } = JSON.parse(detail) as { context?: Record<string, unknown> };
  const kept = Object.entries(context ?? {}).map(([key, value]): [string, string[]] => [
    key,
    [value].flat().map((one) => (typeof one === 'string' ? one : JSON.stringify(one))),
  ]);
  return { ...Object.fromEntries(kept), subject, action, object };
}

/** One policy: ● when it matches, ○ with what failed in each statement and the value it met. */
function policyLine(
  { domainId, policyName, deny, inverted, matched, statements }: Trace,
  context: Context,
  domains: ReadonlyMap<string, string>,
): string {
  const effect = `${deny ? 'deny' : 'allow'}${inverted ? ', inverted' : ''}`;
  const met = inverted && !matched ? statements.filter((one) => one.matched) : [];
  const turned = met.map(({ index }) => `statement ${index + 1} matches, and the policy is inverted`);
  const failures = statements
    .filter((statement) => !statement.matched && met.length === 0)
    .map(({ index, failedRuleKey }) => {
      const met = context[failedRuleKey];
      const value = met === undefined ? 'the request has none' : [met].flat().map(quoted).join(', ');
      return `${statements.length > 1 ? `statement ${index + 1}: ` : ''}\`${visible(failedRuleKey)}\` does not match (${value})`;
    });
  const reasons = [...turned, ...failures];
  const why = reasons.length > 0 ? `: ${reasons.join('; ')}` : '';
  return `${matched ? '●' : '○'} ${visible(policyName)}${ofDomain(domainId, domains)} (${effect})${why}`;
}

const quoted = (text: string) => `"${visible(text)}"`;
