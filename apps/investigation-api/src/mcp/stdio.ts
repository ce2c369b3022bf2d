#!/usr/bin/env node
import { randomUUID } from 'node:crypto';
import { parseArgs } from 'node:util';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { createLogger, readSettings } from '@platform/http-kit';
import { destination } from 'pino';
import { z } from 'zod';
import { SETTINGS } from '../config.ts';
import { createAnalysisPool } from '../engine/analysis-pool.ts';
import { buildServer } from './server.ts';
import { parseToolSelection } from './tool-selection.ts';
import { selectTools } from './tools.ts';

const EXIT_BAD_SETTINGS = 2;

/** What the stdio command reads of the environment; no credential, since the analysis runs in this process. */
const STDIO_SETTINGS = z.object({
  ...SETTINGS.pick({
    INVESTIGATION_LOG_LEVEL: true,
    INVESTIGATION_BODY_BYTES_MAX: true,
    INVESTIGATION_ANALYSIS_TIMEOUT_MS: true,
    INVESTIGATION_WORKER_MEMORY_MIB: true,
    INVESTIGATION_QUEUE_MAX: true,
  }).shape,
  INVESTIGATION_MCP_TOOLSETS: z.string().optional().describe('Toolsets to offer, joined by commas, or all.'),
  INVESTIGATION_MCP_READ_ONLY: z
    .string()
    .optional()
    .describe('Whether tools that change something are hidden.'),
});

/** Serves MCP on stdin and stdout until stdin ends. stdout carries the protocol alone; logs go to stderr. */
function main(): void {
  const { values: flags } = parseArgs({
    options: { toolsets: { type: 'string' }, 'read-only': { type: 'boolean' } },
  });
  const settings = readSettings(STDIO_SETTINGS, process.env);
  const tools = selectTools(
    parseToolSelection(
      flags.toolsets ?? settings.INVESTIGATION_MCP_TOOLSETS ?? null,
      flags['read-only'] ? 'true' : (settings.INVESTIGATION_MCP_READ_ONLY ?? null),
    ),
  );
  const logger = createLogger(
    { service: 'investigation-mcp', level: settings.INVESTIGATION_LOG_LEVEL },
    destination(2),
  );
  const analysis = createAnalysisPool({
    threads: 1,
    queueMax: settings.INVESTIGATION_QUEUE_MAX,
    memoryMiBMax: settings.INVESTIGATION_WORKER_MEMORY_MIB,
  });
  const deps = {
    analysis,
    logger,
    clock: { now: () => new Date() },
    config: {
      analysisTimeoutMs: settings.INVESTIGATION_ANALYSIS_TIMEOUT_MS,
      bodyBytesMax: settings.INVESTIGATION_BODY_BYTES_MAX,
    },
  };
  const handle = serveStdio(() => buildServer(deps, { tools, caller: null, requestId: randomUUID() }), {
    maxSubscriptions: 0,
    onerror: (err) => logger.warn({ err }, 'mcp transport'),
  });
  const stop = () =>
    void handle
      .close()
      .finally(() => analysis.close())
      .finally(() => process.exit(0));
  process.stdin.once('end', stop);
  process.once('SIGTERM', stop);
  process.once('SIGINT', stop);
}

try {
  main();
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(EXIT_BAD_SETTINGS);
}
