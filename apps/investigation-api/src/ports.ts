import type { Permissions } from './access/permissions.ts';
import type { AnalysisPool } from './engine/analysis-pool.ts';
import type { InputReader } from './engine/input-reader.ts';
import type { SessionStore } from './store/session-store.ts';

/** What operations are given; `deps.ts` builds the parts once. */
export interface SessionDeps {
  readonly sessions: SessionStore;
  readonly permissions: Permissions;
  readonly inputs: InputReader;
  readonly analysis: AnalysisPool;
  readonly now: () => Date;
  /** A fresh UUID, for sessions, judgements and shares. */
  readonly newId: () => string;
  readonly config: {
    /** Longest an analysis may take, waiting included. Milliseconds. */
    readonly analysisTimeoutMs: number;
    /** Largest request body, and largest session. */
    readonly bodyBytesMax: number;
  };
}
