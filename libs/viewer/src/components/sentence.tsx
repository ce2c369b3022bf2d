import type { Part } from '@platform/opinion-fusion';
import { UserText } from './user-text.tsx';

/** A sentence in which what users wrote keeps its own direction. */
export function Sentence({ parts }: { readonly parts: readonly Part[] }) {
  return (
    <>
      {parts.map((part, index) =>
        typeof part === 'string' ? part : <UserText key={index} text={part.user} />,
      )}
    </>
  );
}
