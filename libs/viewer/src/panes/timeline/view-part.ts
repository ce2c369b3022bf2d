/** What an address says about a timeline. A module of its own: a script runs it before the first paint. */
export const VIEW_PARAMETERS: readonly string[] = ['lanes', 'lane_page', 'from', 'to', 'aged'];

/** The part of a search that is about a timeline; empty where it says nothing of one. */
export function viewPart(search: string): string {
  const asked = [...new URLSearchParams(search)];
  return searchOf(new URLSearchParams(asked.filter(([name]) => VIEW_PARAMETERS.includes(name))));
}

/** With its question mark; empty where it asks for nothing. */
export const searchOf = (asked: URLSearchParams): string =>
  asked.toString() === '' ? '' : `?${asked.toString()}`;
