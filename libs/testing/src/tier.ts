/**
 * A way to get hold of a real part: `null` when this machine does not offer it, an error when it should have
 * worked.
 */
export interface Tier<T> {
  readonly name: string;
  readonly get: () => Promise<T | null>;
}

/** No tier could deliver a part. The message lists what was tried and how to get the part. */
export class PartUnavailable extends Error {
  override readonly name = 'PartUnavailable';
}

/**
 * The part from the first tier that delivers one, and prints which tier that was, so that a log tells what a
 * run was tested against. A tier that throws is named and the next one is tried. Errors: PartUnavailable with
 * `howTo` when none delivers; a missing part is never skipped over.
 */
export async function takeFirst<T>(part: string, tiers: readonly Tier<T>[], howTo: string): Promise<T> {
  const tried: string[] = [];
  for (const tier of tiers) {
    try {
      const found = await tier.get();
      if (found !== null) {
        process.stderr.write(`${part}: ${tier.name}\n`);
        return found;
      }
      tried.push(`${tier.name}: not here`);
    } catch (err) {
      tried.push(`${tier.name}: ${err instanceof Error ? err.message : String(err)}`);
    }
  }
  throw new PartUnavailable(`no ${part} to test against\n  ${tried.join('\n  ')}\n  ${howTo}`);
}
