import type { PolicyVersion } from '@platform/proto/authz/v1/policy_set';
import type { Command } from 'commander';
import { readWhole } from '../arguments.ts';
import { accountNames, placeOf, type Place } from '../names.ts';
import { table, visible } from '../output.ts';
import { toYaml } from '../policy-file.ts';
import { SET_MS_MAX } from '../policy-findings.ts';
import { ofWrite, writeSet, type WriteOptions } from '../set-write.ts';
import type { Session, Shell } from '../shell.ts';
import { ofDomain, type DomainOptions } from './of-domain.ts';

const COLUMNS = ['version', 'written_at', 'author', 'policy_count', 'digest', 'message'];
const WIDE_COLUMNS = COLUMNS.toSpliced(3, 0, 'author_id');

/** The service lists no more at once. */
const PAGE_ROWS_MAX = 1_000;
/** Versions that `history` prints unless told otherwise. */
const HISTORY_ROWS = '20';

/** `policies history | show | rollback`. */
export function addPolicyVersions(policies: Command, shell: Shell): void {
  const { talking, print } = shell;
  ofDomain(policies.command('history').description('the sets that the domain has and had, newest first'))
    .option('--limit <versions>', 'how many, at most 1,000', HISTORY_ROWS)
    .option('--wide', 'the ids of authors as well')
    .action(
      talking(async (session, options: DomainOptions & { limit: string; wide?: boolean }) => {
        const pageSize = readWhole(options.limit, '--limit', PAGE_ROWS_MAX, 1);
        const place = await placeOf(session, options);
        const page = await session.clients.policySets.listPolicyVersions(
          { ...place, pageSize },
          session.extras,
        );
        const names = await accountNames(session, place.tenantId);
        const rows = page.versions.map((one) => ({
          ...one,
          author: names.get(one.authorId) ?? one.authorId,
        }));
        const older =
          page.nextPageToken === '' ? [] : [`older versions are not shown: --limit <versions> shows more`];
        const text = options.wide === true ? table(rows, WIDE_COLUMNS) : shell.table(rows, COLUMNS);
        print(session, page, [text, ...older].join('\n'));
      }),
    );

  ofDomain(
    policies.command('show <version>').description('print the set of a version as a policy file'),
  ).action(
    talking(async (session, version: string, options: DomainOptions) => {
      const place = await placeOf(session, options);
      const found = await versionOf(session, place, version, '<version>');
      const names = await accountNames(session, place.tenantId);
      print(session, found, `# ${headOf(found.version, names)}\n${toYaml(found.policies).trimEnd()}`);
    }),
  );

  ofWrite(
    ofDomain(
      policies
        .command('rollback <version>')
        .description('print what changes, then write the set of a version again'),
    ),
  ).action(
    talking(async (session, version: string, options: DomainOptions & WriteOptions) => {
      const place = await placeOf(session, options);
      const target = await versionOf(session, place, version, '<version>');
      await writeSet(shell, session, options, {
        place,
        now: await session.clients.domains.getDomainPolicies(place, session.extras),
        next: target,
        writePlace: () => `version ${version}`,
        write: (terms) =>
          session.clients.policySets.rollbackPolicies(
            { ...place, version: BigInt(readVersion(version, '<version>')), ...terms },
            { ...session.extras, timeoutMs: SET_MS_MAX },
          ),
        done: (written) => `back to the set of version ${target.version?.version}, version ${written}`,
        unchanged: (present) => `nothing changed, version ${present} stays`,
      });
    }),
  );
}

/** Says on standard error which version was read, which a write may expect; JSON has it. */
export function notePresent({ note }: Shell, { isJson }: Session, version: bigint): void {
  if (!isJson) note?.(`version ${version} is the present one`);
}

/** The set of policies of a version. Throws UsageError naming the option or argument, GrpcCallError. */
export function versionOf(session: Session, place: Place, version: string, name: string) {
  const request = { ...place, version: BigInt(readVersion(version, name)) };
  return session.clients.policySets.getPolicyVersion(request, session.extras);
}

function readVersion(text: string, name: string): number {
  return readWhole(text, name, Number.MAX_SAFE_INTEGER);
}

function headOf(version: PolicyVersion | undefined, names: ReadonlyMap<string, string>): string {
  const { version: number, authorId, writtenAt, message } = version!;
  const by = authorId === '' ? '' : ` by ${visible(names.get(authorId) ?? authorId)}`;
  return `version ${number}, written ${writtenAt?.toISOString() ?? 'at an unknown time'}${by}${message === '' ? '' : `: ${visible(message)}`}`;
}
