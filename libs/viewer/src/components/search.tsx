import { useEffect, useRef, useState } from 'preact/hooks';
import { counted } from '../format/numbers.ts';
import { verdictFragment } from '../format/fragments.ts';
import { likelihoodWithChance } from '../format/words.ts';
import type { Model } from '../model.ts';
import { ClaimLine } from './claim-line.tsx';
import { useHref } from './part.tsx';
import { Sentence } from './sentence.tsx';

/** Results listed of each kind; a longer word finds the rest. */
const SHOWN = 12;

/**
 * Finds verdicts and claims by any word of theirs, ids and sources included, whatever the case. `getModel`
 * gives null while the model is being loaded.
 */
export function Search({
  getModel,
  isOnKeys = true,
}: {
  readonly getModel: () => Model | null;
  /** Whether Ctrl+K leads to it. */
  readonly isOnKeys?: boolean;
}) {
  const [text, setText] = useState('');
  const input = useRef<HTMLInputElement>(null);
  const href = useHref();
  useEffect(() => {
    if (!isOnKeys) return undefined;
    // A key alone, such as `/`, would be struck by people who speak to their browser (WCAG 2.1.4).
    const seek = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey)) return;
      if (event.altKey || event.shiftKey || document.querySelector('dialog[open]')) return;
      event.preventDefault();
      input.current?.focus();
    };
    document.addEventListener('keydown', seek);
    return () => document.removeEventListener('keydown', seek);
  }, []);
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const isFound = (...texts: (string | null | undefined)[]) => {
    const all = texts.join(' ').toLowerCase();
    return words.every((word) => all.includes(word));
  };
  const isAsked = words.length > 0;
  const model = isAsked ? getModel() : null;
  const verdicts =
    model?.verdicts.filter(({ result }) =>
      isFound(result.subject_name, result.predicate, result.leading_value),
    ) ?? [];
  const claims =
    model?.claims.filter(({ id, input, actor, subject }) =>
      isFound(id, input.content, input.predicate, input.value, actor.name, subject?.name),
    ) ?? [];
  return (
    <search class="search">
      <label>
        <span class="visually-hidden">Search findings, claims and sources</span>
        <input
          ref={input}
          type="search"
          placeholder="Search"
          title={isOnKeys ? 'Ctrl+K' : undefined}
          aria-keyshortcuts={isOnKeys ? 'Control+K Meta+K' : undefined}
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
          onKeyDown={(event) => event.key === 'Escape' && setText('')}
        />
      </label>
      {isAsked && (
        <div class="search-results">
          <p role="status">
            {model === null
              ? 'Loading …'
              : verdicts.length + claims.length === 0
                ? 'Nothing found: every word must stand in a finding, claim or source.'
                : `${counted(verdicts.length, 'finding')}, ${counted(claims.length, 'claim')}`}
          </p>
          <ul onClick={() => setText('')}>
            {verdicts.slice(0, SHOWN).map(({ subjectId, predicate, result, statement }) => (
              <li key={`${subjectId} ${predicate}`}>
                <a href={href(verdictFragment(subjectId, predicate))}>
                  <Sentence parts={statement} />: {likelihoodWithChance(result)}
                </a>
              </li>
            ))}
            {claims.slice(0, SHOWN).map((claim) => (
              <li key={claim.id}>
                <ClaimLine claim={claim} />
              </li>
            ))}
          </ul>
          {verdicts.length + claims.length > SHOWN && <p class="more">Type more to narrow it.</p>}
        </div>
      )}
    </search>
  );
}
