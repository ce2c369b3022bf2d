/**
 * Headers of the share page. Nothing but our own files may load, nothing inline runs, the page sends nothing
 * on, is not framed, and is not listed by search engines.
 */
export const SHARE_PAGE_HEADERS: Readonly<Record<string, string>> = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  'Referrer-Policy': 'no-referrer',
  'X-Robots-Tag': 'noindex',
  'X-Content-Type-Options': 'nosniff',
  'Cross-Origin-Opener-Policy': 'same-origin',
};

/**
 * Headers of what other sites show of a share. Everyone may frame it or load it; it has no scripts, and its
 * own styles alone may load.
 */
export const EMBED_HEADERS: Readonly<Record<string, string>> = {
  ...SHARE_PAGE_HEADERS,
  'Content-Security-Policy': [
    "default-src 'none'",
    "style-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    'frame-ancestors *',
  ].join('; '),
  'Cross-Origin-Resource-Policy': 'cross-origin',
};
