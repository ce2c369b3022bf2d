import { isUniqueViolation } from '@platform/database';
import { AuthzError } from '@platform/error-contracts';

/**
 * Awaits the statement. Throws NAME_TAKEN with the message, of the field, where it would make something
 * unique twice.
 */
export async function orNameTaken<T>(statement: Promise<T>, message: string, field = 'name'): Promise<T> {
  try {
    return await statement;
  } catch (error) {
    throw isUniqueViolation(error) ? new AuthzError('NAME_TAKEN', message, { field }) : error;
  }
}
