import { UsageError } from './exit-codes.ts';
import { counted, visible } from './output.ts';
import type { PolicyDiff } from './policy-diff.ts';
import type { Session, Shell } from './shell.ts';

/** Names of policies that one line lists. */
const NAMES_SHOWN = 10;

/** Names the policies that a new set leaves out; null when it leaves out none. */
export function leavesLine({ removed }: PolicyDiff): string | null {
  if (removed.length === 0) return null;
  const names = removed.slice(0, NAMES_SHOWN).map((name) => `\`${visible(name)}\``);
  const more = removed.length > NAMES_SHOWN ? ` and ${removed.length - NAMES_SHOWN} more` : '';
  return `${counted(removed.length, 'policy leaves', 'policies leave')} the set: ${names.join(', ')}${more}`;
}

/**
 * Asks at the terminal before policies leave the set, of which people forget that it is written whole;
 * `leaves` is null where none leaves or `--yes` was given. Where nobody is there to answer, it prints what
 * would change. Throws UsageError unless the answer is yes.
 */
export async function requireLeave(
  { confirm, print }: Shell,
  session: Session,
  leaves: string | null,
  shown: object,
  lines: readonly string[],
): Promise<void> {
  if (leaves === null) return;
  const isSure = await confirm?.([...lines, `${leaves}. Write it?`].join('\n'));
  if (isSure === undefined) print(session, shown, lines.join('\n'));
  if (isSure !== true)
    throw new UsageError(`${leaves}: nothing was written; add --yes to write it all the same`);
}
