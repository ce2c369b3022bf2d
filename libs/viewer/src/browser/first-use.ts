/** What counts as a use of a control that the server drew, by the event that tells about it. */
export type Uses = Readonly<Record<string, string>>;

/** The first use of a pane that scripts have not taken over yet. */
export interface Sleeping {
  /** Stops listening: the pane was drawn anew. */
  stop(): void;
  /** Takes the pane over although nothing was used: the address asks for what the server did not draw. */
  wake(): void;
}

/**
 * Calls `wake` when something that `uses` names is first used within `body`. What was used until it resolved
 * happens then, in the order in which it was used. When it rejects, the next use calls it again.
 */
export function wakeOnFirstUse(body: Element, uses: Uses, wake: () => Promise<void>): Sleeping {
  const listening = new AbortController();
  const { signal } = listening;
  /** By what it does to a control: of the places that a pointer came over, only the last one counts. */
  let waiting: { readonly type: string; readonly happen: () => void }[] = [];
  let waking: Promise<void> | undefined;

  async function finish(): Promise<void> {
    try {
      await wake();
    } catch {
      waiting = [];
      waking = undefined;
      return;
    }
    if (signal.aborted) return;
    listening.abort();
    for (const { happen } of waiting) {
      happen();
      // What happens next starts from what this has drawn.
      await new Promise((resolve) => setTimeout(resolve));
    }
  }

  const rouse = () => void (waking ??= finish());

  for (const [type, selector] of Object.entries(uses))
    body.addEventListener(
      type,
      (event) => {
        const used = (event.target as Element).closest(selector);
        if (!used) return;
        if (type === 'pointerover') waiting = waiting.filter((other) => other.type !== type);
        waiting.push({ type, happen: repeated(event, used) });
        rouse();
      },
      { signal },
    );
  return { stop: () => listening.abort(), wake: rouse };
}

/** What lets the event happen again, to a control that meanwhile answers to it. */
function repeated(event: Event, used: Element): () => void {
  const { target, type } = event;
  if (type === 'change') {
    // Drawing the control anew sets it back.
    const { value, checked } = target as HTMLInputElement;
    return () => {
      Object.assign(target!, { value, checked });
      target!.dispatchEvent(new Event(type, { bubbles: true }));
    };
  }
  if (type === 'click') {
    // The browser itself opened the fold.
    if (used.localName === 'summary') return () => used.parentElement!.dispatchEvent(new Event('toggle'));
    return () => (used as HTMLElement).click();
  }
  return () => target!.dispatchEvent(new (event.constructor as typeof Event)(type, event));
}
