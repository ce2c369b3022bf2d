/**
 * What calls are made with: the cookie of a sign-in, which the browser holds out of reach of scripts, or the
 * token or API key that was pasted into this tab.
 */
export type Credential = { readonly kind: 'cookie' } | { readonly kind: 'pasted'; readonly text: string };

export const COOKIE: Credential = { kind: 'cookie' };

/** Kept for the tab alone, and gone with it. */
const KEY = 'credential';

/** The pasted credential of this tab. */
export function readCredential(): Credential | null {
  const text = sessionStorage.getItem(KEY);
  return text === null ? null : { kind: 'pasted', text };
}

export function keepCredential(credential: Credential): void {
  if (credential.kind === 'pasted') sessionStorage.setItem(KEY, credential.text);
  else forgetCredential();
}

export function forgetCredential(): void {
  sessionStorage.removeItem(KEY);
}

/** The credential as pasted, without what people paste along with it. */
export function cleanCredential(pasted: string): string {
  return pasted.trim().replace(/^(?:authorization:\s*)?bearer\s+|^x-api-key:\s*/i, '');
}

/**
 * The header that carries a pasted one: API keys say in their JOSE header that they are keys, everything else
 * is a bearer token.
 */
export function credentialHeader(text: string): Record<string, string> {
  return isApiKey(text) ? { 'X-API-Key': text } : { Authorization: `Bearer ${text}` };
}

function isApiKey(credential: string): boolean {
  try {
    const head = credential.split('.')[0]!.replaceAll('-', '+').replaceAll('_', '/');
    return (JSON.parse(atob(head)) as { typ?: unknown }).typ === 'key+jwt';
  } catch {
    return false;
  }
}
