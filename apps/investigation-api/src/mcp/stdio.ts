#!/usr/bin/env node
import { randomUUID } from 'node:crypto';
import { parseArgs } from 'node:util';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { DomainError } from '@platform/error-contracts';
import { createLogger } from '@platform/service-kit';
import type { Caller } from '../access/caller.ts';
import { createPermissions } from '../access/permissions.ts';
import type { StdioConfig } from '../config.ts';
import { STDIO_CONFIG } from '../config.ts';
import { openSessions } from '../deps.ts';
import { createAnalysisPool } from '../engine/analysis-pool.ts';
import { createInterchange } from '../interchange/interchange.ts';
import { createDocumentStore } from '../quotes/document-store.ts';
import { createInputReader } from '../engine/input-reader.ts';
import { DrainingTransport } from './draining-transport.ts';
import { buildServer } from './server.ts';
import { parseToolSelection } from './tool-selection.ts';
import { SERVICE_TOOLSETS, type Tool, type ToolDeps } from './tool.ts';
import { selectTools } from './tools.ts';

const EXIT_OUTPUT_LOST = 1;
const EXIT_BAD_SETTINGS = 2;
const USAGE = 'usage: investigation-mcp [--toolsets <name,…>|all] [--read-only]';
/** What is told of the link of a share that this process serves. */
const LOCAL_LINKS =
  'the link opens on this computer alone, and while the client keeps this server running; INVESTIGATION_PUBLIC_URL names a service on the same database (DATABASE_URL) that others reach';

/** What a line may have around the arguments of a call. Bytes. */
const ENVELOPE_BYTES = 64 * 1024;

/** The user who started the process: the one user of the tenant `local` in its database. */
const LOCAL: Caller = {
  id: 'local',
  tenantId: 'local',
  username: null,
  rootDomainId: null,
  leases: null,
  scopes: [],
  credential: '',
  metadata: {},
};

/** The command line. Throws an Error that says what is understood. */
function readFlags() {
  try {
    const options = { toolsets: { type: 'string' }, 'read-only': { type: 'boolean' } } as const;
    return parseArgs({ options }).values;
  } catch (error) {
    throw new Error(`${(error as Error).message}\n${USAGE}`, { cause: error });
  }
}

/** Command line and environment, read. Throws an Error that says what is wrong. */
async function readOptions(): Promise<{ config: StdioConfig; tools: Tool[] }> {
  const flags = readFlags();
  const config = await STDIO_CONFIG.load(process.env);
  const readOnly = String(flags['read-only'] ?? config.mcpReadOnly);
  const named = flags.toolsets ?? config.mcpToolsets ?? null;
  const selection = parseToolSelection(named, readOnly);
  const refused =
    named === 'all' ? [] : selection.toolsets.filter((toolset) => SERVICE_TOOLSETS.has(toolset));
  if (refused.length > 0)
    throw new Error(
      refused
        .map(
          (one) =>
            `toolset \`${one}\` needs the running service (${SERVICE_TOOLSETS.get(one)}); leave it out over stdio`,
        )
        .join('\n'),
    );
  const toolsets = selection.toolsets.filter((toolset) => !SERVICE_TOOLSETS.has(toolset));
  return { config, tools: selectTools({ ...selection, toolsets }) };
}

type Store = Pick<
  Awaited<ReturnType<typeof openSessions>>,
  'sessions' | 'outcomes' | 'watch' | 'jobs' | 'close'
>;

/**
 * The sessions, whose database is opened by the first call that needs it: clients start processes only to ask
 * for the tools, and an embedded database takes seconds and belongs to one process. A call for which it
 * cannot be opened throws `unavailable` with the reason; the next one tries again.
 */
function openWhenNeeded(open: () => Promise<Store>): Store {
  let opening: Promise<Store> | null = null;
  const opened = () =>
    (opening ??= open().catch((error: unknown) => {
      opening = null;
      throw new DomainError('unavailable', error instanceof Error ? error.message : String(error), {
        cause: error,
      });
    }));
  const later = <S extends object>(storeOf: (opened: Store) => S) =>
    new Proxy({} as S, {
      get:
        (_, method) =>
        async (...args: unknown[]) => {
          const store = storeOf(await opened());
          return Reflect.apply(store[method as keyof S] as (...given: unknown[]) => unknown, store, args);
        },
    });
  return {
    sessions: later((store) => store.sessions),
    outcomes: later((store) => store.outcomes),
    watch: later((store) => store.watch),
    jobs: later((store) => store.jobs),
    close: async () => (await opening)?.close(),
  };
}

/**
 * Serves MCP on stdin and stdout until stdin ends and every request has its response. stdout carries the
 * protocol alone; logs go to stderr.
 */
async function serve({ config, tools }: Awaited<ReturnType<typeof readOptions>>): Promise<void> {
  const logger = createLogger({ service: 'investigation-mcp', level: config.logLevel }, 2);
  const store = openWhenNeeded(() => openSessions(config, { logger }));
  const { workerMemoryMib: memoryMiBMax, queueMax } = config;
  const analysis = createAnalysisPool({ threads: 1, queueMax, memoryMiBMax });
  const inputs = createInputReader({ memoryMiBMax });
  const documents = createDocumentStore({ baseUrl: null, timeoutMs: 1, memoryMiBMax });
  const interchange = createInterchange({ memoryMiBMax });
  const deps: ToolDeps = {
    analysis,
    inputs,
    documents,
    interchange,
    logger,
    config,
    now: () => new Date(),
    newId: randomUUID,
    permissions: createPermissions(null),
    leases: null,
    sessions: store.sessions,
    outcomes: store.outcomes,
    watch: store.watch,
    jobs: store.jobs,
    // No tool adds a job.
    onJob: () => undefined,
    follower: {
      presentDocuments: () => Promise.resolve(null),
      presentPolicies: () => Promise.resolve('no_key'),
      problemOf: () => Promise.resolve('changes are followed by the service alone'),
    },
    webhooks: { refusal: () => 'webhooks need the service', newSecret: () => '' },
  };
  const shares =
    config.publicUrl === undefined && tools.some(({ toolset }) => toolset === 'shares')
      ? await (await import('../http/local-shares.ts')).serveLocalShares({ ...deps, memoryMiBMax })
      : null;
  const links =
    shares === null
      ? { baseUrl: config.publicUrl ?? '' }
      : { baseUrl: shares.baseUrl, linkNotice: LOCAL_LINKS };
  const transport = new DrainingTransport(
    {
      stdin: process.stdin,
      stdout: process.stdout,
      messageBytesMax: config.bodyBytesMax + ENVELOPE_BYTES,
      drainMaxMs: config.drainMaxMs,
    },
    () => void stop(),
  );
  const handle = serveStdio(
    () => buildServer(deps, { tools, caller: LOCAL, requestId: randomUUID(), ...links }),
    {
      transport,
      maxSubscriptions: 0,
      onerror: (err) => logger.warn({ err }, 'mcp transport'),
    },
  );
  const stop = async () => {
    try {
      await handle.close();
      await Promise.all([analysis.close(), inputs.close(), interchange.close(), shares?.close()]);
      await store.close();
    } finally {
      process.exit();
    }
  };
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    // A client that has closed its end is gone, as at the end of stdin.
    if (error.code !== 'EPIPE') {
      process.stderr.write(`the responses could not be written: ${error.message}\n`);
      process.exitCode = EXIT_OUTPUT_LOST;
    }
    void stop();
  });
  process.once('SIGTERM', () => void stop());
  process.once('SIGINT', () => void stop());
}

// Nobody can be told that stderr cannot be written; the protocol does not need it.
process.stderr.on('error', () => undefined);
try {
  await serve(await readOptions());
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(EXIT_BAD_SETTINGS);
}
