/**
 * Names the requirements of `docs/requirements` that the test or the suite around it shows, as
 * `covers('INV-R1.1')` in its first line. Does nothing when it runs: `npm run requirements` reads the ids
 * from the source, so each is written out.
 */
export function covers(..._ids: readonly [string, ...string[]]): void {}
