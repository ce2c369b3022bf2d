import { counted } from '@platform/viewer/browser';

interface Props {
  /** How many claims are there already. */
  readonly repeated: number;
  /** The first of them, by their lines or words. */
  readonly named: string;
  readonly isSkipped: boolean;
  /** Leaves them out, or takes them in again. */
  readonly skip: (isSkipped: boolean) => void;
}

/** Claims that an import would count twice, with a button that leaves them out. */
export function RepeatedNotice({ repeated, named, isSkipped, skip }: Props) {
  if (repeated === 0) return null;
  return (
    <p class="notice">
      {isSkipped
        ? `${counted(repeated, 'claim')} left out.`
        : `${repeatedWords(repeated, named)} would count twice.`}{' '}
      <button type="button" class="link" onClick={() => skip(!isSkipped)}>
        {isSkipped ? 'Take it back' : repeated === 1 ? 'Leave it out' : 'Leave them out'}
      </button>
    </p>
  );
}

/** `2 claims (lines 2, 3) are there already: …`. */
export function repeatedWords(repeated: number, named: string): string {
  const are = repeated === 1 ? 'is' : 'are';
  return `${counted(repeated, 'claim')} (${named}) ${are} there already: what the same source says on the same question, with the same value and date,`;
}
