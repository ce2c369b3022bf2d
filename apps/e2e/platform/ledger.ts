/** Everything the services acknowledged, to be compared with what they hold. */
export interface Ledger {
  /** Per document, per version acknowledged, the ETag told and the contents sent. */
  readonly documents: Map<string, Map<number, { readonly etag: string; readonly contents: string }>>;
  /** Ids of the checks that got a response. */
  readonly checks: string[];
  /** Per tenant, the checks it was granted, refusals for lack of quota not counted. */
  readonly granted: Map<string, Grant[]>;
  readonly sessions: Map<string, SessionEntry>;
  /** Per path of a published share's JSON, the bytes it had at first. */
  readonly shares: Map<string, string>;
  /** What was wrong at sight: a version told twice, contents read back that were not those written. */
  readonly contradictions: string[];
}

/**
 * When a check that was granted was sent and its response came: it was counted in between. Milliseconds of
 * `performance.now()`.
 */
export interface Grant {
  readonly sentAt: number;
  readonly answeredAt: number;
}

/** A session with the changes sent to it. */
export interface SessionEntry {
  readonly token: string;
  /** Claim ids of each PATCH, and whether it was acknowledged. */
  readonly patches: { readonly claimIds: readonly string[]; isAcknowledged: boolean }[];
}

export const createLedger = (): Ledger => ({
  documents: new Map(),
  checks: [],
  granted: new Map(),
  sessions: new Map(),
  shares: new Map(),
  contradictions: [],
});
