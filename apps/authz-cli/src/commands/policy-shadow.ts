import type { GetShadowPoliciesResponse, ShadowExample } from '@platform/proto/authz/v1/policy_set';
import type { Command } from 'commander';
import { accountNames, placeOf } from '../names.ts';
import { counted, folded, visible } from '../output.ts';
import { readPolicyFile, toMessages, toYaml } from '../policy-file.ts';
import { SET_MS_MAX, throwPlaced } from '../policy-findings.ts';
import { ofWrite, readExpected, writeSet, type WriteOptions } from '../set-write.ts';
import type { Shell } from '../shell.ts';
import { ofDomain, type DomainOptions } from './of-domain.ts';

interface PutOptions extends DomainOptions {
  readonly expectedVersion?: string;
  readonly message?: string;
}

/** `policies shadow put | show | promote | stop`. */
export function addPolicyShadow(policies: Command, shell: Shell): void {
  const { talking, print } = shell;
  const shadow = policies
    .command('shadow')
    .description('a set that decides every check beside the policies and only counts');

  ofDomain(shadow.command('put <file>').description('replace the shadow set; its counts begin anew'))
    .option(
      '--expected-version <version>',
      'refuse if the shadow set has another version, 0: if there is one',
    )
    .option('--message <text>', 'why, kept with the set')
    .action(
      talking(async (session, path: string, options: PutOptions) => {
        const expectedVersion = readExpected(options.expectedVersion);
        const file = await readPolicyFile(path);
        const place = await placeOf(session, options);
        const { version } = await session.clients.policySets
          .putShadowPolicies(
            { ...place, policies: toMessages(file.policies), message: options.message, expectedVersion },
            { ...session.extras, timeoutMs: SET_MS_MAX },
          )
          .catch((error: unknown) => throwPlaced(session, error, file));
        print(
          session,
          { version },
          `${counted(file.policies.length, 'policy decides', 'policies decide')} as shadow set ${version}`,
        );
      }),
    );

  ofDomain(shadow.command('show').description('what the shadow set decides otherwise'))
    .option('--policies', 'print the shadow set as a policy file instead')
    .action(
      talking(async (session, options: DomainOptions & { policies?: boolean }) => {
        const place = await placeOf(session, options);
        const found = await session.clients.policySets.getShadowPolicies(place, session.extras);
        const names = await accountNames(session, place.tenantId);
        const text =
          options.policies === true
            ? toYaml(found.policies).trimEnd()
            : countLines(found, names)
                .map((line) => folded(line, shell.columns))
                .join('\n');
        print(session, found, text);
      }),
    );

  ofWrite(
    ofDomain(
      shadow.command('promote').description('print what changes, then make the shadow set the policies'),
    ),
  )
    .option('--expected-shadow-version <version>', 'refuse if the shadow set has another version')
    .action(
      talking(async (session, options: DomainOptions & WriteOptions & { expectedShadowVersion?: string }) => {
        const expected = readExpected(options.expectedShadowVersion, '--expected-shadow-version');
        const place = await placeOf(session, options);
        const { policySets, domains } = session.clients;
        const { policies: next, shadow: head } = await policySets.getShadowPolicies(place, session.extras);
        const present = head?.version ?? 0n;
        await writeSet(shell, session, options, {
          place,
          now: await domains.getDomainPolicies(place, session.extras),
          next: { policies: next },
          writePlace: () => `shadow set ${present}`,
          others: [{ of: 'the shadow set', expected, present }],
          write: (terms) =>
            policySets.promoteShadowPolicies(
              { ...place, expectedShadowVersion: expected ?? present, ...terms },
              { ...session.extras, timeoutMs: SET_MS_MAX },
            ),
          done: (version) => `shadow set ${present} decides, version ${version}`,
          unchanged: (version) =>
            `nothing changed, version ${version} stays; shadow set ${present} has ended`,
        });
      }),
    );

  ofDomain(shadow.command('stop').description('end the shadow set'))
    .option('--expected-version <version>', 'refuse if the shadow set has another version')
    .action(
      talking(async (session, options: PutOptions) => {
        const expectedVersion = readExpected(options.expectedVersion);
        const place = await placeOf(session, options);
        await session.clients.policySets.deleteShadowPolicies({ ...place, expectedVersion }, session.extras);
        print(session, {}, 'the shadow set has ended');
      }),
    );
}

function countLines(found: GetShadowPoliciesResponse, names: ReadonlyMap<string, string>): string[] {
  const { shadow, agree, wouldGain, wouldLose, notDecided, comparedVersion, version, gained, lost } = found;
  const message = shadow?.message ?? '';
  const at = shadow?.writtenAt?.toISOString() ?? '';
  const nameOf = (id: string) => names.get(id) ?? id;
  return [
    `shadow set ${shadow?.version}, written ${at} by ${visible(nameOf(shadow?.authorId ?? ''))}${message === '' ? '' : `: ${visible(message)}`}`,
    comparedVersion === undefined
      ? 'no check decided yet'
      : `against version ${comparedVersion}: ${agree} agree, ${wouldGain} would gain, ${wouldLose} would lose, ${notDecided} not decided${comparedVersion === version ? '' : `; nothing counted yet against version ${version}, which is present`}`,
    ...exampleLines('gains', gained, nameOf),
    ...exampleLines('loses', lost, nameOf),
  ];
}

/** The examples, those that differ in their check's id alone as one line. */
function exampleLines(
  verb: string,
  examples: readonly ShadowExample[],
  nameOf: (id: string) => string,
): string[] {
  const by = (policy: string | undefined) => (policy === undefined ? 'no policy' : `\`${policy}\``);
  const ids = new Map<string, string[]>();
  for (const { checkId, subject, action, object, policyReal, policyShadow } of examples) {
    const policies = `real ${by(policyReal)}, shadow ${by(policyShadow)}`;
    const words = `    ${nameOf(subject)} ${verb} ${action} ${object}: ${policies}`;
    ids.set(words, [...(ids.get(words) ?? []), checkId]);
  }
  return Array.from(ids, ([words, [first = '', ...more]]) =>
    visible(`${words} (${more.length === 0 ? '' : `${more.length + 1} checks, first `}${first})`),
  );
}
