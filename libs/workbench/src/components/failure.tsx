import { useEffect, useRef } from 'preact/hooks';
import { visible } from '@platform/viewer/browser';
import { ApiError, plainWords } from '../api/api-error.ts';
import { isWithin } from '../api/problems.ts';
import { ProblemList } from './problem-list.tsx';

/** The fields whose problems controls of their own show; `all` where the form lists each problem itself. */
export type FailureFields = readonly string[] | 'all';

interface Props {
  readonly error: unknown;
  readonly retry?: (() => void) | undefined;
  readonly fields?: FailureFields | undefined;
}

/**
 * An error in plain words, with each of its problems that no control shows, and the request id for the
 * operator. Renders nothing without an error.
 */
export function Failure({ error, retry, fields = [] }: Props) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (error !== null) box.current?.scrollIntoView({ block: 'nearest' });
  }, [error]);
  if (error === null || error === undefined) return null;
  const { requestId, status, problems, others } = error instanceof ApiError ? error : NO_RESPONSE;
  const elsewhere = problems.filter(
    ({ path }) => fields !== 'all' && !fields.some((field) => isWithin(path, field)),
  );
  const isOfFields = status === 422 && problems.length > 0;
  return (
    <div class="failure" role="alert" ref={box}>
      <p>{visible(isOfFields ? wordsOf(problems.length > elsewhere.length) : plainWords(error))}</p>
      <ProblemList problems={elsewhere} />
      {isOfFields && others.map((line) => <p key={line}>{visible(line)}</p>)}
      {requestId !== null && (
        <p class="failure-id">
          Request <code>{requestId}</code>
        </p>
      )}
      {retry && (
        <button type="button" onClick={retry}>
          Try again
        </button>
      )}
    </div>
  );
}

const NO_RESPONSE = { requestId: null, status: 0, problems: [], others: [] } as const;

const wordsOf = (isMarked: boolean) =>
  `Some of what was sent is not right.${isMarked ? ' What is wrong with a field is said at the field.' : ''}`;
