import type { Command } from 'commander';
import { contextsPath } from '../contexts.ts';
import { EXIT } from '../exit-codes.ts';
import { currentDomain, introspect } from '../names.ts';
import { counted } from '../output.ts';
import { loginLine, withAdvice, type Session, type Shell } from '../shell.ts';

/** The outcome of one check of `doctor`. */
interface Finding {
  readonly check: string;
  readonly ok: boolean;
  /** What was found; for a failure also what to do. */
  readonly detail: string;
}

/** Below this, a token of the context is about to end. Seconds. */
const SOON_SECONDS = 300;

/** `doctor`: whether the command line can work, step by step, and what to do where it cannot. */
export function addDoctor(program: Command, { env, talking, print, setExitCode }: Shell): void {
  program
    .command('doctor')
    .description('check the configuration, the connection, the credential and the tenant')
    .action(
      talking(async (session) => {
        const findings = [checkContexts(session, env), await checkService(session)];
        if (findings.every(({ ok }) => ok)) findings.push(...(await checkCredential(session)));
        print(
          session,
          { findings },
          findings.map(({ check, ok, detail }) => `${ok ? 'ok  ' : 'FAIL'} ${check}: ${detail}`).join('\n'),
        );
        if (findings.some(({ ok }) => !ok)) setExitCode(EXIT.no);
      }),
    );
}

/** The file could be read, as the command runs in a context of it. */
function checkContexts({ name }: Session, env: NodeJS.ProcessEnv): Finding {
  return { check: 'configuration', ok: true, detail: `${contextsPath(env)}, context ${name}` };
}

async function checkService(session: Session): Promise<Finding> {
  const { clients, context } = session;
  const check = `service at ${context.address}`;
  try {
    const { keys } = await clients.publicKeys.getPublicKey({});
    return {
      check,
      ok: true,
      detail: `responds, ${counted(keys.length, 'signing key')}`,
    };
  } catch (error) {
    const { message } = withAdvice(error, session) as Error;
    return { check, ok: false, detail: message };
  }
}

async function checkCredential(session: Session): Promise<Finding[]> {
  if (session.extras.token === undefined) {
    const detail = `none: run \`${loginLine(session)}\`, or set PLATFORM_TOKEN`;
    return [{ check: 'credential', ok: false, detail }];
  }
  try {
    const credential = await introspect(session);
    const { username, expiresAt, tenantId, scopes } = credential;
    const { domainId = '', note } = currentDomain(session, credential);
    const left = Number(expiresAt) - Math.floor(Date.now() / 1000);
    const life =
      left < SOON_SECONDS
        ? `ends in ${left} s: log in again soon`
        : `ends ${new Date(Number(expiresAt) * 1000).toISOString()}`;
    const tenant =
      tenantId === undefined
        ? 'none: run `platform use --tenant <tenant>` with one that `platform tenants mine` lists'
        : `${tenantId}, domain ${domainId}${note === null ? '' : `; ${note}`}`;
    return [
      { check: 'credential', ok: true, detail: `${username}, ${life}` },
      { check: 'scopes', ok: true, detail: scopes.join(' ') || 'all' },
      { check: 'tenant', ok: true, detail: tenant },
    ];
  } catch (error) {
    return [{ check: 'credential', ok: false, detail: (error as Error).message }];
  }
}
