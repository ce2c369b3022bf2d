/** What a browser lets all requests of a page that is left carry together is 64 KiB (Fetch standard). */
const KEPT_BYTES_MAX = 60_000;

interface Page {
  addEventListener(type: string, act: () => void, options: { signal: AbortSignal }): void;
}

/** The window, where this runs in a page. */
const page = 'document' in globalThis ? (globalThis as unknown as Page) : null;

/** Calls `act` each time that the page is hidden or left, until the signal. Does nothing outside a page. */
export function onLeavingPage(act: () => void, signal: AbortSignal): void {
  // Browsers of phones end a page that is hidden without another event.
  for (const type of ['visibilitychange', 'pagehide']) page?.addEventListener(type, act, { signal });
}

/** Lets a request with this body outlive its page, where it is small enough for that. */
export function keepAlive(body: string): { keepalive?: true } {
  if (page === null || body.length > KEPT_BYTES_MAX) return {};
  return new TextEncoder().encode(body).length > KEPT_BYTES_MAX ? {} : { keepalive: true };
}
