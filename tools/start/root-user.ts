import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { AuthzClients } from '@platform/authz-client';
import { unless } from './demo-user.ts';
import type { PlatformFile } from './platform-file.ts';
import type { Provided } from './services.ts';
import { AUTHZ, environmentOf } from './services.ts';

/** A start takes less. */
const ROOT_SESSION_SECONDS = 600;

/** A session of the system root; null where its name or password is another. */
export async function openRootSession(
  authz: AuthzClients,
  { username, password }: PlatformFile['root'],
): Promise<string | null> {
  const request = { username, password, duration: ROOT_SESSION_SECONDS };
  return (await unless('LOGIN_FAILED', authz.sessions.login(request)))?.token ?? null;
}

/**
 * Gives the system root the password that is provided, as anyone who has the database may. authz-grpc must
 * not run, whose embedded database belongs to one process. Errors: what the command said.
 */
export async function resetRoot(provided: Provided): Promise<void> {
  const env = environmentOf(AUTHZ, provided);
  await promisify(execFile)(process.execPath, [AUTHZ.main, 'reset-root'], { env });
}
