import { ClaimLink } from '../../components/claim-link.tsx';
import type { PaneProps } from '../../components/pane-props.ts';
import { UserText } from '../../components/user-text.tsx';
import type { Model } from '../../model.ts';

/** What the engine objected to, grouped by the kind of item it is about, each linked to the claims it names. */
export function Warnings({ model }: PaneProps) {
  const { warnings } = model.judged.result;
  const groups = new Map<string, string[]>();
  for (const warning of warnings) {
    const kind = kindOf(warning);
    groups.set(kind, [...(groups.get(kind) ?? []), warning]);
  }
  return (
    <section aria-labelledby="audit-warnings">
      <h3 id="audit-warnings">Warnings</h3>
      {warnings.length === 0 && <p>None: the engine took the input as it stands.</p>}
      {[...groups].map(([kind, sentences]) => (
        <div key={kind} class="warning-group">
          <h4>
            {kind} <span class="audit-note">{sentences.length}</span>
          </h4>
          <ul class="record-items">
            {sentences.map((sentence) => (
              <li key={sentence}>
                <Sentence text={sentence} model={model} />
              </li>
            ))}
          </ul>
        </div>
      ))}
    </section>
  );
}

const KINDS: readonly (readonly [start: RegExp, kind: string])[] = [
  [/^(Claim|Corroboration|Relationship)\b/, 'Claims'],
  [/^Inference\b/, 'Inferences'],
  [/^Distinction\b/, 'Distinctions'],
  [/^(Actor|Actors|Source|Sources)\b/, 'Sources'],
];

/** A warning is a sentence that begins with the kind of its item. */
function kindOf(sentence: string): string {
  return KINDS.find(([start]) => start.test(sentence))?.[1] ?? 'Investigation';
}

/** The engine quotes ids in back ticks; one that is a claim's becomes a link. */
function Sentence({ text, model }: { readonly text: string; readonly model: Model }) {
  return (
    <>
      {text.split(/(`[^`]*`)/).map((part, index) => {
        if (index % 2 === 0) return part;
        const claim = model.claimById.get(part.slice(1, -1));
        return claim ? (
          <ClaimLink key={index} claim={claim} />
        ) : (
          <UserText key={index} text={part.slice(1, -1)} class="quoted" />
        );
      })}
    </>
  );
}
