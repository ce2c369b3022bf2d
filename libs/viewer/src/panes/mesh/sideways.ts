const SCROLL_MARGIN = 12;
/** Frames that need not be moved again from where their reader moved them. */
const moved = new WeakSet<Element>();

/**
 * Moves a drawing that is wider than its frame to where its claims start, and says whether it is, whenever
 * that changes. Returns what ends it.
 */
export function followWidth(frame: Element, cut: (isCut: boolean) => void): () => void {
  // Measured once the browser has laid it out, which it does when the drawing comes near the screen.
  const observer = new ResizeObserver(() => {
    const startsAt = Number(frame.getAttribute('data-starts-at'));
    if (!moved.has(frame)) {
      frame.scrollLeft = startsAt - SCROLL_MARGIN;
      uncover(frame);
    }
    moved.add(frame);
    cut(frame.scrollWidth > frame.clientWidth + 1);
  });
  observer.observe(frame);
  return () => observer.disconnect();
}

/** Moves back to where the names begin that the edge of the frame would cut. */
function uncover(frame: Element): void {
  const edge = frame.getBoundingClientRect().left;
  const cut = [...frame.querySelectorAll('.mesh-edge-label')]
    .map((name) => name.getBoundingClientRect())
    .filter(({ left, right }) => left < edge && right > edge);
  if (cut.length > 0) frame.scrollLeft -= edge - Math.min(...cut.map(({ left }) => left)) + SCROLL_MARGIN;
}

/** Does so for the drawings that the server drew, which the reader sees before scripts take them over. */
export function watchSideways(body: Element): void {
  for (const frame of body.querySelectorAll('.mesh-scroll')) {
    const note = frame.previousElementSibling as HTMLElement;
    followWidth(frame, (isCut) => (note.hidden = !isCut));
  }
}
