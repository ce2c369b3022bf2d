import { createContext, type ComponentChildren } from 'preact';
import { useContext, useState } from 'preact/hooks';

/**
 * What is drawn of closed folds. `whole`: everything, for readers without scripts, for those who search the
 * page, and for paper. `kept`: what the server drew stays as it is. `opened`: nothing, as in the desk.
 */
export type FoldDrawing = 'whole' | 'kept' | 'opened';

export const FoldContext = createContext<FoldDrawing>('whole');

interface Props {
  readonly class: string;
  readonly summary: ComponentChildren;
  readonly bodyId?: string;
  readonly bodyClass?: string;
  /** Whether it is open, where somebody else keeps that; `toggled` tells them. */
  readonly isOpen?: boolean;
  readonly toggled?: (isOpen: boolean) => void;
  /** Draws what the fold holds. */
  readonly children: () => ComponentChildren;
}

/** A fold, closed at first, whose contents scripts draw when it is opened for the first time. */
export function Fold({ class: className, summary, bodyId, bodyClass, isOpen, toggled, children }: Props) {
  const drawing = useContext(FoldContext);
  const [isDrawn, setDrawn] = useState(drawing === 'whole');
  const follow = (fold: HTMLDetailsElement | null) => {
    if (fold?.open && !isDrawn) setDrawn(true);
  };
  return (
    // A reader may have opened it before scripts ran.
    <details
      class={className}
      open={isOpen}
      ref={follow}
      onToggle={(event) => {
        follow(event.currentTarget);
        toggled?.(event.currentTarget.open);
      }}
    >
      <summary>{summary}</summary>
      {isDrawn ? (
        <div key="drawn" id={bodyId} class={bodyClass}>
          {children()}
        </div>
      ) : (
        <Undrawn key="undrawn" id={bodyId} class={bodyClass} />
      )}
    </details>
  );
}

/** What the server drew of a closed fold, which hydration leaves alone; empty where it drew nothing. */
export function Undrawn({ id, class: className }: { readonly id?: string; readonly class?: string }) {
  return <div id={id} class={className} dangerouslySetInnerHTML={{ __html: '' }} />;
}
