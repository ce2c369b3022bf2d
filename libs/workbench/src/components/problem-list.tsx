import { visible } from '@platform/viewer/browser';
import type { Problem } from '../api/problems.ts';

/**
 * Problems with the place of each; nothing where there are none. `open` goes to the item that a path begins
 * with.
 */
export function ProblemList({
  problems,
  open,
}: {
  readonly problems: readonly Problem[];
  readonly open?: (problem: Problem) => void;
}) {
  if (problems.length === 0) return null;
  return (
    <ul class="problems" tabIndex={0} aria-label="What is wrong">
      {problems.map((problem) => (
        <li key={`${problem.path} ${problem.message}`}>
          {open ? (
            <button type="button" class="link" onClick={() => open(problem)}>
              <code>{visible(problem.path)}</code>
            </button>
          ) : (
            <code>{visible(problem.path)}</code>
          )}{' '}
          {visible(problem.message)}
        </li>
      ))}
    </ul>
  );
}
