import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { z } from 'zod';

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

/** What a start relies on. All that is known of the demo is text. */
const READ = z.looseObject({
  root: z.object({ username: z.string(), password: z.string() }).optional(),
  demo: z.record(z.string(), z.string()).optional(),
});

/** The file as the last start left it; null on a first start. Errors: what is wrong with it. */
export function readPlatformFile(path: string): Partial<PlatformFile> | null {
  if (!existsSync(path)) return null;
  try {
    return READ.parse(JSON.parse(readFileSync(path, 'utf8'))) as Partial<PlatformFile>;
  } catch (error) {
    const why = error instanceof z.ZodError ? z.prettifyError(error) : (error as Error).message;
    throw new Error(
      `${path} is not as a start wrote it: ${why}\nMend it; or remove it, and the next start replaces the passwords that it stated and keeps what is stored; or begin anew with npm start -- --fresh, without what is stored.`,
      { cause: error },
    );
  }
}

/** Writes it, readable by its owner only; a start that is killed meanwhile leaves the one before. */
export function writePlatformFile(path: string, file: Partial<PlatformFile>): void {
  const whole = `${path}.new`;
  writeFileSync(whole, `${JSON.stringify(file, null, 2)}\n`, { mode: 0o600 });
  renameSync(whole, path);
}

/** Writes the header that curl reads with `-H @<path>`, so that no command line holds the token. */
export function writeAuthorization(path: string, token: string): void {
  writeFileSync(path, `Authorization: Bearer ${token}\n`, { mode: 0o600 });
}
