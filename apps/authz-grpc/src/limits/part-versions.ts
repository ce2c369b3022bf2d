import { isPending } from './limit-store.ts';

/**
 * The version of an entity over a store in parts: `;part=version` for each part in which it was seen. A state
 * that was loaded after its version was read in a part is current for as long as that part has this version,
 * since writers replace it in every part; so a state that is loaded again keeps what is known of the others.
 */

/** The version that was seen in the part; empty when none was. Pending ones are the same in every part. */
export function seenInPart(versions: string, part: number): string {
  if (isPending(versions)) return versions;
  const name = `;${part}=`;
  const from = versions.indexOf(name);
  if (from < 0) return '';
  const start = from + name.length;
  const to = versions.indexOf(';', start);
  return to < 0 ? versions.slice(start) : versions.slice(start, to);
}

/** The versions of a state that is loaded again under `version` of the part. */
export function withVersionOfPart(versions: string, part: number, version: string): string {
  if (isPending(version)) return version;
  // Versions of another kind of store name no parts.
  if (!versions.startsWith(';')) return `;${part}=${version}`;
  const seen = seenInPart(versions, part);
  return `${versions.replace(`;${part}=${seen}`, '')};${part}=${version}`;
}
