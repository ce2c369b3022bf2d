/** One promise, compared with what the services hold. */
export interface Invariant {
  readonly promise: string;
  /** How many things were compared. */
  readonly compared: number;
  /** What broke it, the first few. */
  readonly broken: readonly string[];
}
