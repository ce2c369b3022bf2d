import { counted, plain, shortened, UserText } from '@platform/viewer/browser';
import type { Entity } from '../edit/kinds.ts';
import { pinnedWords, unpinned } from '../edit/pin-conflict.ts';

const SHOWN = 3;
const WORDS_LENGTH = 80;

interface Props {
  /** Claims whose quotes are not the passages that they pin. */
  readonly claims: readonly Entity[];
  /** Places of the claims on view. */
  readonly rows: ReadonlyMap<string, number>;
  /** Changes a claim; it can be taken back. */
  readonly change: (label: string, claim: Entity) => void;
  /** Opens the form of a claim, where another passage is pinned. */
  readonly open: (claim: Entity) => void;
}

/** What can be done where a quote was changed and its claim pins other words. */
export function PinConflicts({ claims, rows, change, open }: Props) {
  if (claims.length === 0) return null;
  const more = claims.length - SHOWN;
  return (
    <section class="notice" aria-label="Quotes that are not what is pinned">
      {claims.slice(0, SHOWN).map((claim) => {
        const row = rows.get(claim.id);
        const words = pinnedWords(claim) ?? '';
        const where = row === undefined ? 'A claim that is not shown' : `Row ${row + 1}`;
        return (
          <div key={claim.id} role="group" aria-label={`${where}: the quote and the pin`}>
            <p>
              {where}: the claim pins the words{' '}
              <q dir="auto">
                <UserText text={shortened(plain(words), WORDS_LENGTH)} />
              </q>{' '}
              in a stored document, and its quote says other words. The verdicts count the claim; it is saved
              once you have chosen.
            </p>
            <div class="form-actions">
              <button type="button" onClick={() => change('Quote unpinned', unpinned(claim))}>
                Unpin the quote
              </button>
              <button type="button" onClick={() => open(claim)}>
                Pin the new words …
              </button>
              <button
                type="button"
                onClick={() => change('Pinned words taken back', { ...claim, quote: words })}
              >
                Take the pinned words back
              </button>
            </div>
          </div>
        );
      })}
      {more > 0 && <p>And {counted(more, 'more claim')}.</p>}
    </section>
  );
}
