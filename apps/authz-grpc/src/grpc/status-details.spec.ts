import { describe, expect, it } from '@jest/globals';
import { AuthzError } from '@platform/error-contracts';
import { BadRequest } from '@platform/proto/google/rpc/error_details';
import { Status } from '@platform/proto/google/rpc/status';
import { toServiceError } from './status-details.ts';

/** Headers that clients of several languages take by default, in bytes. */
const HEADERS_MAX = 8 * 1024;

/** The error as it travels, and the fields that it names. */
function sent(error: AuthzError) {
  const { details: message = '', metadata } = toServiceError(error, 'request-1');
  const [status] = metadata?.get('grpc-status-details-bin') ?? [];
  const { details } = Status.decode(status as Buffer);
  const bad = details.find(({ typeUrl }) => typeUrl.endsWith('BadRequest'));
  return {
    message,
    bytes: encodeURIComponent(message).length + (status as Buffer).toString('base64').length,
    violations: bad === undefined ? [] : BadRequest.decode(bad.value).fieldViolations,
  };
}

describe('an error of what the caller sent', () => {
  it.each(['x', '\u{1f600}', 'é'])(
    "error details fit into headers however long the caller's values were (%s)",
    (character) => {
      const long = character.repeat(300_000);
      const details = Object.fromEntries(Array.from({ length: 20 }, (_, i) => [`${i}${long}`, long]));
      for (const error of [
        new AuthzError('INVALID_POLICY', `policy \`${long}\``, { details }),
        new AuthzError('INVALID_CONTEXT', 'keys', { field: `context.${long}` }),
      ]) {
        const { bytes, message, violations } = sent(error);
        expect(bytes).toBeLessThan(HEADERS_MAX);
        expect(message.isWellFormed()).toBe(true);
        expect(violations.length).toBeGreaterThan(0);
        expect(violations.every(({ field }) => field.endsWith('…') && field.isWellFormed())).toBe(true);
      }
    },
  );

  it('error details hold as many violations as there is room for', () => {
    const details = Object.fromEntries(Array.from({ length: 20 }, (_, i) => [`field ${i}`, 'what is wrong']));
    const { message, violations } = sent(new AuthzError('INVALID_POLICY', 'y'.repeat(512), { details }));
    expect(message).toBe('y'.repeat(512));
    expect(violations).toHaveLength(20);
  });
});
