/** What calls are counted against: a tenant's management calls, a tenant's checks, a user's calls. */
export type Plane = 'control_plane' | 'data_plane' | 'user_plane';

/** Calls that were made in a refresh cycle of a quota. */
export interface QuotaUsage {
  readonly used: number;
  readonly epoch: number;
}

/** The owner and plane that a counter counts for. */
export interface CounterName {
  readonly ownerId: string;
  readonly plane: Plane;
}

/** Key of the counter of one plane of a tenant or user. */
export function counterKey(ownerId: string, plane: Plane): string {
  return `${plane}:${ownerId}`;
}

/** The owner and plane a counter's key was made of. */
export function readCounterKey(key: string): CounterName {
  const colon = key.indexOf(':');
  return { plane: key.slice(0, colon) as Plane, ownerId: key.slice(colon + 1) };
}
