import { ContextFault, readCheckContext as read, type CheckContext } from '@platform/decide';
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
  try {
    return read(values);
  } catch (error) {
    if (!(error instanceof ContextFault)) throw error;
    throw new AuthzError(error.reason, error.message, { field: error.field });
  }
}
