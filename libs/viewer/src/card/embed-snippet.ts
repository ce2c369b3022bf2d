/** Where a share has its card for other sites and its preview image; behind the path of its page. */
export const EMBED_PATH = '/embed';
export const IMAGE_PATH = '/image.png';

/** The HTML that puts the card of the share at `url` into another site. Pure. */
export function embedSnippet(url: string): string {
  const src = `${url}${EMBED_PATH}`.replace(/["'<>&]/g, encodeURIComponent);
  return `<iframe src="${src}" title="Verdict" width="100%" height="440" loading="lazy" style="border:0"></iframe>`;
}
