import { useEffect, useRef } from 'preact/hooks';
import { visible } from '@platform/viewer/browser';
import { ApiError, plainWords } from '../api/api-error.ts';

/** An error in plain words, with the request id for the operator. Renders nothing without an error. */
export function Failure({ error, retry }: { readonly error: unknown; readonly retry?: () => void }) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (error !== null) box.current?.scrollIntoView({ block: 'nearest' });
  }, [error]);
  if (error === null || error === undefined) return null;
  const requestId = error instanceof ApiError ? error.requestId : null;
  return (
    <div class="failure" role="alert" ref={box}>
      <p>{visible(plainWords(error))}</p>
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
