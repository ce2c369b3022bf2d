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
  const left = total - problems.length + Math.max(0, all.length - WARNINGS_MAX);
  return [...all.slice(0, WARNINGS_MAX), ...(left > 0 ? [`and ${left} more: validate the session`] : [])];
}
