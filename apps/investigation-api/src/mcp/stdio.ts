#!/usr/bin/env node
import { randomUUID } from 'node:crypto';
import { parseArgs } from 'node:util';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { createLogger } from '@platform/http-kit';
import { destination } from 'pino';
import { loadStdioConfig } from '../config.ts';
import { createAnalysisPool } from '../engine/analysis-pool.ts';
import { buildServer } from './server.ts';
import { parseToolSelection } from './tool-selection.ts';
import { selectTools } from './tools.ts';

const EXIT_BAD_SETTINGS = 2;

/** Serves MCP on stdin and stdout until stdin ends. stdout carries the protocol alone; logs go to stderr. */
function main(): void {
  const { values: flags } = parseArgs({
    options: { toolsets: { type: 'string' }, 'read-only': { type: 'boolean' } },
  });
  const config = loadStdioConfig(process.env);
  const tools = selectTools(
    parseToolSelection(flags.toolsets ?? config.toolsets, String(flags['read-only'] ?? config.readOnly)),
  );
  const logger = createLogger({ service: 'investigation-mcp', level: config.logLevel }, destination(2));
  const analysis = createAnalysisPool({
    threads: 1,
    queueMax: config.queueMax,
    memoryMiBMax: config.workerMemoryMiB,
  });
  const deps = { analysis, logger, config, clock: { now: () => new Date() } };
  const handle = serveStdio(() => buildServer(deps, { tools, caller: null, requestId: randomUUID() }), {
    maxSubscriptions: 0,
    onerror: (err) => logger.warn({ err }, 'mcp transport'),
  });
  const stop = async () => {
    try {
      await handle.close();
      await analysis.close();
    } finally {
      process.exit(0);
    }
  };
  process.stdin.once('end', () => void stop());
  process.once('SIGTERM', () => void stop());
  process.once('SIGINT', () => void stop());
}

try {
  main();
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(EXIT_BAD_SETTINGS);
}
