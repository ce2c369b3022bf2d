import { requestContext } from '@platform/authz-client';
import type { Command } from 'commander';
import { readWhole } from '../arguments.ts';
import { EXIT, exitCodeOf, UsageError } from '../exit-codes.ts';
import { placeOf } from '../names.ts';
import { diffPolicies, planOf } from '../policy-diff.ts';
import { leavesLine, requireLeave } from '../leaving-policies.ts';
import { addPolicyPlan } from './policy-plan.ts';
import { addPolicyShadow } from './policy-shadow.ts';
import { addPolicyVersions, versionOf } from './policy-versions.ts';
import { ofDomain, type DomainOptions } from './of-domain.ts';
import { readPolicyFile, toMessages, toYaml, type StoredPolicyFile } from '../policy-file.ts';
import {
  findingLines,
  isRefused,
  SET_MS_MAX,
  validatePolicies,
  withOtherFindings,
} from '../policy-findings.ts';
import { counted } from '../output.ts';
import type { Session, Shell } from '../shell.ts';

/** `policies get | put | diff | validate | test`, and those of versions. */
export function addPolicies(program: Command, shell: Shell): void {
  const { talking, print, setExitCode } = shell;
  const policies = program.command('policies').description('the policies of a domain');
  const fetchPolicies = async (session: Session, options: DomainOptions) =>
    session.clients.domains.getDomainPolicies(await placeOf(session, options), session.extras);

  /** A set is valid or not without a domain; which tenant it would lock, only its readers may ask. */
  const validateWherePossible = async (session: Session, file: StoredPolicyFile, options: DomainOptions) => {
    const isNamed = options.domain !== undefined || options.tenant !== undefined;
    try {
      return {
        found: await validatePolicies(session, file, await placeOf(session, options)),
        isPlaced: true,
      };
    } catch (error) {
      const isUnknown = error instanceof UsageError || exitCodeOf(error) === EXIT.denied;
      if (isNamed || !isUnknown) throw error;
      return { found: await validatePolicies(session, file), isPlaced: false };
    }
  };

  ofDomain(policies.command('get').description('print the policies as a policy file')).action(
    talking(async (session, options: DomainOptions) => {
      const found = await fetchPolicies(session, options);
      print(session, found, toYaml(found.policies).trimEnd());
    }),
  );

  ofDomain(policies.command('put <file>').description('print what changes, then replace all policies'))
    .option('--expected-version <version>', 'refuse if the domain has another version')
    .option(
      '--dry-run',
      'print what would change and what would be refused, which is exit code 1, and write nothing',
    )
    .option('--message <text>', 'why, kept with the version')
    .option('--yes', 'write also when policies leave the set, without asking')
    .option('--allow-lockout', 'write a set with which no user of the tenant could manage it any more')
    .action(
      talking(
        async (
          session,
          path: string,
          options: DomainOptions & {
            expectedVersion?: string;
            dryRun?: boolean;
            allowLockout?: boolean;
            message?: string;
            yes?: boolean;
          },
        ) => {
          const file = await readPolicyFile(path);
          const given = options.expectedVersion;
          const expected =
            given === undefined
              ? undefined
              : BigInt(readWhole(given, '--expected-version', Number.MAX_SAFE_INTEGER));
          const place = await placeOf(session, options);
          const before = await session.clients.domains.getDomainPolicies(place, session.extras);
          const plan = diffPolicies(before.policies, toMessages(file.policies));
          const planLines = plan.lines.length === 0 ? ['no difference'] : plan.lines;
          const found = await validatePolicies(session, file, place);
          const { errors, warnings } = found;
          const foundLines = findingLines(
            found,
            placesIn(path),
            (warning) => !isRefused(warning) || options.allowLockout === true,
          );
          const isRefusedByService =
            errors.length > 0 || (warnings.some(isRefused) && options.allowLockout !== true);
          const leaves = options.yes === true ? null : leavesLine(plan);
          if (options.dryRun === true) {
            const refusals = leaves === null ? [] : [`error: ${leaves}`];
            const text = [...planLines, ...foundLines, ...refusals, 'nothing written'].join('\n');
            print(session, { ...planOf(plan), errors, warnings, version: before.version }, text);
            if (isRefusedByService || leaves !== null) setExitCode(EXIT.no);
            return;
          }
          if (!isRefusedByService) {
            const shown = { ...planOf(plan), warnings, version: before.version };
            await requireLeave(shell, session, leaves, shown, [...planLines, ...foundLines]);
          }
          const { version } = await session.clients.domains.putDomainPolicies(
            {
              ...place,
              policies: toMessages(file.policies),
              // The plan above holds for this version alone.
              expectedVersion: expected ?? before.version,
              allowLockout: options.allowLockout,
              message: options.message,
            },
            { ...session.extras, timeoutMs: SET_MS_MAX },
          );
          const written =
            version === before.version
              ? `nothing changed, version ${version} stays`
              : `${counted(file.policies.length, 'policy', 'policies')} written, version ${version}`;
          const text = [...planLines, ...foundLines, written].join('\n');
          print(session, { ...planOf(plan), warnings, version }, text);
        },
      ),
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
          const setOf = async (version: string | undefined, option: string) =>
            version === undefined
              ? (await session.clients.domains.getDomainPolicies(place, session.extras)).policies
              : (await versionOf(session, place, version, option)).policies;
          const after = file === null ? await setOf(to, '--to') : toMessages(file.policies);
          const plan = diffPolicies(await setOf(from, '--from'), after);
          print(session, planOf(plan), plan.lines.length === 0 ? 'no difference' : plan.lines.join('\n'));
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
      const { found, isPlaced } = await validateWherePossible(session, file, options);
      const lines = findingLines(found, placesIn(path));
      const verdict = isPlaced ? 'valid' : 'valid; whether it locks a tenant was not checked: add --domain';
      print(session, found, lines.length === 0 ? verdict : lines.join('\n'));
      if (found.errors.length > 0 || found.warnings.some(isRefused)) setExitCode(EXIT.no);
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

/** How lines name a place of the file. */
const placesIn = (path: string) => (line: number | null, column: number | null) =>
  line === null ? path : `${path}:${line}:${column}`;
