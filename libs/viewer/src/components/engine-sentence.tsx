import { shortened } from '../format/text.ts';
import { readable } from '../format/words.ts';
import type { Model } from '../model.ts';
import { ClaimLink } from './claim-link.tsx';
import { UserText } from './user-text.tsx';

const NAME_LENGTH = 80;

/**
 * A sentence of the engine, which quotes ids and names in back ticks: a claim becomes a link in its own
 * words, a source or a subject its name, a predicate plain words.
 */
export function EngineSentence({ text, model }: { readonly text: string; readonly model: Model }) {
  const parts = text.split('`');
  // An odd number of back ticks means that a name holds one itself; the sentence then stays as it is.
  if (parts.length % 2 === 0) return <UserText text={text} />;
  return (
    <>
      {parts.map((part, index) => {
        if (index % 2 === 0) return part;
        const claim = model.claimById.get(part);
        // A full stop of its own would end the sentence that it stands in.
        if (claim) {
          const words = claim.input.content.replace(/(?<=[^.])\.$/, '');
          return <ClaimLink key={index} claim={claim} text={shortened(words, NAME_LENGTH)} />;
        }
        const name = model.actorById.get(part)?.name ?? model.subjectById.get(part)?.name ?? readable(part);
        return <UserText key={index} text={name} class="quoted" />;
      })}
    </>
  );
}
