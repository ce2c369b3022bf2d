/** One promise, checked against what the services hold. */
export interface Invariant {
  readonly promise: string;
  /** Number of things compared. */
  readonly compared: number;
  /** The first few violations. */
  readonly broken: readonly string[];
}
