import type { ResourceLink, ToolAnnotations } from '@modelcontextprotocol/server';
import { DomainError } from '@platform/error-contracts';
import { z } from 'zod';
import type { SessionOperation } from '../session-api.ts';
import { SESSION_OPERATIONS } from '../session-api.ts';
import { valueOfResponse } from '../wire/json-bytes.ts';
import { refuse } from '../wire/read-input.ts';
import { RequestBody } from '../wire/request-body.ts';
import { unknownFieldsOf, unknownFieldWarnings } from '../wire/unknown-fields.ts';
import { checkedArguments } from './checked-arguments.ts';
import { fitted, RESPONSE_BUDGET } from './fitted-data.ts';
import { SMALL_MESSAGE_BYTES } from './large-arguments.ts';
import type { AskedPart, Result, VerdictPart } from './shown-result.ts';
import type { JsonSchema } from './tool-schema.ts';
import { askedPart, compactPart, LIST_ARGUMENTS, nextPartLines, VERDICT_ARGUMENTS } from './verdict-part.ts';
import { withNearestSession } from './nearest-session.ts';
import { idsBare, inputSchema, outlined, outputSchema, topLevel, wordsAlone } from './tool-schema.ts';
import type { Tool, Toolset } from './tool.ts';
import { PARSED_BYTES_MAX, refuseHugeResponse } from './tool.ts';
import { warningLines } from './warning-lines.ts';

/** What a tool on sessions has besides its operation. `Data` is the type of its structured content. */
export interface SessionToolRow<Data> {
  readonly toolset: Toolset;
  readonly annotations: ToolAnnotations;
  readonly description: string;
  readonly input: z.ZodObject;
  /** The input that tool lists show; all but the words of required ids when left out. */
  readonly listing?: (input: JsonSchema) => JsonSchema;
  /**
   * Makes the tool take `detail`, compact unless given: the data of a compact response, all of them where
   * they fit unless given, and members that then stand in where the input has none, or null.
   */
  readonly compact?: {
    readonly defaults?: Readonly<Record<string, unknown>>;
    readonly data?: (data: Data, offset?: number) => object;
  };
  /**
   * Makes the tool take `limit` and `offset` over the verdicts of the result that is this member: the
   * response is then compact but for them. `next` is the tool that has the next part where that is another.
   */
  readonly verdicts?: {
    readonly member: 'result' | 'last_result';
    readonly next?: string;
  };
  /**
   * Makes the tool take `limit` and `offset` over the lists of its response, which are cut here unless all of
   * them are asked for; `usual` items unless given.
   */
  readonly lists?: { readonly usual: number; readonly part: (data: Data, asked: AskedPart) => object };
  /** Members that the tool requires, though REST has a default for them: what to send where one is absent. */
  readonly required?: Readonly<Record<string, string>>;
  /** Members used where the input has none, or null. */
  readonly defaults?: Readonly<Record<string, unknown>>;
  /** The member under which data have the response that is an array by itself. */
  readonly arrayKey?: string;
  /** In the place of the schema of the operation's response. */
  readonly output?: JsonSchema;
  readonly example: object;
  readonly exampleNeeds?: readonly string[];
  readonly reading: string;
  /** The response in lines for people. */
  readonly text: (data: Data, asked?: AskedPart) => string;
  /** Whether the text tells all that the data do. */
  readonly tellsAll?: boolean;
  /** A part of the response, as the arguments ask for it. */
  readonly part?: (data: Data, args: Readonly<Record<string, unknown>>) => Data;
  /** What of the session can be read as a resource, below its address; its title. */
  readonly link?: readonly [path: string, title: string];
  /** What to ask instead of a response that is too large. */
  readonly hint?: string;
  /** The call that gives a client which reads text alone what parts do not hold. */
  readonly whole?: string;
}

/** A response with the result of a judgement, whole or as a part of it. */
type Judged = Partial<Record<'result' | 'last_result', Result | VerdictPart | null>>;

const DELETED = { deleted: true } as const;
const Deleted = z.object({ deleted: z.literal(true) });
/** Items of a page of a list; with more a response would often be longer than a model should read. */
const PAGE = 10;
const PAGE_WORDS = 'Items of a page; with it given, long texts are whole.';
/** How much of the response is sent. */
export const Detail = z.enum(['compact', 'full']).nullish().describe('compact unless full.');

/**
 * The tool of a REST operation, with its title, its input's bounds and its response: name and operation come
 * from the same table that routes REST. Where REST takes a body, the arguments are read from their JSON text
 * in the same way: same limits, same problems, large ones off the request thread.
 */
export function sessionTool<Data>(name: string, row: SessionToolRow<Data>): Tool {
  const route = SESSION_OPERATIONS.find(({ operationId }) => operationId === name);
  if (route === undefined) throw new Error(`no operation is called ${name}`);
  const { toolset, annotations, description, example, exampleNeeds, reading, arrayKey, tellsAll } = row;
  const isPaged = arrayKey !== undefined && 'limit' in row.input.shape;
  const defaults = { ...(isPaged ? { limit: PAGE } : {}), ...row.defaults };
  const pages = row.verdicts ? VERDICT_ARGUMENTS : row.lists ? LIST_ARGUMENTS : {};
  const isCut = row.verdicts !== undefined || row.lists !== undefined;
  const shape = (row.compact ? row.input.extend({ detail: Detail }) : row.input).extend({
    ...pages,
    ...(isPaged && { limit: z.int().min(1).max(200).default(PAGE).describe(PAGE_WORDS) }),
  });
  const input = inputSchema(shape);
  const listed = wordsAlone((row.listing ?? idsBare)(input), 'detail');
  const next = row.verdicts?.next ?? name;
  return {
    name,
    title: route.summary,
    description,
    toolset,
    annotations,
    input,
    listedInput: outlined(listed, Object.keys(pages)),
    ...(isCut && {
      narrower: `call ${next} with limit 10, and offset for those behind${row.whole ? `; ${row.whole}` : ''}`,
    }),
    output: row.output ?? topLevel(outputSchema(responseShape(route.success[1], arrayKey))),
    example,
    exampleNeeds,
    reading,
    async call(deps, sent, { caller, rawArguments, linkNotice, ...options }) {
      const asked = isCut ? askedPart(sent, row.lists?.usual) : null;
      const { isFull, given } = row.compact
        ? takeDetail(asked ? without(sent, Object.keys(pages)) : sent)
        : { isFull: true, given: sent };
      requireMembers(given, row.required);
      const standIns = { ...defaults, ...(isFull || asked ? {} : row.compact?.defaults) };
      const args =
        rawArguments === undefined
          ? checkedArguments(withDefaults(given, standIns))
          : largeInput(rawArguments, route, standIns);
      let more: { next_cursor?: number } = {};
      const onNextPage = (cursor: number) => (more = { next_cursor: cursor });
      const response = await route
        .operation(deps, args, caller, {
          ...options,
          asValue: true,
          onNextPage,
          // Cut out where results are read: the whole may be hundreds of times what is shown.
          ...(row.verdicts && (asked || !isFull) && { part: asked ?? 'summary' }),
        })
        .catch(async (error: unknown) => {
          throw await withNearestSession(error, deps, caller, given);
        });
      const narrower = row.hint ?? (isFull && row.compact ? 'leave out detail' : 'read it over REST');
      const isWhole = isFull && !asked;
      // Compact responses and parts of lists are cut below.
      const max = isWhole || (asked && !row.lists) ? undefined : PARSED_BYTES_MAX;
      refuseHugeResponse(response, asked ? 'ask with a smaller limit' : narrower, max);
      const answer = valueOfResponse<unknown>(response);
      const all =
        answer === null ? DELETED : arrayKey === undefined ? answer : { [arrayKey]: answer, ...more };
      const { member } = row.verdicts ?? {};
      const result = (member && (all as Judged)[member]) ?? null;
      const part = (
        row.part === undefined ? all : row.part(all as Data, sent as Record<string, unknown>)
      ) as object;
      // The text is of the whole: it counts what it leaves out.
      const brief =
        row.lists && !isWhole
          ? row.lists.part(part as Data, asked ?? { limit: row.lists.usual, offset: 0 })
          : asked && !isFull && result
            ? { ...part, [member!]: compactPart(result) }
            : part;
      const data =
        isWhole || (isFull && row.lists)
          ? brief
          : (row.compact?.data?.(brief as Data, asked?.offset) ?? brief);
      // Operations with warnings of their own name the unknown arguments among them.
      const hasOwn = 'warnings' in data;
      const known = Object.keys(shape.shape);
      const unknown = hasOwn ? [] : unknownFieldWarnings(unknownFieldsOf(sent ?? {}, known), known);
      const notices = !hasOwn && linkNotice !== undefined && hasPublicLink(data) ? [linkNotice] : [];
      const warnings = [...unknown, ...notices];
      // A list that was not narrowed as the caller meant is not read as if it had been.
      const [before, after] = arrayKey === undefined ? [[], warnings] : [unknown, notices];
      const further = member ? nextPartLines((part as Judged)[member] ?? null, next) : [];
      const told = [
        ...warningLines(before),
        row.text(part as Data, asked ?? undefined),
        ...further,
        ...warningLines(after),
      ].join('\n');
      const warned = warnings.length === 0 ? data : { ...data, warnings };
      // A caller that names a limit wants each item whole.
      const isAll = row.compact
        ? isFull || asked !== null
        : !isPaged || (given as { limit?: unknown } | null)?.limit != null;
      const left = isAll ? Infinity : RESPONSE_BUDGET - Buffer.byteLength(told) - CUT_BYTES;
      const fit = fitted(warned, left, isPaged ? arrayKey : undefined);
      const cut = `Lists and texts are cut to fit: ask with ${row.compact ? 'detail full' : 'limit'} to have them whole.`;
      return {
        text: fit.isCut ? `${told}\n${cut}` : told,
        data: fit.isCut ? { ...fit.data, cut } : fit.data,
        tellsAll: tellsAll === true || answer === null,
        ...(row.link && { links: [linkOf(row.link, given)] }),
      };
    },
  };
}

/** Bytes of the words that something is cut, in the text and among the data. */
const CUT_BYTES = 250;

/** A resource of the session that the arguments name. */
function linkOf([path, title]: readonly [string, string], given: unknown): ResourceLink {
  const { session_id } = given as { session_id: string };
  const uri = `investigation://${encodeURIComponent(session_id)}${path}`;
  return { type: 'resource_link', uri, name: `${session_id}${path}`, title, mimeType: 'application/json' };
}

/** Whether a response shows a share that can be opened. */
const hasPublicLink = ({ is_public, shares }: { is_public?: unknown; shares?: unknown }): boolean =>
  is_public === true || (Array.isArray(shares) && shares.some(hasPublicLink));

/** The response as an object, because clients want one at the root. */
function responseShape(answer: z.ZodType | null, arrayKey: string | undefined): z.ZodObject {
  if (answer === null) return Deleted;
  return arrayKey === undefined ? (answer as z.ZodObject) : z.object({ [arrayKey]: answer });
}

/** The arguments without `detail`, and whether it is full. Throws `unprocessable` for any other word. */
function takeDetail(sent: unknown): { isFull: boolean; given: unknown } {
  if (typeof sent !== 'object' || sent === null) return { isFull: false, given: sent };
  const { detail, ...given } = sent as { detail?: unknown };
  const word = Detail.safeParse(detail);
  if (!word.success) throw refuse(['detail: must be compact or full']);
  return { isFull: word.data === 'full', given };
}

/** Throws `unprocessable` naming the members that are absent, each with what to send. */
function requireMembers(given: unknown, required: SessionToolRow<never>['required'] = {}): void {
  const members = (given ?? {}) as Readonly<Record<string, unknown>>;
  const absent = Object.entries(required).filter(([name]) => members[name] === undefined);
  if (absent.length > 0) throw refuse(absent.map(([name, remedy]) => `${name}: is required: ${remedy}`));
}

/** The arguments without these, which the operation does not have. */
function without(sent: unknown, names: readonly string[]): unknown {
  if (typeof sent !== 'object' || sent === null) return sent;
  return Object.fromEntries(Object.entries(sent).filter(([name]) => !names.includes(name)));
}

function withDefaults(sent: unknown, defaults: Readonly<Record<string, unknown>> = {}): unknown {
  if (typeof sent !== 'object' || sent === null || Array.isArray(sent)) return sent;
  const given = sent as Readonly<Record<string, unknown>>;
  const missing = Object.entries(defaults).filter(([key]) => (given[key] ?? null) === null);
  return { ...given, ...Object.fromEntries(missing) };
}

/**
 * Large arguments as a body, which is read off the request thread. Throws `payload_too_large` for a tool that
 * needs none.
 */
function largeInput(
  rawArguments: Uint8Array<ArrayBuffer>,
  route: SessionOperation,
  defaults: Readonly<Record<string, unknown>> = {},
): RequestBody {
  if (route.body !== undefined) return new RequestBody(rawArguments, {}, null, defaults);
  throw new DomainError(
    'payload_too_large',
    `the arguments of this tool are at most ${SMALL_MESSAGE_BYTES} bytes`,
  );
}
