import type {
  CallToolResult,
  JsonSchemaValidator,
  jsonSchemaValidator,
  ServerContext,
} from '@modelcontextprotocol/server';
import {
  fromJsonSchema,
  McpServer,
  ResourceNotFoundError,
  ResourceTemplate,
} from '@modelcontextprotocol/server';
import { DomainError, toDomainError } from '@platform/error-contracts';
import type { AnalysisProgress } from '../engine/analysis-task.ts';
import type { Caller } from '../access/caller.ts';
import { documentTool } from './docs.ts';
import { toolError } from './tool-error.ts';
import type { JsonSchema } from './tool-schema.ts';
import type { Tool, ToolDeps } from './tools.ts';

/** Name and version that the server tells clients; the version is that of the interface. */
export const SERVER_INFO = {
  name: 'investigation',
  title: 'Investigation reasoning service',
  version: '0.1.0',
} as const;

const INSTRUCTIONS =
  'Send contested claims with their sources to submit_investigation and get scored verdicts. Give one predicate and value ' +
  'per claim, the same predicate name for claims that answer the same question, and different scopes where they do not. ' +
  'get_docs explains every field. Read the warnings before relying on a verdict.';

/** The same for every caller: how long clients may keep it. */
const PUBLIC_HOUR = { ttlMs: 3_600_000, cacheScope: 'public' } as const;

/** For whom a server instance speaks. */
export interface Connection {
  readonly tools: readonly Tool[];
  readonly caller: Caller | null;
  readonly requestId: string;
}

/**
 * One server instance: for one HTTP request or one stdio connection, of either protocol era. Tools are listed in the
 * order of the table. Whatever goes wrong in a tool becomes a result with isError; only unexpected errors are logged.
 */
export function buildServer(deps: ToolDeps, connection: Connection): McpServer {
  const server = new McpServer(SERVER_INFO, {
    instructions: INSTRUCTIONS,
    capabilities: { tools: { listChanged: false }, resources: { listChanged: false } },
    cacheHints: {
      'tools/list': PUBLIC_HOUR,
      'resources/list': PUBLIC_HOUR,
      'resources/templates/list': PUBLIC_HOUR,
      'resources/read': PUBLIC_HOUR,
      'server/discover': PUBLIC_HOUR,
    },
  });
  for (const tool of connection.tools) {
    server.registerTool(
      tool.name,
      {
        title: tool.title,
        description: tool.description,
        annotations: tool.annotations,
        inputSchema: advertised(tool.input),
        ...(tool.output ? { outputSchema: advertised(tool.output) } : {}),
      },
      (input, ctx) => runTool(deps, connection, tool, input, ctx),
    );
  }
  registerDocs(server, connection.tools);
  return server;
}

async function runTool(
  deps: ToolDeps,
  { tools, caller, requestId }: Connection,
  tool: Tool,
  input: unknown,
  ctx: ServerContext,
): Promise<CallToolResult> {
  const { signal } = ctx.mcpReq;
  try {
    const { text, data } = await tool.call(deps, input, {
      tools,
      caller,
      signal,
      onProgress: progressOf(ctx),
    });
    return {
      content: [{ type: 'text', text }],
      ...(data === undefined ? {} : { structuredContent: data as Record<string, unknown> }),
    };
  } catch (error) {
    // Nobody reads the answer to a cancelled call.
    if (signal.aborted) return toolError(new DomainError('unavailable', 'the call was cancelled'), requestId);
    const domainError = toDomainError(error);
    if (domainError.kind === 'internal') {
      deps.logger.error(
        { err: domainError.cause ?? domainError, request_id: requestId, tool: tool.name },
        'internal error',
      );
    }
    return toolError(domainError, requestId);
  }
}

/** Passes progress on when the client gave a token for it; a client that went away is no error. */
function progressOf(ctx: ServerContext): ((progress: AnalysisProgress) => void) | undefined {
  const progressToken = ctx.mcpReq._meta?.progressToken;
  if (progressToken === undefined) return undefined;
  return ({ phase, done, total }) => {
    const params = { progressToken, progress: done, total, message: phase };
    ctx.mcpReq.notify({ method: 'notifications/progress', params }).catch(() => {});
  };
}

/** `docs://{tool}`: what get_docs answers, as a resource. */
function registerDocs(server: McpServer, tools: readonly Tool[]): void {
  const uriOf = (tool: Tool) => `docs://${tool.name}`;
  const names = tools.map((tool) => tool.name);
  server.registerResource(
    'docs',
    new ResourceTemplate('docs://{tool}', {
      list: () => ({
        resources: tools.map((tool) => ({
          uri: uriOf(tool),
          name: tool.name,
          title: `${tool.title}: documentation`,
          mimeType: 'text/markdown',
        })),
      }),
      complete: { tool: (start) => names.filter((name) => name.startsWith(start)) },
    }),
    { title: 'Documentation of a tool', mimeType: 'text/markdown' },
    (uri, { tool: name }) => {
      const tool = tools.find((candidate) => candidate.name === name);
      if (!tool) throw new ResourceNotFoundError(uri.href);
      return { contents: [{ uri: uri.href, mimeType: 'text/markdown', text: documentTool(tool) }] };
    },
  );
}

/**
 * The schema as clients see it, without checking by it: operations check what comes and name every problem with its
 * path, for REST and MCP alike.
 */
function advertised(schema: JsonSchema) {
  return fromJsonSchema<unknown>(schema, ACCEPTS_ALL);
}

const ACCEPTS_ALL: jsonSchemaValidator = {
  getValidator<T>(): JsonSchemaValidator<T> {
    return (input) => ({ valid: true, data: input as T, errorMessage: undefined });
  },
};
