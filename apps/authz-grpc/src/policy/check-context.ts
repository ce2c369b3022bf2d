import {
  checkAttributes,
  ContextFault,
  readCheckContext as readContext,
  readValues as readSent,
  type CheckContext,
} from '@platform/decide';
import { AuthzError } from '@platform/error-contracts';
import type { RequestContext } from './types.ts';

export {
  CONTEXT_BYTES_MAX,
  CONTEXT_KEYS_MAX,
  CONTEXT_VALUES_MAX,
  USER_ATTRIBUTE_PREFIX,
  type CheckContext,
} from '@platform/decide';

/**
 * Checks a context as it came over the wire (AUTHZ decisions "Context limits"). Throws INVALID_CONTEXT or
 * INVALID_OBJECT_URI naming the key at fault.
 */
export function readCheckContext(values: RequestContext): CheckContext {
  return named(() => readContext(values));
}

/** A JSON object of texts and lists of texts. Throws INVALID_CONTEXT. */
export function readValues(sent: unknown): RequestContext {
  return named(() => readSent(sent));
}

/** Attributes that were sent with a decision, as the library refuses them. Throws INVALID_CONTEXT. */
export function readAttributes(sent: unknown): RequestContext {
  return named(() => {
    const values = readSent(sent, 'attributes');
    checkAttributes(values);
    return values;
  });
}

/** What `read` returns, with its ContextFault as an AuthzError. */
function named<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof ContextFault)) throw error;
    throw new AuthzError(error.reason, error.message, { field: error.field });
  }
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const UUID_LENGTH = 36;

/**
 * The UUID that the text spells in another way than in lower case, as which checks refuse the subject where
 * it is the id of an account; null for any other text.
 */
export function respelledUuid(text: string): string | null {
  const spelled = text.length === UUID_LENGTH ? text.toLowerCase() : text;
  return spelled !== text && UUID.test(spelled) ? spelled : null;
}
