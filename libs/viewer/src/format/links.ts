/** A piece of a text: as it stands, or an address to link. */
export type TextPiece = string | { readonly url: string };

/** What ends a sentence rather than an address. */
const TRAILING = /[.,;:!?'"»”’)\]}>]+$/;

/**
 * A text with its http and https addresses set apart, for links. Addresses with user names, such as
 * `https://bank.example@evil.example`, stay text, for they mislead. Pure.
 */
export function linkPieces(text: string): TextPiece[] {
  const pieces: TextPiece[] = [];
  let end = 0;
  for (const match of text.matchAll(/\bhttps?:\/\/[^\s<>"`\p{Cc}\p{Bidi_Control}]+/giu)) {
    const url = withoutTail(match[0]);
    if (!isSafe(url)) continue;
    if (match.index > end) pieces.push(text.slice(end, match.index));
    pieces.push({ url });
    end = match.index + url.length;
  }
  if (end < text.length) pieces.push(text.slice(end));
  return pieces;
}

/** The host that a link leads to, `loc.gov ↗` without `www.`. */
export function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).hostname.replace(/^www\./, '') : url;
}

/** Without the punctuation of the sentence; a closing parenthesis stays where the address opened one. */
function withoutTail(address: string): string {
  const cut = address.replace(TRAILING, '');
  return address[cut.length] === ')' && cut.includes('(') && !cut.includes(')') ? `${cut})` : cut;
}

function isSafe(address: string): boolean {
  try {
    const { protocol, username, password, hostname } = new URL(address);
    return (protocol === 'http:' || protocol === 'https:') && username + password === '' && hostname !== '';
  } catch {
    return false;
  }
}
