/** What a store keeps for users and accounts, by their leases. */
export interface KeptByLease {
  /** Leases in order, behind `after`, each with its tenant's. */
  listLeases(
    after: string,
    limit: number,
  ): Promise<{ readonly lease: string; readonly tenantLease: string }[]>;
  /** Keeps since when these have ended, the first time they were found to; null = they have not. */
  markEnded(leases: readonly string[], endedAt: Date | null): Promise<void>;
  /** Erases what is kept by leases that had ended before `before`; returns how many. */
  eraseEnded(before: Date): Promise<number>;
}
