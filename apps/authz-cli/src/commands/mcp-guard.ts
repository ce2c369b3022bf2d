import { randomBytes, randomUUID } from 'node:crypto';
import type { Command } from 'commander';
import { readWhole } from '../arguments.ts';
import { NotLoggedIn, UsageError } from '../exit-codes.ts';
import { createBoundIds } from '../guard/bound-ids.ts';
import { createCallers } from '../guard/callers.ts';
import { createDecide } from '../guard/decider.ts';
import { createGuard, type Guard } from '../guard/guard.ts';
import { createGuardServer } from '../guard/http.ts';
import type { Rules } from '../guard/needs.ts';
import type { Kind } from '../guard/objects.ts';
import { guardStdio } from '../guard/stdio.ts';
import { listenLoopback, servedToTheEnd, loopbackHosts, readLoopback } from '../loopback.ts';
import { domainIdOf, introspect } from '../names.ts';
import { visible } from '../output.ts';
import type { Session, Shell } from '../shell.ts';

interface Options {
  readonly name: string;
  readonly domain?: string;
  readonly tenant?: string;
  readonly unchecked: readonly string[];
  readonly pass: readonly string[];
  readonly timeoutMs: string;
  readonly messageBytes: string;
  readonly url?: string;
  readonly listen?: string;
  readonly allowedHost: readonly string[];
  readonly passCredential?: boolean;
}

const NAME = /^[A-Za-z0-9_][A-Za-z0-9_.-]{0,63}$/;
/** Kinds that `--pass` takes, with those that go along. */
const PASSES: Readonly<Record<string, readonly Kind[]>> = {
  resources: ['resources', 'templates'],
  prompts: ['prompts'],
};
const LISTEN = '127.0.0.1:8090';
const TIMEOUT_MS_MAX = 60_000;
const MESSAGE_BYTES_MAX = 64 * 1024 * 1024;

const repeated = (value: string, before: readonly string[]) => [...before, value];

/** `mcp-guard`: an MCP server whose every call is a check. */
export function addMcpGuard(program: Command, { env, out, talking, setExitCode }: Shell): void {
  const note = (line: string) => void process.stderr.write(`platform mcp-guard: ${visible(line)}\n`);
  program
    .command('mcp-guard [command...]')
    .description(
      'stand between a client and an MCP server and ask for a decision about each call; the command of the server stands after --, or --url names it',
    )
    .option(
      '--name <name>',
      'name of the server in objects: svc://<domain>/mcp/<name>/tools/<tool>',
      'server',
    )
    .option('--domain <domain>', 'id or name of the domain of the objects; the current one unless given')
    .option('--tenant <tenant>', 'id or name of its tenant; the current one unless given')
    .option(
      '--unchecked <argument>',
      'an argument that does not become an attribute of checks, repeated for several; * for all',
      repeated,
      [],
    )
    .option('--pass <kind>', 'resources or prompts: pass them without asking for each', repeated, [])
    .option('--timeout-ms <ms>', 'longest wait for a decision; what is not decided is refused', '2000')
    .option('--message-bytes <bytes>', 'longest message in either direction', String(4 * 1024 * 1024))
    .option('--url <url>', 'the MCP endpoint of a server over streamable HTTP')
    .option(
      '--listen <host:port>',
      `with --url: where clients find the guard, on loopback (default: ${LISTEN})`,
    )
    .option(
      '--allowed-host <host>',
      'with --url: a Host header besides those of loopback, repeated for several; for a TLS proxy in front',
      repeated,
      [],
    )
    .option('--pass-credential', "with --url: send each caller's bearer token on to the server")
    .addHelpText(
      'after',
      '\nEnvironment: MCP_GUARD_UPSTREAM_TOKEN, with --url: the bearer token that the guard sends to the server.',
    )
    .action(
      talking(async (session, command: string[], options: Options) => {
        if (command.length === 0 && options.url === undefined)
          throw new UsageError('name the command of the server after --, or its address with --url');
        if (command.length > 0 && options.url !== undefined)
          throw new UsageError(
            'name either the command of the server after -- or its address with --url, not both',
          );
        if (options.url === undefined) refuseOptionsOfUrl(options);
        const { rules, timeoutMs, messageBytesMax } = await readOptions(session, options);
        const guard = createGuard(rules, createDecide(session.clients, timeoutMs), note);
        await (options.url === undefined
          ? guardCommand(session, guard, command, messageBytesMax)
          : guardUrl(session, guard, options, { timeoutMs, messageBytesMax }));
      }),
    );

  async function guardCommand(session: Session, guard: Guard, command: string[], messageBytesMax: number) {
    const { subjectId, tenantId } = await introspect(session);
    if (tenantId === undefined)
      throw new UsageError('the credential has no tenant: log in with --tenant, or set PLATFORM_TOKEN');
    const code = await guardStdio(
      guard,
      { input: process.stdin, output: process.stdout },
      {
        command,
        env: withoutCredentials(env),
        messageBytesMax,
        caller: { token: session.extras.token ?? '', subject: subjectId },
        correlation: { 'mcp.session': randomUUID() },
      },
      note,
    ).catch((error: NodeJS.ErrnoException) => {
      if (error.syscall?.startsWith('spawn') !== true) throw error;
      const why = error.code === 'ENOENT' ? 'there is no such command' : error.message;
      throw new UsageError(`\`${command[0]}\` cannot be started: ${why}`);
    });
    setExitCode(code);
  }

  /** Serves until the process is told to end. */
  async function guardUrl(
    { clients }: Session,
    guard: Guard,
    { url = '', listen = LISTEN, allowedHost, passCredential = false }: Options,
    { timeoutMs, messageBytesMax }: { timeoutMs: number; messageBytesMax: number },
  ): Promise<void> {
    const upstream = readUrl(url);
    const address = readLoopback(listen, '--listen');
    const hosts = new Set(allowedHost.map((host) => host.toLowerCase()));
    const server = createGuardServer(
      guard,
      createCallers(clients, timeoutMs),
      createBoundIds(randomBytes(32)),
      {
        upstream,
        upstreamToken: env['MCP_GUARD_UPSTREAM_TOKEN'] ?? null,
        passesCredential: passCredential,
        messageBytesMax,
        hosts,
      },
      note,
    );
    const port = await listenLoopback(server, address, '--listen');
    for (const host of loopbackHosts(port)) hosts.add(host);
    out(`listening on http://${listen.replace(/:\d+$/, '')}:${port}${upstream.pathname}`);
    await servedToTheEnd(server);
  }
}

function refuseOptionsOfUrl({ listen, allowedHost, passCredential }: Options): void {
  const given = Object.entries({
    '--listen': listen !== undefined,
    '--allowed-host': allowedHost.length > 0,
    '--pass-credential': passCredential === true,
  }).find(([, isGiven]) => isGiven);
  if (given !== undefined)
    throw new UsageError(
      `${given[0]} is for a server over HTTP: name its address with --url, or leave it out`,
    );
}

function readUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !['http:', 'https:'].includes(url.protocol) || url.username !== '' || url.hash !== '')
    throw new UsageError('--url must be an http or https address without a user name');
  return url;
}

async function readOptions(session: Session, options: Options) {
  if (!NAME.test(options.name))
    throw new UsageError('--name must be letters, digits, `_`, `-` and `.`, at most 64');
  const passes = options.pass.flatMap((kind) => {
    const kinds = PASSES[kind];
    if (kinds === undefined) throw new UsageError('--pass must be `resources` or `prompts`');
    return kinds;
  });
  const timeoutMs = readWhole(options.timeoutMs, '--timeout-ms', TIMEOUT_MS_MAX, 1);
  const messageBytesMax = readWhole(options.messageBytes, '--message-bytes', MESSAGE_BYTES_MAX);
  const domainId = await findDomain(session, options);
  const rules: Rules = {
    place: { domainId, server: options.name },
    unchecked: new Set(options.unchecked),
    passes: new Set(passes),
  };
  return { rules, timeoutMs, messageBytesMax };
}

/** The domain of the objects. Throws as `domainIdOf`, and NotLoggedIn that says what a guard needs. */
async function findDomain(session: Session, options: Options): Promise<string> {
  try {
    return await domainIdOf(session, options);
  } catch (error) {
    if (!(error instanceof NotLoggedIn) || options.url === undefined) throw error;
    const why = 'a guard over HTTP checks each request with the bearer token that it brings';
    throw new NotLoggedIn(
      `${error.message}; ${why}, and needs a credential of its own only to find the domain: name it by its id with --domain`,
    );
  }
}

/** The credential is for the guard: the server gets what the guard was started with, without it. */
function withoutCredentials(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !/^(?:PLATFORM|MCP_GUARD)_/.test(name)));
}
