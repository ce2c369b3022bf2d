import { parseArgs } from 'node:util';
import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import type { ConfigDefinition } from './define-config.ts';
import { showBuild } from './metrics.ts';
import { createLogger } from './request-log.ts';
import { SettingsError } from './settings.ts';
import { stopOnSignal, type RunningService } from './start-servers.ts';

/** Bad settings, or a command line that is not understood. */
const EXIT_USAGE = 2;
/** Longest wait for the probe of `healthcheck`. */
const HEALTHCHECK_MS = 5_000;

/** A command line that is not understood; the message says what is. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** A command of one service, besides those that every service has. */
export interface Command<C> {
  /** Its arguments as the help shows them: `--owner <tenant>`. Without this field it takes none. */
  readonly usage?: string;
  readonly help: string;
  /**
   * Returns the exit code; undefined is 0. Errors: SettingsError and UsageError become exit code 2, others 1.
   */
  run(config: C, args: string[], env: NodeJS.ProcessEnv): Promise<number | void>;
}

/** The migrations of a service's database; `ServiceMigrations` of `@platform/database` is one. */
export interface Migrations {
  apply(distributed?: boolean): Promise<readonly string[]>;
  status(): Promise<{
    readonly pending: readonly string[];
    readonly edited: readonly string[];
    readonly failed: readonly string[];
  }>;
  resolve(name: string, outcome: 'applied' | 'rolled-back'): Promise<void>;
}

/** A deployable service, as its command line shows it. */
export interface Program<C> {
  readonly name: string;
  readonly version: string;
  readonly config: ConfigDefinition<C>;
  /** Starts the service and resolves once it takes requests. */
  start(config: C): Promise<
    RunningService & {
      readonly deps: { readonly logger: Logger; readonly metrics: { readonly registry: Registry } };
    }
  >;
  /** Source revision of the build. */
  revision(config: C): string;
  /** Its migrations, for the command `migrate`. */
  migrations(config: NoInfer<C>): Migrations;
  /** Where the probes of a running service are. */
  probe(config: C): { readonly host: string; readonly port: number };
  readonly commands?: Readonly<Record<string, Command<C>>>;
}

interface Output {
  write(text: string): unknown;
  on(event: 'error', listener: (error: NodeJS.ErrnoException) => void): unknown;
}

/** The part of `process` that a service needs; tests pass a stand-in. */
interface Host {
  readonly argv: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  readonly stdout: Output;
  readonly stderr: Output;
  exitCode?: number | string | null | undefined;
  exit(code: number): never;
}

/**
 * The command line of a service: `serve` (the default), `migrate`, `healthcheck`, `version`,
 * `--print-config`, `--help` and the program's own commands. Exit code 2 means bad settings or usage, 1 any
 * other failure.
 */
export async function runService<C>(program: Program<C>, host: Host = process): Promise<void> {
  // Nobody can be told that stderr cannot be written: what was asked for is done all the same.
  host.stderr.on('error', () => undefined);
  host.stdout.on('error', (error) => {
    // A reader that stops early, as `head` does, is no error.
    if (error.code === 'EPIPE') return;
    host.exitCode ||= 1;
    host.stderr.write(`the output could not be written: ${error.message}\n`);
  });
  try {
    const exitCode = await runCommand(program, host);
    // `serve` ends by a signal; everything else ends when nothing is left to do.
    if (exitCode !== null) host.exitCode ||= exitCode;
  } catch (error) {
    const { name } = readCommandLine(host.argv);
    if (name === 'serve' && !isUsage(error)) logStartFailure(program.name, error, host);
    else {
      const text = error instanceof Error ? error.message : String(error);
      const { setting } = (error ?? {}) as { setting?: string };
      const message = setting === undefined ? text : `${setting}: ${text}`;
      host.stderr.write(`${message}\n${isParseError(error) ? usageOf(program) : ''}`);
    }
    host.exit(isUsage(error) ? EXIT_USAGE : 1);
  }
}

/**
 * What ended a start as a line of the log like every other; errors of stores name the `dependency` and the
 * `setting` that says where it is.
 */
function logStartFailure(service: string, error: unknown, { stderr }: Host): void {
  const err = error instanceof Error ? error : new Error(String(error));
  const { dependency, setting } = err as { dependency?: string; setting?: string };
  const line = { ...(dependency === undefined ? {} : { dependency, setting }), err };
  createLogger({ service, level: 'info' }, { write: (text: string) => void stderr.write(text) }).fatal(
    line,
    err.message,
  );
}

function isUsage(error: unknown): boolean {
  return error instanceof SettingsError || error instanceof UsageError || isParseError(error);
}

/** Whether `util.parseArgs` threw the error: its own message names the argument and not what is taken. */
function isParseError(error: unknown): boolean {
  return String((error as { code?: unknown } | null)?.code).startsWith('ERR_PARSE_ARGS_');
}

/** The words given, the name of the command, and its arguments. */
function readCommandLine(argv: readonly string[]) {
  const flags = ['--help', '--version', '--print-config'];
  const given = argv.slice(2);
  const [name = 'serve', ...args] = given.filter((arg) => !flags.includes(arg));
  return { given, name, args };
}

async function runCommand<C>(program: Program<C>, host: Host): Promise<number | null> {
  const { given, name, args } = readCommandLine(host.argv);
  const print = (text: string) => void host.stdout.write(text);
  if (given.includes('--help')) return (print(usageOf(program)), 0);
  if (name === 'version' || given.includes('--version')) return (print(`${program.version}\n`), 0);

  const commands: Readonly<Record<string, Command<C>>> = {
    ...standardCommands(program, print),
    ...program.commands,
  };
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (command === undefined) throw new UsageError(`unknown command \`${name}\`\n${usageOf(program)}`);
  if (args.length > 0 && command.usage === undefined)
    throw new UsageError(`\`${name}\` takes no \`${args[0]}\`\n${usageOf(program)}`);

  const config = await program.config.load(host.env, { alone: name !== 'serve' });
  if (given.includes('--print-config')) return (print(program.config.print(host.env)), 0);
  const exitCode = await command.run(config, args, host.env);
  return name === 'serve' ? null : (exitCode ?? 0);
}

function standardCommands<C>(
  program: Program<C>,
  print: (text: string) => void,
): Readonly<Record<string, Command<C>>> {
  return {
    serve: {
      help: 'serve requests until a signal ends it (the default)',
      async run(config) {
        // As process 1 of a container it would not end by the signal itself.
        const leave = () => process.exit(1);
        process.once('SIGTERM', leave).once('SIGINT', leave).once('disconnect', leave);
        const service = await program
          .start(config)
          .finally(() => process.off('SIGTERM', leave).off('SIGINT', leave).off('disconnect', leave));
        const { registry } = service.deps.metrics;
        showBuild(registry, { version: program.version, revision: program.revision(config) });
        stopOnSignal(service, service.deps.logger);
      },
    },
    migrate: {
      usage: '[--distributed | --status | --applied <name> | --rolled-back <name>]',
      help:
        'bring the database up to date; replicas that do so at once wait for one another. --status changes nothing: ' +
        'exit code 0 up to date, 3 pending, 1 unfinished or edited. --distributed lays the tables on several nodes ' +
        'by tenant. The others settle an unfinished migration',
      run: (config, args) => runMigrate(program.migrations(config), args, print),
    },
    healthcheck: {
      help: 'exit with 0 if the service on this host is ready, else with 1',
      async run(config) {
        const { host, port } = program.probe(config);
        const reachable = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
        const address = reachable.includes(':') ? `[${reachable}]` : reachable;
        const url = `http://${address}:${port}/readyz`;
        const { status } = await fetch(url, { signal: AbortSignal.timeout(HEALTHCHECK_MS) });
        return status === 200 ? 0 : 1;
      },
    },
  };
}

/** Exit code of `migrate --status` when migrations are pending. */
const EXIT_PENDING = 3;

async function runMigrate(
  migrations: Migrations,
  args: string[],
  print: (text: string) => void,
): Promise<number> {
  const { values } = parseArgs({
    args,
    options: {
      distributed: { type: 'boolean' },
      status: { type: 'boolean' },
      applied: { type: 'string' },
      'rolled-back': { type: 'string' },
    },
  });
  const { distributed = false, status: isStatus = false, applied, 'rolled-back': rolledBack } = values;
  if ([distributed, isStatus, applied !== undefined, rolledBack !== undefined].filter(Boolean).length > 1)
    throw new UsageError('migrate: give one of --distributed, --status, --applied, --rolled-back');
  if (applied !== undefined) await migrations.resolve(applied, 'applied');
  else if (rolledBack !== undefined) await migrations.resolve(rolledBack, 'rolled-back');
  else if (!isStatus) {
    const names = await migrations.apply(distributed);
    print(names.length === 0 ? 'up to date\n' : `applied ${names.join(', ')}\n`);
    return 0;
  }
  const { pending, edited, failed } = await migrations.status();
  for (const [word, names] of Object.entries({ pending, edited, unfinished: failed }))
    for (const name of names) print(`${word} ${name}\n`);
  if (edited.length + failed.length > 0) return 1;
  if (pending.length > 0) return EXIT_PENDING;
  print('up to date\n');
  return 0;
}

/** Columns of the commands in the help. */
const COMMAND_COLUMNS = 16;

function usageOf<C>(program: Program<C>): string {
  const commands = {
    ...standardCommands(program, () => undefined),
    version: { help: 'print the version of this program' },
    ...program.commands,
  };
  const lines = Object.entries<{ usage?: string; help: string }>(commands).map(([name, { usage, help }]) => {
    const call = usage === undefined ? name : `${name} ${usage}`;
    const isShort = call.length < COMMAND_COLUMNS;
    return isShort
      ? `  ${call.padEnd(COMMAND_COLUMNS)} ${help}\n`
      : `  ${call}\n  ${''.padEnd(COMMAND_COLUMNS)} ${help}\n`;
  });
  return `usage: ${program.name} [command] [--print-config]\n\n${lines.join('')}`;
}
