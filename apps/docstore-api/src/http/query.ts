import type { Request } from 'express';
import { DomainError, describeIssue } from '@platform/error-contracts';
import { z } from 'zod';

/** The query of a URL that knows no parameter. */
export const NoQuery = z.strictObject({});

/**
 * The query of a URL by `schema`; whatever is wrong with it, a parameter given twice included, is
 * `invalid_argument`.
 */
export function parseQuery<Query>(schema: z.ZodType<Query>, req: Request): Query {
  if (schema === NoQuery && !req.originalUrl.includes('?')) return {} as Query;
  const parsed = schema.safeParse(Object.fromEntries(queryEntries(req)), { error: describeIssue });
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const name = issue!.code === 'unrecognized_keys' ? issue.keys[0] : String(issue!.path[0]);
  const reason = issue!.code === 'unrecognized_keys' ? 'is not known' : issue!.message;
  throw new DomainError('invalid_argument', `query parameter \`${name}\`: ${reason}`);
}

/**
 * The query of the target, whatever stands before it: a target may be a whole URL, with a host that is none
 * (RFC 9112 §3.2.2).
 */
export function searchParamsOf({ originalUrl }: Request): URLSearchParams {
  return new URLSearchParams(/\?([^#]*)/.exec(originalUrl)?.[1]);
}

function queryEntries(req: Request): [string, string][] {
  const entries = [...searchParamsOf(req)];
  // Bytes that are not UTF-8 become this character, and would be looked for.
  const garbled = entries.find((pair) => pair.join('').includes('\uFFFD'));
  if (garbled !== undefined && !/%EF%BF%BD/i.test(req.originalUrl))
    throw new DomainError(
      'invalid_argument',
      `query parameter \`${garbled[0]}\` is not UTF-8, percent-encoded`,
    );
  const names = entries.map(([name]) => name);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined)
    throw new DomainError('invalid_argument', `query parameter \`${twice}\` stands twice`);
  return entries;
}
