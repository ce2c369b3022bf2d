import { ROOT_PASSWORD, runBuiltService, startBuiltService } from '@platform/testing';

/** The built authz-grpc, as a process of its own. */
export interface AuthzProcess {
  readonly probeUrl: string;
  /** SIGSTOP makes it hang, SIGCONT go on. */
  signal(signal: NodeJS.Signals): void;
  /** Ends it like a crash. */
  kill(): Promise<void>;
}

/** Brings a database of it up to date. Errors: what the command wrote. */
export async function migrateAuthz(databaseUrl: string): Promise<void> {
  const { code, stderr } = await runBuiltService('authz-grpc', ['migrate'], { DATABASE_URL: databaseUrl });
  if (code !== 0) throw new Error(`migrate ended with ${code}: ${stderr}`);
}

/**
 * Starts it over a migrated database and waits until it takes calls on `grpcPort`. Errors: what it wrote
 * last.
 */
export async function startAuthz(
  databaseUrl: string,
  grpcPort: number,
  env: Record<string, string> = {},
): Promise<AuthzProcess> {
  const service = await startBuiltService('authz-grpc', {
    DATABASE_URL: databaseUrl,
    AUTHZ_ROOT_PASSWORD: ROOT_PASSWORD,
    AUTHZ_GRPC_PORT: String(grpcPort),
    ...env,
  });
  return {
    probeUrl: `http://127.0.0.1:${service.ports['probe_port']}`,
    signal: (signal) => void service.process.kill(signal),
    kill: service.kill,
  };
}
