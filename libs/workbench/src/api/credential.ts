/** Kept for the tab alone, and gone with it. */
const KEY = 'credential';

export function readCredential(): string | null {
  return sessionStorage.getItem(KEY);
}

export function keepCredential(credential: string): void {
  sessionStorage.setItem(KEY, credential);
}

export function forgetCredential(): void {
  sessionStorage.removeItem(KEY);
}

/** The credential as pasted, without what people paste along with it. */
export function cleanCredential(pasted: string): string {
  return pasted.trim().replace(/^(?:authorization:\s*)?bearer\s+|^x-api-key:\s*/i, '');
}

/**
 * The header that carries it: API keys say in their JOSE header that they are keys, everything else is a
 * bearer token.
 */
export function credentialHeader(credential: string): Record<string, string> {
  return isApiKey(credential) ? { 'X-API-Key': credential } : { Authorization: `Bearer ${credential}` };
}

function isApiKey(credential: string): boolean {
  try {
    const head = credential.split('.')[0]!.replaceAll('-', '+').replaceAll('_', '/');
    return (JSON.parse(atob(head)) as { typ?: unknown }).typ === 'key+jwt';
  } catch {
    return false;
  }
}
