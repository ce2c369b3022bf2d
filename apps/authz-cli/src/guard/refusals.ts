import type { Verdict } from './decider.ts';
import type { RequestId } from './message.ts';
import type { Ask } from './needs.ts';

/** Codes of JSON-RPC errors; those of the guard are in the range for implementations. */
const CODE = { unparsable: -32700, invalid: -32600, refused: -32060, unavailable: -32061 } as const;

/** Why a message is not passed on, in words for its sender. */
export interface Refusal {
  readonly code: keyof typeof CODE;
  readonly text: string;
}

/**
 * The refusal of an ask that is not allowed: it names the permission, as the caller's own message implies it,
 * and nothing of policies, other callers or the server.
 */
export function refusalOf(
  verdict: Exclude<Verdict, { outcome: 'allowed' }>,
  { action, object }: Ask,
): Refusal {
  switch (verdict.outcome) {
    case 'denied': {
      const check = verdict.checkId === '' ? '' : ` (check ${verdict.checkId})`;
      return { code: 'refused', text: `not permitted: this needs \`${action}\` on \`${object}\`${check}` };
    }
    case 'unfit':
      return { code: 'refused', text: verdict.why };
    case 'credential':
      return { code: 'refused', text: 'the credential is missing or not live any more' };
    case 'limited': {
      const seconds = verdict.retryAfterSeconds;
      const when = seconds === null ? 'later' : `in ${Math.ceil(seconds)} s`;
      return { code: 'unavailable', text: `the rate or quota is used up: try again ${when}` };
    }
    case 'undecided':
      return { code: 'unavailable', text: 'whether this is permitted could not be decided: try again later' };
  }
}

/**
 * The response to a refused request: of a tool call a result that a model reads as the tool's error, of all
 * else an error of JSON-RPC.
 */
export function refusedResponse(id: RequestId | null, method: string | null, refusal: Refusal): string {
  if (method === 'tools/call' && refusal.code !== 'invalid') {
    const content = [{ type: 'text', text: refusal.text }];
    return JSON.stringify({ jsonrpc: '2.0', id, result: { content, isError: true, resultType: 'complete' } });
  }
  const error = { code: CODE[refusal.code], message: refusal.text };
  return JSON.stringify({ jsonrpc: '2.0', id, error });
}
