/**
 * Everything of a list that comes in pages: the last response of `list`, with the items of all pages under
 * `field`.
 */
export async function everyPage<F extends string, R extends Record<F, unknown[]> & { nextPageToken: string }>(
  field: F,
  list: (pageToken: string) => Promise<R>,
): Promise<R> {
  const items: unknown[] = [];
  for (let pageToken = ''; ;) {
    const page = await list(pageToken);
    items.push(...page[field]);
    pageToken = page.nextPageToken;
    if (pageToken === '') return { ...page, [field]: items };
  }
}
