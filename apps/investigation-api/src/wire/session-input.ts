import { InvalidInvestigation, OBJECTS, validateShape, type ObjectName } from '@platform/opinion-fusion';
import { DomainError } from '@platform/error-contracts';
import { InvalidJsonError, parseStrictJson } from '@platform/strict-json';
import type { z } from 'zod';
import type { Entity, EntityRef, Move, SessionSettings } from '../model/entity.ts';
import type { ItemColumns } from '../model/item-columns.ts';
import {
  droppedRecordWarning,
  isForeignRecord,
  withoutRecord,
  type SourceWithRecord,
} from '../model/written-record.ts';
import type { EntityFamily } from './entity-kinds.ts';
import { ENTITY_FAMILIES } from './entity-kinds.ts';
import { firstWarnings } from './payload-warnings.ts';
import { AddDocumentRequest } from './quote-schema.ts';
import { readInput, refuse } from './read-input.ts';
import { RequestBody } from './request-body.ts';
import type { UnknownFields } from './unknown-fields.ts';
import { unknownFieldsOf, unknownFieldWarnings } from './unknown-fields.ts';
import { ApplySourceRecordsRequest, RecordOutcomeRequest } from './outcome-schema.ts';
import {
  CreateSubscriptionRequest,
  ReplayRequest,
  SubscriptionReference,
  UpdateSubscriptionRequest,
} from './watch-schema.ts';
import {
  CreateSessionRequest,
  ID_TOO_LONG,
  isIdTooLong,
  JudgeOverride,
  SessionReference,
  SetInterpretationRequest,
  UpdateApart,
  UpdateSessionRequest,
  ValidateSession,
} from './session-schema.ts';
import { SetShareRequest, UpdateShareRequest } from './share-schema.ts';
import { InviteRequest, MemberReference } from './member-schema.ts';

/**
 * Inputs that may be large, read into what stores take: checked, small parts as values, items as texts. Pure,
 * so that it can run in a thread of its own. Every reader throws DomainError `unprocessable` with all
 * problems of the first check that fails.
 */
export interface SessionInputs {
  create_session: {
    readonly session_id: string | null;
    readonly name: string;
    readonly settings: SessionSettings;
    readonly entities: readonly Entity[] | ItemColumns;
    readonly unknownFields: UnknownFields;
    /** What of the payload has no effect. */
    readonly warnings: readonly string[];
  };
  update_session: {
    readonly session_id: string;
    readonly name?: string;
    readonly settings: SessionSettings;
    readonly upserts?: readonly Entity[];
    readonly removals?: readonly EntityRef[];
    /** What is done last; see SessionChange. */
    readonly moves?: readonly Move[];
    /** Upserts and removals as columns, which stand for them where a thread has read the input. */
    readonly items?: ItemColumns;
    /** The version that the session must have. */
    readonly version?: string;
    readonly unknownFields: UnknownFields;
    /** What was dropped; see `readSessionInput`. */
    readonly warnings: readonly string[];
  };
  upsert_entity: {
    readonly session_id: string;
    /** The item, or its columns. */
    readonly upserts?: readonly Entity[];
    readonly items?: ItemColumns;
    readonly item: EntityRef;
    /** JSON text of the item, without a field `warnings`. */
    readonly shown: string;
    /** What in the request has no effect. */
    readonly warnings: readonly string[];
  };
  validate_session: { readonly session_id: string };
  judge_session: z.output<typeof JudgeOverride> & { readonly session_id: string };
  set_interpretation: z.output<typeof SetInterpretationRequest> & { readonly session_id: string };
  put_share: z.output<typeof SetShareRequest> & { readonly session_id: string };
  invite: z.output<typeof InviteRequest> & z.output<typeof MemberReference>;
  update_share: z.output<typeof UpdateShareRequest> & { readonly session_id: string };
  record_outcome: z.output<typeof RecordOutcomeRequest> & { readonly session_id: string };
  apply_source_records: z.output<typeof ApplySourceRecordsRequest> & { readonly session_id: string };
  add_document: z.output<typeof AddDocumentRequest>;
  create_subscription: z.output<typeof CreateSubscriptionRequest> & { readonly session_id: string };
  update_subscription: z.output<typeof UpdateSubscriptionRequest> & z.output<typeof SubscriptionReference>;
  replay_deliveries: z.output<typeof ReplayRequest> & z.output<typeof SubscriptionReference>;
}
export type SessionInputName = keyof SessionInputs;

type Sent = Readonly<Record<string, unknown>>;

/** A request without the name of its session. `family` is the kind of item of an upsert. */
interface Request {
  readonly sent: Sent;
  readonly fromUrl: Readonly<Record<string, string>>;
  readonly family: EntityFamily | undefined;
  /** See `readSessionInput`. */
  readonly records: readonly string[];
}

const READERS: { readonly [N in SessionInputName]: (request: Request) => SessionInputs[N] } = {
  create_session({ sent, records }) {
    const { name, session_id = null } = readInput(CreateSessionRequest.omit({ payload: true }), sent);
    const payload = sent.payload ?? EMPTY_INVESTIGATION;
    const unknownFields = unknownFieldsOf(sent, Object.keys(CreateSessionRequest.shape));
    const { dropped: _, ...read } = readInvestigation(payload, 'payload', records);
    return { session_id, name, ...read, unknownFields };
  },

  update_session(request) {
    const { session_id, sent } = namedSession(request);
    const { name, expected_version, moves, ...removals } = readInput(UpdateApart, sent) as {
      name?: string | null;
      expected_version?: string;
      moves?: readonly Move[];
    } & Sent;
    // Required fields that an update leaves out are filled with empty lists and an empty question.
    const { settings, entities, dropped } = readInvestigation(
      { ...EMPTY_INVESTIGATION, ...pickInvestigation(sent) },
      '',
      request.records,
    );
    return {
      session_id,
      ...(name == null ? {} : { name }),
      ...(expected_version === undefined ? {} : { version: expected_version }),
      ...(moves === undefined ? {} : { moves }),
      settings: Object.fromEntries(Object.entries(settings).filter(([key]) => Object.hasOwn(sent, key))),
      upserts: entities,
      removals: ENTITY_FAMILIES.flatMap(({ kind, removalsField }) =>
        [...new Set((removals[removalsField] ?? []) as string[])].map((id) => ({ kind, id })),
      ),
      unknownFields: unknownFieldsOf(sent, Object.keys(UpdateSessionRequest.shape)),
      warnings: firstWarnings(dropped),
    };
  },

  upsert_entity(request) {
    const { kind, entity: key, idField, object } = request.family!;
    const { session_id, sent } = namedSession(request);
    const idInUrl = request.fromUrl[idField];
    // Over REST the body is the item itself, so its problems have paths relative to the item.
    const path = idInUrl === undefined ? key : '';
    const given = sent[key];
    const item =
      idInUrl !== undefined && isObject(given) && given.id === undefined ? { id: idInUrl, ...given } : given;
    const shape = checkShape(object, item, path);
    const { id } = item as { id: string };
    const isForeign = isForeignItem(kind, item as Sent, request.records);
    const warnings = [
      ...unknownFieldWarnings(unknownFieldsOf(sent, [key]), ['session_id', key]),
      ...shape,
      ...(isForeign ? [droppedRecordWarning(id)] : []),
    ];
    if (isIdTooLong(id)) throw refuse([`${path === '' ? '' : `${path}.`}id: ${ID_TOO_LONG}`]);
    const unknown = unknownProblems(item as Sent, object, 'it', path);
    if (unknown.length > 0) throw refuse(unknown);
    if (idInUrl !== undefined && id !== idInUrl)
      throw refuse([`id: ${JSON.stringify(id)} is not the id in the URL`]);
    const kept = isForeign ? withoutRecord(item as Sent) : (item as Sent);
    const body = JSON.stringify(kept);
    const shown = Object.hasOwn(kept, 'warnings') ? JSON.stringify({ ...kept, warnings: undefined }) : body;
    return { session_id, item: { kind, id }, upserts: [{ kind, id, body }], shown, warnings };
  },

  validate_session: readerOfSession(ValidateSession),
  judge_session: readerOfSession(JudgeOverride),
  set_interpretation: readerOfSession(SetInterpretationRequest),
  put_share: readerOfSession(SetShareRequest),
  update_share: readerOfSession(UpdateShareRequest),
  record_outcome: readerOfSession(RecordOutcomeRequest),
  apply_source_records: readerOfSession(ApplySourceRecordsRequest),
  invite(request) {
    const { session_id, sent } = namedSession(request);
    const { username = request.fromUrl.username, ...rest } = sent;
    return { ...readInput(MemberReference, { session_id, username }), ...readInput(InviteRequest, rest) };
  },
  add_document({ sent }) {
    const request = readInput(AddDocumentRequest, sent);
    if ((request.contents === undefined) === (request.pdf === undefined))
      throw refuse(['contents: give either contents or pdf']);
    return request;
  },
  create_subscription: readerOfSession(CreateSubscriptionRequest),

  update_subscription: readerOfSubscription(UpdateSubscriptionRequest),
  replay_deliveries: readerOfSubscription(ReplayRequest),
};

const EMPTY_INVESTIGATION = { research_question: '', actors: [], subjects: [], claims: [] };

/**
 * Reads one input; see SessionInputs. A `reliability_record` is kept where it is among `records`, by
 * `recordKey`, and else dropped with a warning: anyone who can write a session could state any.
 */
export function readSessionInput<N extends SessionInputName>(
  name: N,
  input: unknown,
  family?: EntityFamily,
  records: readonly string[] = [],
): SessionInputs[N] {
  if (!(input instanceof RequestBody))
    return READERS[name]({ sent: objectOf(input), fromUrl: {}, family, records });
  const { bytes, fromUrl, bodyField, defaults } = input;
  const value = parseBody(bytes);
  const sent: Sent = bodyField === null ? objectOf(value) : { [bodyField]: value };
  const missing = Object.entries(defaults).filter(([key]) => (sent[key] ?? null) === null);
  return READERS[name]({ sent: { ...sent, ...Object.fromEntries(missing) }, fromUrl, family, records });
}

/**
 * Tools name the session among the other members; over REST it stands in the URL and a body knows no such
 * member.
 */
function namedSession({ sent, fromUrl }: Request): { session_id: string; sent: Sent } {
  if (fromUrl.session_id !== undefined) return { session_id: fromUrl.session_id, sent };
  const { session_id, ...rest } = sent;
  return { ...readInput(SessionReference, { session_id }), sent: rest };
}

/** A reader of requests that name a session and hold what `schema` describes. */
function readerOfSession<S extends z.ZodType<object>>(schema: S) {
  return (request: Request): z.output<S> & { readonly session_id: string } => {
    const { session_id, sent } = namedSession(request);
    return { session_id, ...readInput(schema, sent) };
  };
}

/** The same for requests that name a subscription besides. */
function readerOfSubscription<S extends z.ZodType<object>>(schema: S) {
  return (request: Request): z.output<S> & z.output<typeof SubscriptionReference> => {
    const { session_id, sent } = namedSession(request);
    const { subscription_id = request.fromUrl.subscription_id, ...rest } = sent;
    return {
      ...readInput(SubscriptionReference, { session_id, subscription_id }),
      ...readInput(schema, rest),
    };
  };
}

function parseBody(bytes: Uint8Array): unknown {
  try {
    return parseStrictJson(bytes);
  } catch (error) {
    if (error instanceof InvalidJsonError)
      throw refuse([error.path ? `${error.path}: ${error.message}` : error.message]);
    throw error;
  }
}

function isObject(value: unknown): value is Sent {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function objectOf(value: unknown): Sent {
  if (!isObject(value)) throw refuse(['$: must be an object']);
  return value;
}

/** Returns what of an object has no effect, as few sentences. */
function checkShape(...args: Parameters<typeof validateShape>): string[] {
  try {
    return firstWarnings(validateShape(...args));
  } catch (error) {
    if (error instanceof InvalidInvestigation) throw new DomainError('unprocessable', error.message);
    throw error;
  }
}

/** The members that are an investigation's. */
function pickInvestigation(sent: Sent): Sent {
  return Object.fromEntries(
    Object.keys(OBJECTS.InvestigationInput)
      .filter((key) => Object.hasOwn(sent, key))
      .map((key) => [key, sent[key]]),
  );
}

/**
 * Most that a session keeps of fields unknown to the contract, and of those of one item. They are stored as
 * sent, and the request thread makes values of them for tools, so many would delay other requests. Bytes of
 * JSON.
 */
const UNKNOWN_BYTES_MAX = 64 * 1024;

/** What is wrong with the fields of an item, or of an investigation, that the contract does not have. */
function unknownProblems(sent: Sent, object: ObjectName, what: string, path: string): string[] {
  const unknown = unknownMembers(sent, object);
  if (unknown.length === 0) return [];
  const bytes = Buffer.byteLength(JSON.stringify(unknown));
  if (bytes <= UNKNOWN_BYTES_MAX) return [];
  const { names } = unknownFieldsOf(Object.fromEntries(unknown), []);
  return [
    `${path === '' ? '$' : path}: fields that ${what} does not have take ${bytes} bytes, at most ${UNKNOWN_BYTES_MAX} are kept: leave out \`${names.join('`, `')}\``,
  ];
}

/**
 * The members of an object that the contract does not have, with their paths, those of the objects in it
 * included; of an investigation its own alone, as its items are counted one by one.
 */
function unknownMembers(sent: Sent, object: ObjectName, path = ''): [string, unknown][] {
  return Object.entries(sent).flatMap(([key, value]): [string, unknown][] => {
    const field = Object.hasOwn(OBJECTS[object], key) ? OBJECTS[object][key]! : null;
    if (field === null) return [[`${path}${key}`, value]];
    if (field.of === undefined || object === 'InvestigationInput') return [];
    const { of } = field;
    if (isObject(value)) return unknownMembers(value, of, `${path}${key}.`);
    return Array.isArray(value)
      ? value.flatMap((one, index) =>
          isObject(one) ? unknownMembers(one, of, `${path}${key}[${index}].`) : [],
        )
      : [];
  });
}

/** Whether an item is a source with a record that is not among `records`. */
const isForeignItem = (kind: Entity['kind'], item: Sent, records: readonly string[]): boolean =>
  kind === 'actors' && isForeignRecord(item as unknown as SourceWithRecord, records);

/** An investigation as a store takes it: the items of its lists as texts, everything else as it is. */
function readInvestigation(
  investigation: unknown,
  path: string,
  records: readonly string[],
): { settings: SessionSettings; entities: Entity[]; warnings: string[]; dropped: string[] } {
  const warnings = checkShape('InvestigationInput', investigation, path);
  const source = investigation as Sent;
  const problems: string[] = [];
  const dropped: string[] = [];
  const entities = ENTITY_FAMILIES.flatMap(({ kind, object }) => {
    const firstIndex = new Map<string, number>();
    return ((source[kind] ?? []) as readonly (Sent & { id: string })[]).map((item, index): Entity => {
      const { id } = item;
      const list = path === '' ? kind : `${path}.${kind}`;
      if (isIdTooLong(id)) problems.push(`${list}[${index}].id: ${ID_TOO_LONG}`);
      problems.push(...unknownProblems(item, object, 'it', `${list}[${index}]`));
      const first = firstIndex.get(id);
      if (first === undefined) firstIndex.set(id, index);
      else {
        problems.push(`${list}[${index}].id: stands already at ${list}[${first}], ids are unique in a list`);
      }
      if (!isForeignItem(kind, item, records)) return { kind, id, body: JSON.stringify(item) };
      dropped.push(droppedRecordWarning(id));
      return { kind, id, body: JSON.stringify(withoutRecord(item)) };
    });
  });
  problems.push(...unknownProblems(source, 'InvestigationInput', 'an investigation', path));
  if (problems.length > 0) throw refuse(problems);
  const lists: readonly string[] = ENTITY_FAMILIES.map(({ kind }) => kind);
  return {
    settings: Object.fromEntries(Object.entries(source).filter(([key]) => !lists.includes(key))),
    entities,
    warnings: firstWarnings([...warnings, ...dropped]),
    dropped,
  };
}
