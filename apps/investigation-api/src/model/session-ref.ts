/**
 * A session as callers name it. `sessionId` is well-formed Unicode without NUL, unique in its tenant, of any
 * length.
 */
export interface SessionRef {
  readonly tenantId: string;
  readonly sessionId: string;
}
