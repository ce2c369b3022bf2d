import { visible } from '@platform/viewer/browser';
import type { Problem } from '../api/problems.ts';

/**
 * Problems with the place of each; nothing where there are none. `named` gives a problem in the words of its
 * author, with a null place where its path leads to no item. `open` goes to the item that a path begins with.
 */
export function ProblemList({
  problems,
  named = ({ message }) => ({ place: null, message }),
  open,
}: {
  readonly problems: readonly Problem[];
  readonly named?: (problem: Problem) => { readonly place: string | null; readonly message: string };
  readonly open?: (problem: Problem) => void;
}) {
  if (problems.length === 0) return null;
  return (
    <ul class="problems" tabIndex={0} aria-label="What is wrong">
      {problems.map((problem) => {
        const { place, message } = named(problem);
        const shown = place === null ? <code>{visible(problem.path)}</code> : <>{visible(place)}:</>;
        return (
          <li key={`${problem.path} ${problem.message}`}>
            {open ? (
              <button type="button" class="link" onClick={() => open(problem)}>
                {shown}
              </button>
            ) : (
              shown
            )}{' '}
            {visible(message)}
          </li>
        );
      })}
    </ul>
  );
}
