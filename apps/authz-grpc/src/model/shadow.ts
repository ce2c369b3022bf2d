/** A shadow set of a domain. */
export interface ShadowRef {
  readonly domainId: string;
  readonly version: number;
}

/** How many checks a shadow set decides as the real one, or otherwise. */
export interface ShadowCounts {
  readonly agree: number;
  /** Allowed by the shadow set alone. */
  readonly wouldGain: number;
  /** Allowed by the real set alone. */
  readonly wouldLose: number;
  /** The shadow set did not decide them. */
  readonly notDecided: number;
}

/** A check that the shadow set decides otherwise; texts are cut. */
export interface ShadowExample {
  readonly kind: 'gain' | 'lose';
  /** Of the audit row; a UUIDv7, so that ids are in the order of time. */
  readonly checkId: string;
  readonly subject: string;
  readonly action: string;
  readonly object: string;
  /** The policies that decided; null where none did. */
  readonly policyReal: string | null;
  readonly policyShadow: string | null;
}
