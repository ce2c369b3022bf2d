import type { EntityKind } from '@platform/opinion-fusion';
import type { Entity, EntityRef, Move, SessionSettings } from '../model/entity.ts';
import type { ItemColumns } from '../model/item-columns.ts';
import type { Holder, Role } from '../model/role.ts';
import type { SessionRef } from '../model/session-ref.ts';
import type { TextPieces } from '../model/text-pieces.ts';
import type { MemberStore } from './member-store.ts';

export type { SessionRef } from '../model/session-ref.ts';

export interface NewSession {
  readonly ref: SessionRef;
  readonly ownerId: string;
  /** Well-formed Unicode without NUL, as in every name. */
  readonly name: string;
  readonly settings: SessionSettings;
  /** In the order that the payload will have. No two of one kind have the same id. */
  readonly entities: readonly Entity[] | ItemColumns;
  readonly now: Date;
}

export interface SessionChange {
  /** undefined = as it is. */
  readonly name?: string;
  /**
   * Fields given replace those stored, null as a value like any other; undefined and absent = as they are.
   */
  readonly settings?: SessionSettings;
  /**
   * Each replaces the item of the same kind and id in its place, or is added behind the last. No two name the
   * same item.
   */
  readonly upserts?: readonly Entity[];
  /** Happen after the upserts; naming an item that is not there is no error. */
  readonly removals?: readonly EntityRef[];
  /**
   * Happen last, one after the other. A move that names an item that is not there, or an item before itself,
   * moves nothing.
   */
  readonly moves?: readonly Move[];
  /** Upserts and removals, made ready by `columnsOf`; then they are not given themselves. */
  readonly items?: ItemColumns;
  /** Most bytes that the payload may have afterwards; a change that only shrinks it is never refused. */
  readonly payloadBytesMax: number;
  /** The version that the session must have; absent = any. */
  readonly version?: string;
  readonly now: Date;
}

/** What became of a change. */
export interface SessionUpdated {
  readonly outcome: 'updated';
  /** The version that the session has now. */
  readonly version: string;
  /** How many items are new, stand in the place of an earlier one, and are gone. */
  readonly added: number;
  readonly replaced: number;
  readonly removed: number;
  /** The first MISSING_NAMED_MAX removals that named no item, and how many did. */
  readonly missing: readonly EntityRef[];
  readonly missingCount: number;
  /** The first COMPARED_MAX replaced items that differ from what they replaced, but for very long ones. */
  readonly changed: readonly ChangedItem[];
  /** Size of the session's investigation now. */
  readonly payloadBytes: number;
}

/** An item that a change replaced, and what stands in its place: both as JSON. */
export interface ChangedItem {
  readonly kind: EntityKind;
  readonly was: string;
  readonly now: string;
}

/** Removals of nothing that a change names. */
export const MISSING_NAMED_MAX = 5;
/** Replaced items that can be compared with what they were, and the longest of them. The latter in bytes. */
export const COMPARED_MAX = 50;
export const COMPARED_BYTES_MAX = 8192;

/** What lists show of a session. */
export interface SessionMeta {
  readonly sessionId: string;
  readonly name: string;
  readonly createdAt: Date;
  /**
   * When name, settings or items last changed, as `timeOfChange` has it. Judging and interpreting have times
   * of their own.
   */
  readonly updatedAt: Date;
  /** Of the last judgement; null = never judged. */
  readonly judgedAt: Date | null;
}

/** A session as `SessionStore.list` gives it. */
export interface ListedSession extends SessionMeta {
  readonly ownerId: string;
  /** What the query's holder is invited to; null = nothing. */
  readonly role: Role | null;
  /** Claims of its investigation as it is now. */
  readonly claimCount: number;
  /** As in `SessionHead`. */
  readonly lastJudgementId: string | null;
  /** JSON of what that judgement answers; null where that is not kept. */
  readonly answer: string | null;
  /** From 1, among all that the query leaves but for its `among`. */
  readonly position: number;
}

export interface SessionHead extends SessionMeta {
  readonly ownerId: string;
  readonly interpretation: string | null;
  /** When the interpretation was set or cleared; null = never. */
  readonly interpretationUpdatedAt: Date | null;
  /** The judgement that `readJudgement` calls latest; null = never judged. */
  readonly lastJudgementId: string | null;
  /** Greater after every write of name, settings or items and after every judgement. */
  readonly revision: number;
  /** `revision` as it was read for the last judgement; 0 before the first. */
  readonly judgedRevision: number;
}

export interface StoredSession {
  readonly head: SessionHead;
  /** Differs from every other version that the session has had; judging and interpreting change it, too. */
  readonly version: string;
  /** JSON of the InvestigationInput: the settings, then the six lists, each in the order its items came. */
  readonly payload: TextPieces;
  /** The latest judgement's result as it was saved; null = never judged. */
  readonly lastResult: string | null;
}

export interface SessionQuery {
  readonly tenantId: string;
  /** null = all of the tenant's. */
  readonly ownerId: string | null;
  /** Whose invitations are told. */
  readonly holder: Holder;
  /** true = judged at least once, false = never; undefined = both. */
  readonly hasResult?: boolean;
  /** Part of the name, in any case. */
  readonly nameFilter?: string;
  /**
   * Latest first, latest first, and by the first 500 characters of the name without regard to case. Equals
   * stand in order of creation, for times latest first.
   */
  readonly sort: 'updated_at' | 'created_at' | 'name';
  /** Strictly later and strictly earlier than these. */
  readonly updatedAfter?: Date;
  readonly updatedBefore?: Date;
  /**
   * Of all these, those that the holder owns or is invited to and those with these ids alone, where they
   * stand; absent = all.
   */
  readonly among?: SessionsAmong;
  /** 1 or more. */
  readonly limit: number;
  /** The position behind which the page begins. */
  readonly offset: number;
}

/** Sessions by ids, and by beginnings of ids. */
export interface SessionsAmong {
  readonly exact: readonly string[];
  readonly prefixes: readonly string[];
}

export interface JudgementMeta {
  /** The id is a UUID. */
  readonly id: string;
  readonly judgedAt: Date;
  readonly durationMs: number | null;
}

/** Both texts are kept to the byte and never read here. */
export interface Judgement extends JudgementMeta {
  /** The input as it was judged. */
  readonly inputSnapshot: string;
  readonly result: string;
  /** What became of its pinned quotes; null where it has none. Kept like the others. */
  readonly quotes: string | null;
}

/** A judgement to be kept; without `quotes` it has none. */
export type NewJudgement = Omit<Judgement, 'quotes'> &
  Partial<Pick<Judgement, 'quotes'> & Pick<ListedSession, 'answer'>> & {
    /** `SessionHead.revision`, read before what was judged. */
    readonly revision: number;
  };

export interface ShareChange {
  readonly slug: string;
  readonly preferredPane: string;
  readonly isPublic: boolean;
  /** A new snapshot, kept to the byte; undefined = the one taken before stays. */
  readonly snapshot?: string;
  /** Of a new snapshot: `SessionHead.judgedRevision`, read before the judgement that it shows. */
  readonly judgedRevision?: number;
  /** Of a new snapshot: what the next one is compared with, and the feed's entry where something changed. */
  readonly feed?: {
    readonly state: string | null;
    readonly entry: Pick<ShareEntry, 'id' | 'changes'> | null;
  };
  /** The version that `readShare` gave; null = the session has no share yet. */
  readonly version: string | null;
  readonly now: Date;
  /** JSON of how the share is presented; null or absent = nothing of it is set. */
  readonly presentation?: string | null;
  /**
   * Lease of authz-grpc of who publishes it, with which the share ends; null = it ends by itself, undefined =
   * a share that exists keeps the one it has.
   */
  readonly lease?: string | null | undefined;
  /** UUID that the share gets if the session has none yet. */
  readonly newShareUuid: string;
}

export interface Share {
  readonly shareUuid: string;
  readonly sessionId: string;
  readonly sessionName: string;
  readonly slug: string;
  readonly preferredPane: string;
  readonly isPublic: boolean;
  readonly presentation: string | null;
  /** null = no snapshot has been taken. */
  readonly snapshotTakenAt: Date | null;
  readonly updatedAt: Date;
  /** Of the judgement that the snapshot shows; null = no snapshot has been taken, or there is a later one. */
  readonly judgedAt: Date | null;
}

/** Entries that a share keeps of its feed. */
export const SHARE_ENTRIES_MAX = 50;

/** A share as its owner reads it; of the lease that decides whether it is shown as in `PublicShare`. */
export interface OwnShare extends Share {
  readonly servedBy: string | null;
  readonly wasActive: boolean;
}

export interface VersionedShare extends OwnShare {
  /** Differs from every other version that the share has had. */
  readonly version: string;
  /** As in `PublicShare`; false where no snapshot has been taken. */
  readonly isJudgedSince: boolean;
}

/** An entry of a share's feed. */
export interface ShareEntry {
  /** The id is a UUID. */
  readonly id: string;
  /** When the share was published. */
  readonly at: Date;
  /** JSON text of FeedChanges. */
  readonly changes: string;
}

export interface PublicShare {
  readonly tenantId: string;
  /**
   * The lease that decides whether the share is shown, its tenant's where it has none itself; null = it needs
   * none.
   */
  readonly servedBy: string | null;
  /** Whether that lease was active when it was last recorded. */
  readonly wasActive: boolean;
  readonly slug: string;
  readonly preferredPane: string;
  readonly presentation: string | null;
  /** Whether the session has a later judgement than the one that the snapshot shows. */
  readonly isJudgedSince: boolean;
  readonly snapshotTakenAt: Date;
  readonly updatedAt: Date;
}

/**
 * Sessions of all tenants. A session of another tenant does not exist for a reference; who of the tenant may
 * do what is not decided here.
 *
 * Every write is whole or not at all, also when the process dies in the middle. Writes on one session happen
 * one after the other, each seeing what the one before left. Every read shows one moment. Errors: the
 * driver's alone; each outcome of an operation is a value.
 */
export interface SessionStore extends MemberStore {
  /** `taken` = the tenant has a session with this id, no matter who owns it. */
  create(session: NewSession): Promise<'created' | 'taken'>;
  /** null = no such session; also below, where nothing else is said. */
  readHead(ref: SessionRef): Promise<SessionHead | null>;
  /** See `StoredSession.payload`. */
  readPayload(ref: SessionRef): Promise<TextPieces | null>;
  readSession(ref: SessionRef): Promise<StoredSession | null>;
  list(query: SessionQuery): Promise<ListedSession[]>;
  /**
   * `too_large` = the payload would exceed `payloadBytesMax`; `conflict` = the session has another version
   * than the change names; nothing has changed then.
   */
  update(
    ref: SessionRef,
    change: SessionChange,
  ): Promise<SessionUpdated | 'no_session' | 'too_large' | 'conflict'>;
  /** Removes the session with its judgements and its share. false = there was none. */
  deleteSession(ref: SessionRef): Promise<boolean>;

  /** Reads the JSON of one item. */
  readEntity(ref: SessionRef, entity: EntityRef): Promise<{ body: TextPieces } | 'no_session' | 'no_entity'>;
  /** JSON of the array of all items of the kind, in order; `[]` when there are none. */
  listEntities(ref: SessionRef, kind: EntityKind): Promise<TextPieces | null>;
  deleteEntity(
    ref: SessionRef,
    entity: EntityRef,
    now: Date,
  ): Promise<'deleted' | 'no_session' | 'no_entity'>;

  /**
   * Adds to the session's judgements and sets its `judgedAt` to that of the latest. false = no such session.
   */
  saveJudgement(ref: SessionRef, judgement: NewJudgement): Promise<boolean>;
  /** The greatest `revision` first, among equals the latest `judgedAt`, then the greatest id. */
  listJudgements(ref: SessionRef): Promise<JudgementMeta[] | null>;
  /** The id `latest` = the first of `listJudgements`. Any other that is not a UUID names no judgement. */
  readJudgement(ref: SessionRef, id: string): Promise<Judgement | 'no_session' | 'no_judgement'>;
  /** Of a judgement as `readJudgement` finds it, its quotes alone. */
  readQuotes(
    ref: SessionRef,
    id: string,
  ): Promise<Pick<Judgement, 'id' | 'judgedAt' | 'quotes'> | 'no_session' | 'no_judgement'>;
  /** Keeps what a judgement answers, for lists; null forgets it. */
  setAnswer(ref: SessionRef, judgementId: string, answer: string | null): Promise<void>;
  /** null clears. */
  setInterpretation(
    ref: SessionRef,
    interpretation: string | null,
    now: Date,
  ): Promise<'set' | 'no_session' | 'never_judged'>;

  readShare(ref: SessionRef): Promise<VersionedShare | 'no_session' | 'no_share'>;
  /**
   * Makes the share or changes it; its UUID stays the same for good. `conflict` = it does not have the
   * version given, because another call changed it meanwhile; nothing has changed then.
   */
  putShare(ref: SessionRef, change: ShareChange): Promise<Share | 'no_session' | 'conflict'>;
  /** What the last snapshot of the session's share left for the feed to compare with; null = nothing yet. */
  readFeedState(ref: SessionRef): Promise<string | null>;
  /** The feed of a share, the latest first, at most SHARE_ENTRIES_MAX. */
  listShareEntries(shareUuid: string): Promise<ShareEntry[]>;
  /** Deletes every session of a tenant, with its judgements and its share. */
  eraseTenant(tenantId: string): Promise<void>;
  /** Shares of the owner's sessions, hidden ones too, last changed first. */
  listShares(tenantId: string, ownerId: string): Promise<OwnShare[]>;
  /** null = unknown, hidden, or without a snapshot. */
  readPublicShare(shareUuid: string): Promise<PublicShare | null>;
  /** The snapshot that a public share took at `takenAt`; null = it does not show that one any more. */
  readPublicSnapshot(shareUuid: string, takenAt: Date): Promise<string | null>;
}
