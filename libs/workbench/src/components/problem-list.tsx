import { visible } from '@platform/viewer/browser';
import type { Problem } from '../api/problems.ts';
import { namedProblem } from '../edit/named-problem.ts';

/**
 * Problems with the place of each; nothing where there are none. With the `payload` that the paths lead into
 * items are shown by name. `open` goes to the item that a path begins with.
 */
export function ProblemList({
  problems,
  payload,
  open,
}: {
  readonly problems: readonly Problem[];
  readonly payload?: object;
  readonly open?: (problem: Problem) => void;
}) {
  if (problems.length === 0) return null;
  return (
    <ul class="problems" tabIndex={0} aria-label="What is wrong">
      {problems.map((problem) => {
        const { place, message } = payload
          ? namedProblem(problem, payload)
          : { place: null, message: problem.message };
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
