import { useEffect, useState } from 'preact/hooks';
import { COOKIE, readCredential, type Credential } from '../api/credential.ts';
import { readDeskSession, signInByCode } from '../api/desk-session.ts';

/** What is known of the user when the page opens. */
export interface OpenedDesk {
  readonly credential: Credential | null;
  /** Whether users sign in by password here. */
  readonly passwords: boolean;
  /** What kept the page from finding out, or a link from signing in. */
  readonly error: unknown;
}

/** A code is in the fragment of a link, which browsers send to nobody. */
const CODE = /^#code=([\w-]{1,128})$/;

/** null until the service has responded. */
export function useOpenedDesk(): OpenedDesk | null {
  const [opened, setOpened] = useState<OpenedDesk | null>(null);
  useEffect(() => void openDesk().then(setOpened), []);
  return opened;
}

async function openDesk(): Promise<OpenedDesk> {
  let error: unknown = null;
  const [, code] = CODE.exec(location.hash) ?? [];
  if (code !== undefined) {
    // A spent code is of no use in the history.
    history.replaceState(null, '', location.pathname);
    await signInByCode(code).catch((failure: unknown) => (error = failure));
  }
  const pasted = readCredential();
  try {
    const { signed_in: isSignedIn, passwords } = await readDeskSession();
    const credential = (code === undefined ? pasted : null) ?? (isSignedIn ? COOKIE : null) ?? pasted;
    return { credential, passwords, error };
  } catch (failure) {
    return { credential: pasted, passwords: false, error: error ?? failure };
  }
}
