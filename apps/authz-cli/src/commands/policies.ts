import { requestContext } from '@platform/authz-client';
import type { Command } from 'commander';
import { readWhole } from '../arguments.ts';
import { EXIT } from '../exit-codes.ts';
import { readPolicyFile, toMessages, toYaml } from '../policy-file.ts';
import { requireTenant, type Session, type Shell } from '../shell.ts';

/**
 * A large set waits for the sets of others and is at work for as long as the service lets it: half a minute each. Beyond
 * that comes its way there and into the database. Milliseconds.
 */
const SET_MS_MAX = 90_000;

/** `policies get | put | diff | validate | test`. */
export function addPolicies(program: Command, { talking, print, setExitCode }: Shell): void {
  const policies = program.command('policies').description('the policies of a domain');
  const domainOption = (command: Command) =>
    command.requiredOption('--domain <id>', 'the domain').option('--tenant <id>', 'its tenant');
  interface DomainOptions {
    domain: string;
    tenant?: string;
  }
  const fetchPolicies = (session: Session, options: DomainOptions) =>
    session.clients.domains.getDomainPolicies(
      { tenantId: requireTenant(session, options.tenant), domainId: options.domain },
      session.extras,
    );

  domainOption(policies.command('get').description('print them as a policy file')).action(
    talking(async (session, options: DomainOptions) => {
      const answer = await fetchPolicies(session, options);
      print(session, answer, toYaml(answer.policies).trimEnd());
    }),
  );
  domainOption(policies.command('put <file>').description('replace them all'))
    .option('--expected-version <version>', 'refuse if the domain has another version')
    .action(
      talking(async (session, path: string, options: DomainOptions & { expectedVersion?: string }) => {
        const file = await readPolicyFile(path);
        const { version } = await session.clients.domains.putDomainPolicies(
          {
            tenantId: requireTenant(session, options.tenant),
            domainId: options.domain,
            policies: toMessages(file.policies),
            expectedVersion:
              options.expectedVersion === undefined
                ? undefined
                : BigInt(readWhole(options.expectedVersion, '--expected-version', Number.MAX_SAFE_INTEGER)),
          },
          { ...session.extras, timeoutMs: SET_MS_MAX },
        );
        print(session, { version }, `${file.policies.length} policies written, version ${version}`);
      }),
    );
  domainOption(policies.command('diff <file>').description('what `put` would change')).action(
    talking(async (session, path: string, options: DomainOptions) => {
      const file = await readPolicyFile(path);
      const byName = (list: ReturnType<typeof toMessages>) =>
        new Map(list.map((one) => [one.name, toYaml([one])]));
      const before = byName((await fetchPolicies(session, options)).policies);
      const after = byName(toMessages(file.policies));
      const added = [...after.keys()].filter((name) => !before.has(name));
      const removed = [...before.keys()].filter((name) => !after.has(name));
      const changed = [...after].filter(([name, text]) => before.has(name) && before.get(name) !== text);
      const names = changed.map(([name]) => name);
      const lines = [
        ...added.map((name) => `+ ${name}`),
        ...removed.map((name) => `- ${name}`),
        ...names.map((name) => `~ ${name}`),
      ];
      print(
        session,
        { added, removed, changed: names },
        lines.length === 0 ? 'no difference' : lines.join('\n'),
      );
      if (lines.length > 0) setExitCode(EXIT.no);
    }),
  );
  policies
    .command('validate <file>')
    .description('what `put` would refuse, and what is probably not meant')
    .action(
      talking(async (session, path: string) => {
        const file = await readPolicyFile(path);
        const found = await session.clients.authorization.validatePolicies(
          { policies: toMessages(file.policies) },
          { ...session.extras, timeoutMs: SET_MS_MAX },
        );
        const lines = [
          ...found.errors.map(({ policyName, code, message }) => `error ${code} ${policyName}: ${message}`),
          ...found.warnings.map(
            ({ policyName, code, message }) => `warning ${code} ${policyName}: ${message}`,
          ),
        ];
        print(session, found, lines.length === 0 ? 'valid' : lines.join('\n'));
        if (found.errors.length > 0) setExitCode(EXIT.no);
      }),
    );
  policies
    .command('test <file>')
    .description("run the file's tests against its policies")
    .action(
      talking(async (session, path: string) => {
        const file = await readPolicyFile(path);
        const { results } = await session.clients.authorization.testPolicies(
          {
            policies: toMessages(file.policies),
            cases: file.tests.map(({ context, expected }) => ({
              context: requestContext(Object.fromEntries(context)),
              expected: expected === 'allow',
            })),
          },
          { ...session.extras, timeoutMs: SET_MS_MAX },
        );
        const named = results.map((result, index) => ({ name: file.tests[index]?.name ?? '', ...result }));
        const failed = named.filter(({ passed }) => !passed);
        const lines = named.map(({ name, passed, authorized }) =>
          passed ? `ok ${name}` : `FAILED ${name}: ${authorized ? 'allowed' : 'denied'}`,
        );
        print(
          session,
          { results: named },
          [...lines, `${named.length - failed.length} passed, ${failed.length} failed`].join('\n'),
        );
        if (failed.length > 0) setExitCode(EXIT.no);
      }),
    );
}
