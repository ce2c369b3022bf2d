import { count } from '@platform/viewer/browser';
import { spellingWords, type Spellings } from '../files/near-spelled.ts';
import { quoted } from '../files/overlap-words.ts';

const SHOWN = 5;

interface Props {
  readonly spellings: readonly Spellings[];
  /** Where the items stand that are spelled otherwise. */
  readonly where: (spellings: Spellings) => string;
  readonly use: (spellings: Spellings) => void;
  /** Shows a group no longer; left out where it stays until it is mended. */
  readonly keep?: (spellings: Spellings) => void;
}

/** Spellings of one property or scope that are judged apart, each with a button that makes them one. */
export function SpellingNotices({ spellings, where, use, keep }: Props) {
  return (
    <>
      {spellings.slice(0, SHOWN).map((one) => (
        <p key={`${one.field} ${one.use}`} class="notice">
          {spellingWords(one, where(one), quoted)}.{' '}
          <button type="button" class="link" onClick={() => use(one)}>
            Use {quoted(one.use)} for all
          </button>
          {keep && (
            <>
              {' '}
              <button type="button" class="link" onClick={() => keep(one)}>
                Keep them apart
              </button>
            </>
          )}
        </p>
      ))}
      {spellings.length > SHOWN && (
        <p class="notice">and {count(spellings.length - SHOWN)} more that are spelled in several ways</p>
      )}
    </>
  );
}
