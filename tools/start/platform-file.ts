import { existsSync, readFileSync, writeFileSync } from 'node:fs';

/** `.data/platform.json`: where the running platform is, for other programs; kept over restarts. */
export interface PlatformFile {
  investigation_url: string;
  authz_url: string;
  authz_grpc: string;
  docstore_url: string;
  root: { username: string; password: string };
  demo: Demo;
}

/** The demo user's credentials and permissions. */
export interface Demo {
  tenant_id: string;
  tenant_name: string;
  user_id: string;
  username: string;
  password: string;
  domain_id: string;
  /** Session of one day; renewed on every start. */
  token: string;
  api_key: string;
  docstore_key: string;
  /** Of the service account by which investigation-api follows documents and policies. */
  watch_key?: string;
  /** Session that holds the demo investigation, judged. */
  session_id: string;
  /** Page of its published snapshot. */
  share_url: string;
}

/** The file as the last start left it; null on a first start. Errors: it is not JSON. */
export function readPlatformFile(path: string): Partial<PlatformFile> | null {
  if (!existsSync(path)) return null;
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Partial<PlatformFile>;
  } catch (error) {
    throw new Error(`${path} is not JSON: mend it, or begin anew with npm start -- --fresh`, {
      cause: error,
    });
  }
}

/** Writes it, readable by its owner only. */
export function writePlatformFile(path: string, file: Partial<PlatformFile>): void {
  writeFileSync(path, `${JSON.stringify(file, null, 2)}\n`, { mode: 0o600 });
}

/** Writes the header that curl reads with `-H @<path>`, so that no command line holds the token. */
export function writeAuthorization(path: string, token: string): void {
  writeFileSync(path, `Authorization: Bearer ${token}\n`, { mode: 0o600 });
}
