import { requestContext } from '@platform/authz-client';
import type { Command } from 'commander';
import { EXIT, exitCodeOf, UsageError } from '../exit-codes.ts';
import { placeOf } from '../names.ts';
import { diffPolicies, noDifference, planOf } from '../policy-diff.ts';
import { addPolicyPlan } from './policy-plan.ts';
import { addPolicyShadow } from './policy-shadow.ts';
import { addPolicyVersions, notePresent, versionOf } from './policy-versions.ts';
import { ofDomain, type DomainOptions } from './of-domain.ts';
import { readPolicyFile, toMessages, toYaml, type StoredPolicyFile } from '../policy-file.ts';
import {
  findingLines,
  isRefused,
  placesIn,
  SET_MS_MAX,
  setOf,
  throwPlaced,
  validateSet,
  withOtherFindings,
  withPlaceOfTest,
} from '../policy-findings.ts';
import { counted, visible } from '../output.ts';
import { ofWrite, writeSet, type WriteOptions } from '../set-write.ts';
import type { Session, Shell } from '../shell.ts';

/** `policies get | put | diff | validate | test`, and those of versions. */
export function addPolicies(program: Command, shell: Shell): void {
  const { talking, print, setExitCode } = shell;
  const policies = program.command('policies').description('the policies of a domain');
  const fetchPolicies = async (session: Session, options: DomainOptions) =>
    session.clients.domains.getDomainPolicies(await placeOf(session, options), session.extras);

  /** Validates with a domain where possible: only its readers learn whether the set would lock the tenant. */
  const validateWherePossible = async (session: Session, file: StoredPolicyFile, options: DomainOptions) => {
    const isNamed = options.domain !== undefined || options.tenant !== undefined;
    try {
      return {
        found: await validateSet(session, setOf(file), await placeOf(session, options)),
        notChecked: '',
      };
    } catch (error) {
      const isUnknown = error instanceof UsageError || exitCodeOf(error) === EXIT.denied;
      if (isNamed || !isUnknown) throw error;
      const notChecked =
        error instanceof UsageError
          ? '; whether it locks a tenant was not checked: add --domain'
          : '; whether it locks the tenant was not checked: you may not read the policies of its domain';
      return { found: await validateSet(session, setOf(file)), notChecked };
    }
  };

  ofDomain(policies.command('get').description('print the policies as a policy file')).action(
    talking(async (session, options: DomainOptions) => {
      const found = await fetchPolicies(session, options);
      notePresent(shell, session, found.version);
      print(session, found, toYaml(found.policies).trimEnd());
    }),
  );

  ofWrite(
    ofDomain(policies.command('put <file>').description('print what changes, then replace all policies')),
  ).action(
    talking(async (session, path: string, options: DomainOptions & WriteOptions) => {
      const file = await readPolicyFile(path);
      const next = setOf(file);
      const place = await placeOf(session, options);
      await writeSet(shell, session, options, {
        place,
        now: await session.clients.domains.getDomainPolicies(place, session.extras),
        next,
        writePlace: placesIn(path),
        write: (terms) =>
          session.clients.domains
            .putDomainPolicies(
              { ...place, policies: [...next.policies], ...terms },
              { ...session.extras, timeoutMs: SET_MS_MAX },
            )
            .catch((error: unknown) => throwPlaced(session, error, file)),
        done: (version) =>
          `${counted(next.policies.length, 'policy', 'policies')} written, version ${version}`,
        unchanged: (version) => `nothing changed, version ${version} stays`,
      });
    }),
  );

  ofDomain(
    policies
      .command('diff [file]')
      .description('print how a file, or a version, differs from the policies now'),
  )
    .option('--from <version>', 'compare with this version instead of now')
    .option('--to <version>', 'compare this version instead of a file')
    .action(
      talking(
        async (
          session,
          path: string | undefined,
          options: DomainOptions & { from?: string; to?: string },
        ) => {
          const { from, to } = options;
          if (path !== undefined && to !== undefined)
            throw new UsageError('a file and --to do not go together');
          if (path === undefined && to === undefined && from === undefined)
            throw new UsageError('name a file, or versions with --from and --to');
          const file = path === undefined ? null : await readPolicyFile(path);
          const place = await placeOf(session, options);
          const now =
            from === undefined || (file === null && to === undefined)
              ? await session.clients.domains.getDomainPolicies(place, session.extras)
              : null;
          const policiesAt = async (version: string | undefined, option: string) =>
            version === undefined
              ? now!.policies
              : (await versionOf(session, place, version, option)).policies;
          const after = file === null ? await policiesAt(to, '--to') : toMessages(file.policies);
          const before = await policiesAt(from, '--from');
          const plan = diffPolicies(before, after);
          if (now !== null) notePresent(shell, session, now.version);
          const lines = plan.lines.length === 0 ? [noDifference(before, after)] : plan.lines;
          print(session, { ...planOf(plan), version: now?.version }, lines.join('\n'));
          if (plan.lines.length > 0) setExitCode(EXIT.no);
        },
      ),
    );
  addPolicyVersions(policies, shell);
  addPolicyShadow(policies, shell);
  addPolicyPlan(policies, shell);

  ofDomain(
    policies
      .command('validate <file>')
      .description('print what `put` into the domain would refuse, and what is probably a mistake'),
  ).action(
    talking(async (session, path: string, options: DomainOptions) => {
      const file = await readPolicyFile(path).catch(async (error: unknown) => {
        throw await withOtherFindings(session, error, placesIn(path));
      });
      const { found, notChecked } = await validateWherePossible(session, file, options);
      const lines = findingLines(found, placesIn(path));
      print(session, found, lines.length === 0 ? `valid${notChecked}` : lines.join('\n'));
      if (found.errors.length > 0 || found.warnings.some(isRefused)) setExitCode(EXIT.no);
    }),
  );

  policies
    .command('test <file>')
    .description("run the file's tests against its policies")
    .action(
      talking(async (session, path: string) => {
        const file = await readPolicyFile(path);
        const { results } = await session.clients.authorization
          .testPolicies(
            {
              policies: toMessages(file.policies),
              cases: file.tests.map(({ context, expected }) => ({
                context: requestContext(Object.fromEntries(context)),
                expected: expected === 'allow',
              })),
            },
            { ...session.extras, timeoutMs: SET_MS_MAX },
          )
          .catch((error: unknown) =>
            throwPlaced(session, withPlaceOfTest(error, file, placesIn(path)), file),
          );
        const named = results.map((result, index) => ({ name: file.tests[index]?.name ?? '', ...result }));
        const failed = named.filter(({ passed }) => !passed);
        const lines = named.flatMap(({ name, passed, authorized, problems }) => [
          passed ? `ok ${visible(name)}` : `FAILED ${visible(name)}: ${authorized ? 'allowed' : 'denied'}`,
          ...problems.map((problem) => `  ${visible(problem)}`),
        ]);
        print(
          session,
          { results: named },
          named.length === 0
            ? NO_TESTS
            : [...lines, `${named.length - failed.length} passed, ${failed.length} failed`].join('\n'),
        );
        if (failed.length > 0) setExitCode(EXIT.no);
      }),
    );
}

const NO_TESTS =
  'the file has no tests: add `tests:` with a list of tests, such as ' +
  '`{ name: bob reads, context: { subject: bob, action: read, object: svc://<domain>/docs/plan }, expected: allow }`';
