import { checkInput } from '@platform/opinion-fusion';

/** Problems and warnings that one response names. */
const WARNINGS_MAX = 20;

/**
 * What keeps the payload of a session from being judged, and what of it has no effect. Sentences, at most
 * WARNINGS_MAX and a count.
 */
export function payloadWarnings(payload: string): string[] {
  const { problems, total, warnings } = checkInput(JSON.parse(payload));
  const all = [...problems.map(({ path, message }) => `${path}: ${message}`), ...warnings];
  return firstWarnings(all, total - problems.length);
}

/** The first WARNINGS_MAX of some warnings, and how many more there are with `unlisted` ones. */
export function firstWarnings(all: readonly string[], unlisted = 0): string[] {
  const left = unlisted + Math.max(0, all.length - WARNINGS_MAX);
  return [...all.slice(0, WARNINGS_MAX), ...(left > 0 ? [`and ${left} more: validate the session`] : [])];
}
