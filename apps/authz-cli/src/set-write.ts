import type { Policy } from '@platform/proto/authz/v1/policy';
import type { Command } from 'commander';
import { readWhole } from './arguments.ts';
import { EXIT } from './exit-codes.ts';
import { leavesLine, requireLeave } from './leaving-policies.ts';
import type { Place } from './names.ts';
import { diffPolicies, noDifference, planOf } from './policy-diff.ts';
import { findingLines, isRefused, validateSet, type JudgedSet } from './policy-findings.ts';
import type { Session, Shell } from './shell.ts';

/** How a command that replaces the policies of a domain is told to do it. */
export interface WriteOptions {
  readonly expectedVersion?: string;
  readonly message?: string;
  readonly dryRun?: boolean;
  readonly yes?: boolean;
  readonly allowLockout?: boolean;
}

/** The command with these options. */
export function ofWrite(command: Command): Command {
  return command
    .option('--expected-version <version>', 'refuse if the domain has another version')
    .option(
      '--dry-run',
      'print what would change and what would be refused, which is exit code 1, and write nothing',
    )
    .option('--message <text>', 'why, kept with the version')
    .option('--yes', 'write also when policies leave the set, without asking')
    .option('--allow-lockout', 'write a set with which no user of the tenant could manage it any more');
}

/** The version of an option, if it was given. Throws UsageError. */
export function readExpected(text: string | undefined, option = '--expected-version'): bigint | undefined {
  return text === undefined ? undefined : BigInt(readWhole(text, option, Number.MAX_SAFE_INTEGER));
}

/** A version that a write expects of something, and the one that it has. */
export interface Expected {
  /** Such as "the domain". */
  readonly of: string;
  readonly expected: bigint | undefined;
  readonly present: bigint;
}

/** The set that a command is to write. */
export interface SetWrite {
  readonly place: Place;
  readonly now: { readonly policies: readonly Policy[]; readonly version: bigint };
  readonly next: JudgedSet;
  /** How a line names a place of the set. */
  readonly writePlace: (line: number | null, column: number | null) => string;
  /** Versions that the write expects besides that of the domain. */
  readonly others?: readonly Expected[];
  readonly write: (terms: {
    readonly expectedVersion: bigint;
    readonly allowLockout: boolean | undefined;
    readonly message: string | undefined;
  }) => Promise<{ readonly version: bigint }>;
  /** What was done, where the domain has another version after it, and where it has not. */
  readonly done: (version: bigint) => string;
  readonly unchanged: (version: bigint) => string;
}

/**
 * Prints what the set changes, then writes it; with `--dry-run` prints what the service would refuse instead.
 * Asks before policies leave. Throws UsageError, GrpcCallError.
 */
export async function writeSet(
  shell: Shell,
  session: Session,
  options: WriteOptions,
  { place, now, next, writePlace, others = [], write, done, unchanged }: SetWrite,
): Promise<void> {
  const { print, setExitCode } = shell;
  const expected = readExpected(options.expectedVersion);
  const plan = diffPolicies(now.policies, next.policies);
  const planLines = plan.lines.length === 0 ? [noDifference(now.policies, next.policies)] : plan.lines;
  const found = await validateSet(session, next, place);
  const { errors, warnings } = found;
  const mayLock = options.allowLockout === true;
  const foundLines = findingLines(found, writePlace, (warning) => !isRefused(warning) || mayLock);
  const conflicts = [{ of: 'the domain', expected, present: now.version }, ...others]
    .filter((one) => one.expected !== undefined && one.expected !== one.present)
    .map((one) => `error VERSION_CONFLICT: ${one.of} has version ${one.present}, not ${one.expected}`);
  const isRefusedByService =
    conflicts.length > 0 || errors.length > 0 || (warnings.some(isRefused) && !mayLock);
  const leaves = options.yes === true ? null : leavesLine(plan);
  const shown = { ...planOf(plan), warnings, version: now.version };
  if (options.dryRun === true) {
    const refusals = [...conflicts, ...(leaves === null ? [] : [`error: ${leaves}`])];
    const text = [...planLines, ...foundLines, ...refusals, 'nothing written'].join('\n');
    print(session, { ...shown, errors, conflicts, refusals }, text);
    if (isRefusedByService || leaves !== null) setExitCode(EXIT.no);
    return;
  }
  if (!isRefusedByService) await requireLeave(shell, session, leaves, shown, [...planLines, ...foundLines]);
  const { version } = await write({
    // What is printed holds for this version alone.
    expectedVersion: expected ?? now.version,
    allowLockout: options.allowLockout,
    message: options.message,
  });
  const outcome = version === now.version ? unchanged(version) : done(version);
  print(session, { ...shown, version }, [...planLines, ...foundLines, outcome].join('\n'));
}
