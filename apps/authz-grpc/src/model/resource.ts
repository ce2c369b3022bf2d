/** What a search looks through: an object and what checks of it say besides its name. */
export interface Resource {
  /** `svc://<domain uuid>/<path>`. */
  readonly object: string;
  /** `owner` and `resource.<key>`. */
  readonly attributes: ReadonlyMap<string, string | readonly string[]>;
}

/** What the path of every object of the domain follows. */
export function objectStart(domainId: string): string {
  return `svc://${domainId}/`;
}
