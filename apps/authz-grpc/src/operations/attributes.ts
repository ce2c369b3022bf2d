import { AuthzError } from '@platform/error-contracts';
import type { Caller } from '../admission/caller.ts';
import { CALLS, freed, type Call } from '../admission/calls.ts';
import { permitAnyone, permitOnTenant, permitSelf } from '../admission/permit.ts';
import type { Deps } from '../ports.ts';
import { entityKey } from '../model/entities.ts';
import { readName, readText } from '../fields.ts';

type AttributeDeps = Pick<Deps, 'admission' | 'stores'>;
type AttributeWriteDeps = AttributeDeps & Pick<Deps, 'write'>;

/** They join every context of the user's checks, whose limits they share. */
export const ATTRIBUTE_VALUES_MAX = 128;
export const ATTRIBUTE_KEYS_MAX = 32;
/** UTF-8 bytes of one value. Values are in an index, whose entries hold no more. */
export const ATTRIBUTE_BYTES_MAX = 2_048;

/**
 * Adds values and keeps existing ones. Throws TENANT_REQUIRED, ACCESS_DENIED, USER_NOT_FOUND,
 * INVALID_ARGUMENT, limits.
 */
export async function setUserAttribute(
  deps: AttributeWriteDeps,
  caller: Caller,
  input: { readonly userId: string; readonly key: string; readonly values: readonly string[] },
): Promise<void> {
  const tenantId = await permit(deps, caller, CALLS.SetUserAttribute, 'update', input.userId);
  const key = readName(input.key, 'attribute_key');
  if (input.values.length === 0) throw refuse('no values to add');
  for (const value of input.values) {
    if (Buffer.byteLength(readText(value, 'attribute_values')) > ATTRIBUTE_BYTES_MAX) {
      throw refuse(`a value of more than ${ATTRIBUTE_BYTES_MAX} bytes`);
    }
  }
  await deps.write(async ({ tenants, attributes }, touch) => {
    await tenants.lock(tenantId);
    // The association stays until the attributes are there, so that its end takes them along.
    if (!(await tenants.lockMember(tenantId, input.userId))) throw userNotFound();
    await attributes.add(tenantId, input.userId, key, [...new Set(input.values)]);
    const { keys, values } = await attributes.count(tenantId, input.userId);
    if (keys > ATTRIBUTE_KEYS_MAX) throw refuse(`more than ${ATTRIBUTE_KEYS_MAX} keys of one user`);
    if (values > ATTRIBUTE_VALUES_MAX) throw refuse(`more than ${ATTRIBUTE_VALUES_MAX} values of one user`);
    touch(entityKey('subject', input.userId));
  });
}

/** Removes the values given; all of the key when none are. Throws as `setUserAttribute`. */
export async function removeUserAttribute(
  deps: AttributeWriteDeps,
  caller: Caller,
  input: { readonly userId: string; readonly key: string; readonly values: readonly string[] },
): Promise<void> {
  const tenantId = await permit(deps, caller, CALLS.RemoveUserAttribute, 'update', input.userId);
  readText(input.key, 'attribute_key');
  for (const value of input.values) readText(value, 'attribute_values');
  await deps.write(async ({ attributes }, touch) => {
    await attributes.removeValues(tenantId, input.userId, input.key, input.values);
    touch(entityKey('subject', input.userId));
  });
}

/** Values by key, in order. Users may read their own. Throws TENANT_REQUIRED, ACCESS_DENIED, limits. */
export async function getUserAttributes(
  deps: AttributeDeps,
  caller: Caller,
  userId: string,
): Promise<Map<string, string[]>> {
  const tenantId = await permit(deps, caller, CALLS.GetUserAttributes, 'read', userId);
  return deps.stores.attributes.list(tenantId, userId);
}

/** Throws as `setUserAttribute`. */
export async function clearUserAttributes(
  deps: AttributeWriteDeps,
  caller: Caller,
  userId: string,
): Promise<void> {
  const tenantId = await permit(deps, caller, CALLS.ClearUserAttributes, 'update', userId);
  await deps.write(async ({ attributes }, touch) => {
    await attributes.clear(tenantId, userId);
    touch(entityKey('subject', userId));
  });
}

/** Attributes belong to a user within one tenant: a tenant's admin must not decide in another tenant. */
async function permit(
  deps: AttributeDeps,
  caller: Caller,
  call: Call,
  action: 'read' | 'update',
  userId: string,
): Promise<string> {
  if (caller.tenantId === null) {
    await permitAnyone(deps, caller, freed(call));
    throw new AuthzError('TENANT_REQUIRED', 'the token carries no tenant');
  }
  if (action === 'read' && caller.subjectId === userId) await permitSelf(deps, caller, call, userId);
  else
    await permitOnTenant(deps, caller, call, caller.tenantId, { action, path: `users/${userId}/attributes` });
  return caller.tenantId;
}

function refuse(message: string): AuthzError {
  return new AuthzError('INVALID_ARGUMENT', message, { field: 'attribute_values' });
}

function userNotFound(): AuthzError {
  return new AuthzError('USER_NOT_FOUND', 'no such user in the tenant');
}
