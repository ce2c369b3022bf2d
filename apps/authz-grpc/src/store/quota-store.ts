import type { CounterName, Plane, QuotaUsage } from '../model/quota.ts';
import type { QuotaLimits } from '../model/entities.ts';

/** Whose quotas start a cycle together. */
export type QuotaScope = 'tenant' | 'user';

/** One plane of an owner with its limits and what was used of it. */
export interface QuotaRow extends QuotaLimits {
  readonly ownerId: string;
  readonly plane: Plane;
  readonly used: number;
  readonly epoch: number;
}

/**
 * Limits of planes, what was used of them as last flushed, and refresh cycles. Errors: those of the database.
 */
export interface QuotaStore {
  /** Gives an owner a plane, in the cycle of now. */
  insert(ownerId: string, plane: Plane, limits: QuotaLimits): Promise<void>;
  updateLimits(ownerId: string, plane: Plane, limits: QuotaLimits): Promise<void>;
  remove(ownerId: string): Promise<void>;
  /** The planes of the owners; usage of an earlier cycle counts as zero. */
  find(ownerIds: readonly string[]): Promise<QuotaRow[]>;
  /** Starts the next refresh cycle. */
  startCycle(scope: QuotaScope, now: Date): Promise<void>;
  /** When the present cycle began. */
  cycleStart(scope: QuotaScope): Promise<Date>;
  /**
   * What was used, as last flushed, with the cycle it belongs to; zero of the first cycle for a plane that is
   * absent.
   */
  usage(name: CounterName): Promise<QuotaUsage>;
  /** Stores what was used. Several replicas flush one counter: within a cycle the larger figure stays. */
  saveUsage(counters: readonly (CounterName & QuotaUsage)[]): Promise<void>;
}
