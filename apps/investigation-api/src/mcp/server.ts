import type {
  CallToolResult,
  JsonSchemaValidator,
  jsonSchemaValidator,
  ServerContext,
} from '@modelcontextprotocol/server';
import { fromJsonSchema, McpServer, ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import { DomainError, toDomainError } from '@platform/error-contracts';
import { misspelled } from '@platform/opinion-fusion';
import { traceIdOf } from '@platform/telemetry';
import type { AnalysisProgress } from '../engine/analysis-task.ts';
import { withArgumentHints } from './argument-hints.ts';
import type { Connection } from './connection.ts';
import { registerReviews, registerStructuring } from './prompts.ts';
import { PRIVATE_NOW, PUBLIC_HOUR, registerDocs, registerSessions } from './resources.ts';
import { toolError } from './tool-error.ts';
import type { JsonSchema } from './tool-schema.ts';
import { responseOutline } from './tool-schema.ts';
import { howToLoad } from './docs.ts';
import { REPEATED_MAX, repeated } from './fitted-data.ts';
import type { Tool, ToolDeps, ToolResponse } from './tool.ts';
import { TOOLS } from './tools.ts';
import { short } from './words.ts';

/** Name and version that the server tells clients; the version is that of the interface. */
const SERVER_INFO = {
  name: 'investigation',
  title: 'Investigation reasoning service',
  version: '0.1.0',
} as const;

const INSTRUCTIONS =
  'Send contested claims with their sources to submit_investigation and get scored verdicts. Give one predicate and value ' +
  'per claim, the same predicate name for claims that answer the same question, and different scopes where they do not. ' +
  'Claims with dates lose weight with age: set as_of to the time that the question is about. ' +
  'get_docs explains every field. Read the warnings before relying on a verdict. Work that continues over time is kept in a ' +
  'session: create, update, judge, explain_verdict.';

/**
 * One server instance: for one HTTP request or one stdio connection, of either protocol era. Tools are listed
 * in the order of the table. Whatever goes wrong in a tool becomes a result with isError; only unexpected
 * errors are logged.
 */
export function buildServer(deps: ToolDeps, connection: Connection): McpServer {
  const server = new McpServer(SERVER_INFO, {
    instructions: INSTRUCTIONS,
    capabilities: {
      resources: { listChanged: false },
      prompts: { listChanged: false },
    },
    cacheHints: {
      'tools/list': PUBLIC_HOUR,
      'prompts/list': PUBLIC_HOUR,
      'resources/list': PRIVATE_NOW,
      'resources/templates/list': PUBLIC_HOUR,
      'resources/read': PRIVATE_NOW,
      'server/discover': PUBLIC_HOUR,
    },
  });
  server.server.registerCapabilities({ tools: { listChanged: false } });
  refuseUnloaded(server, connection);
  for (const tool of connection.tools) {
    server.registerTool(
      tool.name,
      {
        title: tool.title,
        description: tool.description,
        annotations: tool.annotations,
        inputSchema: advertised(tool.listedInput ?? tool.input),
        ...(tool.output ? { outputSchema: advertised(responseOutline(tool.output)) } : {}),
      },
      (input, ctx) => runTool(deps, connection, tool, input, ctx),
    );
  }
  const toolsets = new Set(connection.tools.map(({ toolset }) => toolset));
  registerDocs(server, connection.tools);
  if (toolsets.has('analysis')) registerStructuring(server);
  if (toolsets.has('sessions')) {
    registerSessions(server, deps, connection);
    registerReviews(server, deps, connection);
  }
  return server;
}

/**
 * Puts a check before the SDK's own handler of calls, which it registers with the first tool: a tool of
 * another toolset is refused with what loads it, where the SDK would say that it does not exist.
 */
function refuseUnloaded({ server }: McpServer, { tools }: Connection): void {
  const register = server.setRequestHandler.bind(server) as (...args: unknown[]) => void;
  const checked =
    (handler: (...args: unknown[]) => unknown) =>
    (...args: unknown[]): unknown => {
      const { name } = (args[0] as { readonly params: { readonly name: string } }).params;
      const tool = TOOLS.find((one) => one.name === name);
      const nearest = tool === undefined && nearestTool(name, tools);
      if (nearest)
        throw new ProtocolError(
          ProtocolErrorCode.InvalidParams,
          `there is no tool ${short(name, 60)}: call ${nearest}`,
        );
      if (tool === undefined || tools.includes(tool)) return handler(...args);
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, howToLoad(tool, tools));
    };
  server.setRequestHandler = (method: string, ...rest: unknown[]) => {
    const handler = rest.pop() as (...args: unknown[]) => unknown;
    register(method, ...rest, method === 'tools/call' ? checked(handler) : handler);
  };
}

/** The shortest tool name that has all words of another, or the one that it is a misspelling of. */
function nearestTool(name: string, tools: readonly Tool[]): string | undefined {
  const names = tools.map((tool) => tool.name);
  const words = name.split('_');
  const [shortest] = names
    .filter((one) => words.every((word) => one.split('_').includes(word)))
    .toSorted((a, b) => a.length - b.length);
  return shortest ?? misspelled(name, names);
}

async function runTool(
  deps: ToolDeps,
  { tools, caller, requestId, baseUrl, linkNotice, rawArguments }: Connection,
  tool: Tool,
  input: unknown,
  ctx: ServerContext,
): Promise<CallToolResult> {
  const { signal } = ctx.mcpReq;
  try {
    const response = await tool.call(deps, input, {
      tools,
      caller,
      signal,
      baseUrl,
      linkNotice,
      rawArguments,
      onProgress: progressOf(ctx),
    });
    deps.countCall?.(tool.name, 'ok');
    const { data } = response;
    return {
      content: contentOf(response, tool),
      ...(data === undefined ? {} : { structuredContent: data }),
    };
  } catch (error) {
    const domainError = withArgumentHints(toDomainError(error), input, tool.input);
    deps.countCall?.(tool.name, signal.aborted ? 'aborted' : domainError.kind);
    // No client reads the response to a cancelled call.
    if (signal.aborted) return toolError(new DomainError('unavailable', 'the call was cancelled'), requestId);
    if (domainError.kind === 'internal') {
      deps.logger.error(
        {
          err: domainError.cause ?? domainError,
          request_id: requestId,
          trace_id: traceIdOf(caller.metadata.traceparent),
          tool: tool.name,
        },
        'internal error',
      );
    }
    return toolError(domainError, requestId);
  }
}

/**
 * The lines for people and, because some clients show a model the text alone, the data as JSON behind them.
 */
function contentOf(
  { text, data, tellsAll, links = [] }: ToolResponse,
  tool: Tool,
): CallToolResult['content'] {
  const json = data === undefined || tellsAll === true ? undefined : repeated(data);
  return [
    { type: 'text', text },
    ...(json === undefined ? [] : [{ type: 'text' as const, text: json ?? tooLong(tool) }]),
    ...links,
  ];
}

/** What to do where the data are too long for the text: one call that works. */
function tooLong({ input, narrower }: Tool): string {
  const takes = (name: string) => Object.hasOwn(input['properties'] ?? {}, name);
  const next =
    narrower ??
    (takes('limit') ? 'ask with a smaller limit' : takes('detail') ? 'ask without detail full' : null);
  return `The data are longer than the ${REPEATED_MAX} bytes that a text repeats: ${next ?? 'read them over REST'}.`;
}

/** Passes progress on when the client gave a token for it; a client that disconnected is no error. */
function progressOf(ctx: ServerContext): ((progress: AnalysisProgress) => void) | undefined {
  const progressToken = ctx.mcpReq._meta?.progressToken;
  if (progressToken === undefined) return undefined;
  return ({ phase, done, total }) => {
    const params = { progressToken, progress: done, total, message: phase };
    ctx.mcpReq.notify({ method: 'notifications/progress', params }).catch(() => {});
  };
}

/**
 * The schema as clients see it, without checking by it: operations check what comes and name every problem
 * with its path, for REST and MCP alike.
 */
function advertised(schema: JsonSchema) {
  return fromJsonSchema(schema, ACCEPTS_ALL);
}

const ACCEPTS_ALL: jsonSchemaValidator = {
  getValidator<T>(): JsonSchemaValidator<T> {
    return (input) => ({ valid: true, data: input as T, errorMessage: undefined });
  },
};
