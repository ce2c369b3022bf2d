/** The path of a share's page. */
export function sharePath(shareUuid: string, slug: string): string {
  return `/share/${shareUuid}/${slug}`;
}
