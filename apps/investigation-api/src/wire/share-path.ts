/** The path of a share's page, percent-encoded. */
export function sharePath(shareUuid: string, slug: string): string {
  return `/share/${shareUuid}/${encodeURIComponent(slug)}`;
}
