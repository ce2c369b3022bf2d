import { openAuthzClients, GrpcCallError, type AuthzClients } from '@platform/authz-client';
import { Command } from 'commander';
import {
  adviceWithCause,
  connectionOf,
  readConnection,
  tlsOf,
  type ConnectionOptions,
} from './connection.ts';
import { contextsPath, keptContext, readContexts, type Context } from './contexts.ts';
import { NotLoggedIn, UsageError } from './exit-codes.ts';
import { jsonText, table } from './output.ts';

/** The world outside, so that tests can be one. */
export interface Terminal {
  readonly env: NodeJS.ProcessEnv;
  readonly out: (text: string) => void;
  readonly setExitCode: (code: number) => void;
  /** Asks a question that is answered with yes or no; absent where nobody is there to answer. */
  readonly confirm?: (question: string) => Promise<boolean>;
  /** Asks for a secret without showing it; null where the input ends. Absent where nobody types. */
  readonly askSecret?: (label: string) => Promise<string | null>;
  /** Tells what is not part of what a command prints, on standard error. */
  readonly note?: (text: string) => void;
  /** Shows how far a long command is, in place of what it showed before; absent where nobody looks. */
  readonly progress?: (text: string) => void;
  /** Characters on a line of the terminal that `out` goes to; absent where it goes elsewhere. */
  readonly columns?: number;
}

/** A command's session: clients of the chosen server and the credential to send. */
export interface Session {
  readonly clients: AuthzClients;
  /** The context's name, and the context with the address that goes for this call. */
  readonly name: string;
  readonly context: Context;
  /** The context as it was kept, where PLATFORM_TOKEN stands in the place of its session. */
  readonly kept?: Context;
  /** Whether --context names the context. */
  readonly isChosen: boolean;
  readonly extras: { readonly token: string | undefined };
  readonly isJson: boolean;
  /** Options of the command, as `--tenant`. */
  readonly options: ReadonlySet<string>;
  /** `note` of the terminal, which says each text once. */
  readonly noteOnce?: (text: string) => void;
}

/** What every command works with: the terminal, and a connection while it runs. */
export interface Shell extends Terminal {
  /**
   * Makes a command's action of `run`: it talks to the service of the chosen context, and the connection is
   * closed after it. Throws UsageError for a context that is not there.
   */
  readonly talking: <Args extends unknown[]>(
    run: (session: Session, ...args: Args) => Promise<void>,
  ) => (...args: Args) => Promise<void>;
  /** Prints the value with `--json`, else the text. */
  readonly print: (session: Pick<Session, 'isJson'>, value: object, text: string) => void;
  /** `table` of output.ts, as wide as the terminal. */
  readonly table: (rows: readonly object[], columns: readonly string[]) => string;
}

const UNAVAILABLE: GrpcCallError['code'] = 14;
const DEADLINE_EXCEEDED: GrpcCallError['code'] = 4;
/** How grpc-js begins where no response came; its own internals follow. */
const SILENCE = /^Deadline exceeded after ([\d.]+)s/;

/** Nobody answered, as opposed to a service that says that it cannot. */
function isUnanswered(error: unknown): error is GrpcCallError {
  return error instanceof GrpcCallError && error.code === UNAVAILABLE && error.reason === '';
}

/** No response came, or the service said that it cannot respond now: it may the next time. */
export function isUnavailable(error: unknown): boolean {
  return error instanceof GrpcCallError && (error.code === UNAVAILABLE || error.code === DEADLINE_EXCEEDED);
}

/** The credential is missing or no longer live. */
function isEndedCredential(error: unknown): error is GrpcCallError {
  return error instanceof GrpcCallError && error.reason === 'TOKEN_INVALID';
}

/** The command that logs in again to the tenant and domain of the session's context. */
export function loginLine({ context, kept, name, isChosen }: LoginOf): string {
  const { username } = kept ?? context;
  return `platform login${username === undefined ? '' : ` ${username}`}${isChosen ? ` --context ${name}` : ''}`;
}

/** What `loginLine` takes of a session. */
export type LoginOf = Pick<Session, 'context' | 'kept' | 'name' | 'isChosen'>;

/** The error of a call, with what its user can do where the credential or the service is gone. */
export function withAdvice(error: unknown, session: LoginOf): unknown {
  const { context } = session;
  if (isEndedCredential(error))
    return new NotLoggedIn(`${error.message}: run \`${loginLine(session)}\`, or set PLATFORM_TOKEN`, error);
  const [, seconds] = error instanceof GrpcCallError ? (SILENCE.exec(error.message) ?? []) : [];
  if (seconds !== undefined)
    return new Error(`no response from ${context.address} within ${Math.round(Number(seconds))} s`, {
      cause: error,
    });
  if (!isUnanswered(error)) return error;
  const advice = adviceWithCause(error.message, context);
  return new Error(`no response from ${context.address}; ${advice}`, { cause: error });
}

/** Options of what an action gets last, where that is its command. */
function optionsOf(last: unknown): ReadonlySet<string> {
  const options = last instanceof Command ? last.options : [];
  return new Set(options.flatMap(({ long }) => long ?? []));
}

/** The options that stand before every command, read when a command runs. */
export function createShell(program: Command, terminal: Terminal): Shell {
  const { env, out } = terminal;
  const global = () => program.opts<ConnectionOptions & { context?: string; json?: boolean }>();

  async function readContext(): Promise<{ name: string; context: Context; kept: Context | undefined }> {
    const file = await readContexts(contextsPath(env));
    const name = global().context ?? file.current;
    const kept = keptContext(file, name);
    if (kept === undefined && global().context !== undefined)
      throw new UsageError(
        `no context \`${name}\`: \`platform login <username> --save-as ${name}\` makes one`,
      );
    return { name, kept, context: { ...kept, ...readConnection(global(), env, kept) } };
  }

  return {
    ...terminal,
    talking:
      (run) =>
      async (...args) => {
        const given = env['PLATFORM_TOKEN'];
        if (given?.trim() === '')
          throw new UsageError('PLATFORM_TOKEN is empty: set it to a token, or unset it to work by a login');
        const { name, context, kept } = await readContext();
        const clients = openAuthzClients(context.address, { tls: tlsOf(context) });
        const said = new Set<string>();
        const session: Session = {
          clients,
          name,
          // Tenant and user are those of the token; its domain is the context's where that is of its tenant.
          ...(given === undefined ? { context } : { context: connectionOf(context), kept }),
          isChosen: global().context !== undefined,
          extras: { token: given ?? context.token },
          isJson: global().json === true,
          options: optionsOf(args.at(-1)),
          noteOnce: (text) => {
            if (!said.has(text)) terminal.note?.(text);
            said.add(text);
          },
        };
        try {
          await run(session, ...args);
        } catch (error) {
          throw withAdvice(error, session);
        } finally {
          clients.close();
        }
      },
    table: (rows, columns) => table(rows, columns, terminal.columns),
    print: (session, value, text) => {
      if (session.isJson) out(jsonText(value));
      else if (text !== '') out(text);
    },
  };
}
