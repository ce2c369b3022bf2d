import type { McpServer, ReadResourceResult } from '@modelcontextprotocol/server';
import { ProtocolError, ProtocolErrorCode, ResourceTemplate } from '@modelcontextprotocol/server';
import { DomainError, toDomainError } from '@platform/error-contracts';
import { traceIdOf } from '@platform/telemetry';
import type { z } from 'zod';
import { getInvestigationSession, listInvestigationSessions } from '../operations/sessions.ts';
import { jsonOfResponse, valueOfResponse } from '../wire/json-bytes.ts';
import {
  getLatestSessionJudgement,
  getSessionJudgement,
  listSessionJudgements,
} from '../operations/judgements.ts';
import type { Operation } from '../ports.ts';
import type { JudgementRecord } from '../wire/session-schema.ts';
import { compactJudgement, compactSession, essentialsOf } from './compact-response.ts';
import { documentTool } from './docs.ts';
import type { Connection } from './connection.ts';
import { errorText } from './tool-error.ts';
import type { Tool, ToolDeps } from './tool.ts';
import { hugeWords, RESPONSE_BYTES_MAX } from './tool.ts';

/** The same for every caller: how long clients may keep it. */
export const PUBLIC_HOUR = { ttlMs: 3_600_000, cacheScope: 'public' } as const;
/** One caller's data, which may change at any time. */
export const PRIVATE_NOW = { ttlMs: 0, cacheScope: 'private' } as const;
/** One caller's data that never change. */
const PRIVATE_HOUR = { ttlMs: 3_600_000, cacheScope: 'private' } as const;

const LISTED_MAX = 50;
/** Clients are sent at most 100 completions. */
const COMPLETED_MAX = 100;
const JSON_TYPE = 'application/json';

/** `docs://{tool}`: the text of get_docs. */
export function registerDocs(server: McpServer, tools: readonly Tool[]): void {
  const names = tools.map((tool) => tool.name);
  server.registerResource(
    'docs',
    new ResourceTemplate('docs://{tool}', {
      // A list of resources is what users choose from: their sessions, not the manual of the model.
      list: undefined,
      complete: { tool: (start) => names.filter((name) => name.startsWith(start)) },
    }),
    { title: 'Documentation of a tool', mimeType: 'text/markdown', cacheHint: PUBLIC_HOUR },
    (uri, { tool: name }) => {
      const tool = tools.find((candidate) => candidate.name === name);
      if (!tool)
        throw new ProtocolError(
          ProtocolErrorCode.InvalidParams,
          `no such resource, there are: ${names.map((one) => `docs://${one}`).join(', ')}`,
          { uri: uri.href },
        );
      return { contents: [{ uri: uri.href, mimeType: 'text/markdown', text: documentTool(tool) }] };
    },
  );
}

/**
 * Sessions, their last results and their judgements, as the caller may read them. Ids stand percent-encoded
 * in URIs.
 */
export function registerSessions(server: McpServer, deps: ToolDeps, connection: Connection): void {
  const complete = { session_id: sessionIdCompleter(deps, connection) };
  server.registerResource(
    'session',
    new ResourceTemplate('investigation://{session_id}', {
      list: async () => ({
        resources: (await ownSessions(deps, connection, LISTED_MAX)).map(({ id, name, updated_at }) => ({
          uri: `investigation://${encodeURIComponent(id)}`,
          name: id,
          title: name,
          mimeType: JSON_TYPE,
          annotations: { lastModified: updated_at },
        })),
      }),
      complete,
    }),
    { title: 'Investigation session', mimeType: JSON_TYPE, cacheHint: PRIVATE_NOW },
    (uri, ids) => readWith(deps, connection, getInvestigationSession, compactSession, uri, ids),
  );
  server.registerResource(
    'result',
    new ResourceTemplate('investigation://{session_id}/result', { list: undefined, complete }),
    { title: 'Last result of a session', mimeType: JSON_TYPE, cacheHint: PRIVATE_NOW },
    (uri, ids) => readWith(deps, connection, getLatestResult, essentialsOf, uri, ids),
  );
  server.registerResource(
    'judgement',
    new ResourceTemplate('investigation://{session_id}/judgements/{judgement_id}', {
      list: undefined,
      complete: {
        ...complete,
        judgement_id: async (start, context) => {
          const judgements = await quietly(() =>
            run(deps, connection, listSessionJudgements, { session_id: context?.arguments?.['session_id'] }),
          );
          return judgements.map(({ id }) => id).filter((id) => id.startsWith(start));
        },
      },
    }),
    { title: 'Judgement of a session', mimeType: JSON_TYPE, cacheHint: PRIVATE_HOUR },
    (uri, ids) => readWith(deps, connection, getSessionJudgement, compactJudgement, uri, ids),
  );
}

/**
 * Ids of the caller's sessions whose id begins with, or whose name contains, the typed text; most recently
 * changed first.
 */
export function sessionIdCompleter(deps: ToolDeps, connection: Connection) {
  return async (typed: string | undefined): Promise<string[]> => {
    const start = typed ?? '';
    const [recent, named] = await Promise.all([
      ownSessions(deps, connection, 2 * COMPLETED_MAX),
      ownSessions(deps, connection, COMPLETED_MAX, start),
    ]);
    const ids = [...recent.filter(({ id }) => id.startsWith(start)), ...named].map(({ id }) => id);
    return [...new Set(ids)].slice(0, COMPLETED_MAX);
  };
}

/** Empty for a caller without a tenant. */
function ownSessions(deps: ToolDeps, connection: Connection, limit: number, nameFilter?: string) {
  return quietly(() =>
    run(deps, connection, listInvestigationSessions, {
      limit,
      ...(nameFilter ? { name_filter: nameFilter } : {}),
    }),
  );
}

/** The result of `work`, or an empty list when the caller has no access. */
async function quietly<T>(work: () => Promise<T[]>): Promise<T[]> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof DomainError && error.kind !== 'internal') return [];
    throw error;
  }
}

async function run<Answer>(
  deps: ToolDeps,
  { caller, baseUrl }: Connection,
  operation: Operation<Answer>,
  input: object,
): Promise<Answer> {
  const { signal } = new AbortController();
  return valueOfResponse(await operation(deps, input, caller, { signal, baseUrl }));
}

/** The result of the latest judgement. */
const getLatestResult: Operation<z.output<typeof JudgementRecord>['result']> = async (...how) => {
  const { result } = valueOfResponse(await getLatestSessionJudgement(...how));
  return result;
};

/** What is too large to be sent comes as tools show it, `compact`, and says so. */
async function readWith<Answer>(
  deps: ToolDeps,
  { caller, baseUrl, requestId }: Connection,
  operation: Operation<Answer>,
  compact: (answer: Answer) => object,
  uri: URL,
  ids: Readonly<Record<string, string | string[]>>,
): Promise<ReadResourceResult> {
  const { signal } = new AbortController();
  try {
    const input = Object.fromEntries(Object.entries(ids).map(([name, id]) => [name, decode(String(id))]));
    const how = { signal, baseUrl };
    const json = jsonOfResponse(await operation(deps, input, caller, how));
    const contents = (text: string) => ({ contents: [{ uri: uri.href, mimeType: JSON_TYPE, text }] });
    if (json.length <= RESPONSE_BYTES_MAX) return contents(json.toString());
    const brief = compact(valueOfResponse(await operation(deps, input, caller, { ...how, part: 'summary' })));
    const cut = `${hugeWords(json.length)}; this is its summary: get_investigation_session and get_session_judgement give the verdicts part by part, by limit and offset`;
    return contents(JSON.stringify({ ...brief, cut }));
  } catch (error) {
    const domainError = toDomainError(error);
    if (domainError.kind === 'not_found')
      throw new ProtocolError(
        ProtocolErrorCode.InvalidParams,
        'no such resource: resources/list and list_investigation_sessions name the sessions that you may read',
        { uri: uri.href },
      );
    const isOurs = domainError.kind === 'internal';
    if (isOurs) {
      const trace_id = traceIdOf(caller.metadata.traceparent);
      deps.logger.error(
        { err: domainError.cause ?? domainError, request_id: requestId, trace_id },
        'internal error',
      );
    }
    throw new ProtocolError(
      isOurs ? ProtocolErrorCode.InternalError : ProtocolErrorCode.InvalidParams,
      errorText(domainError, requestId),
    );
  }
}

/**
 * A part of a URI as it was before percent-encoding (RFC 3986 §2.1); what is not well encoded names nothing.
 */
function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    throw new DomainError('not_found', 'no such session');
  }
}
