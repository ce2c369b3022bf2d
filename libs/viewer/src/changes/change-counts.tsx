import type { ComponentChildren } from 'preact';
import { UserText } from '../components/user-text.tsx';
import { counted } from '../format/numbers.ts';
import { readable } from '../format/words.ts';
import type { JudgementChanges } from '../snapshot.ts';

/** Counts what changed between two judgements, which the children name, and lists the settings among it. */
export function ChangeCounts({
  changes: { change_count, settings, changed_verdicts, unchanged_verdicts },
  role,
  children,
}: {
  readonly changes: JudgementChanges;
  readonly role?: 'status';
  readonly children: ComponentChildren;
}) {
  return (
    <>
      <p role={role}>
        {children} {counted(change_count, 'item')} changed
        {settings.length > 0 && ` and ${counted(settings.length, 'setting')}`}.{' '}
        {changed_verdicts === 0
          ? 'No verdict moved.'
          : `${changed_verdicts} of ${counted(changed_verdicts + unchanged_verdicts, 'verdict')} moved.`}
      </p>
      {settings.length > 0 && (
        <p>
          Changed settings: <UserText text={settings.map(readable).join(', ')} />.
        </p>
      )}
    </>
  );
}
