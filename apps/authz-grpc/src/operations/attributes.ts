import { AuthzError, invalidField } from '@platform/error-contracts';
import type { Caller } from '../authorization/caller.ts';
import { CALLS, freed, type Call } from '../authorization/calls.ts';
import { groundsOfAccountChange, writeGuarded, type WriteWork } from '../authorization/lockout.ts';
import { authorizeAnyone, authorizeOnTenant, authorizeSelf } from '../authorization/authorize.ts';
import type { Deps } from '../ports.ts';
import { entityKey } from '../model/entities.ts';
import { readName, readText } from '../fields.ts';

type AttributeDeps = Pick<Deps, 'decisions' | 'stores'>;
type AttributeWriteDeps = AttributeDeps & Pick<Deps, 'write' | 'now'>;

/** They join every context of the user's checks, whose limits they share. */
const ATTRIBUTE_VALUES_MAX = 128;
const ATTRIBUTE_KEYS_MAX = 32;
/** UTF-8 bytes of one value: the most that an entry of the index on values holds. */
const ATTRIBUTE_BYTES_MAX = 2_048;

/**
 * Adds values and keeps existing ones. Throws TENANT_REQUIRED, ACCESS_DENIED, USER_NOT_FOUND,
 * INVALID_ARGUMENT, LOCKOUT when nobody could manage the tenant with them, limits.
 */
export async function setUserAttribute(
  deps: AttributeWriteDeps,
  caller: Caller,
  input: AttributeChange,
): Promise<void> {
  const tenantId = await permit(deps, caller, CALLS.SetUserAttribute, 'update', input.userId);
  const key = readName(input.key, 'attribute_key');
  const values = readAttributeValues(input.values, 'attribute_values');
  const change = (before: Attributes) =>
    new Map(before).set(key, [...new Set([...(before.get(key) ?? []), ...values])]);
  await writeAttributes(
    deps,
    caller,
    { ...input, tenantId, change },
    async ({ tenants, attributes }, touch) => {
      // The association stays until the attributes are there, so that its end takes them along.
      if (!(await tenants.lockMember(tenantId, input.userId))) throw userNotFound();
      await attributes.add(tenantId, input.userId, key, values);
      requireAttributeCount(await attributes.count(tenantId, input.userId), 'attribute_values');
      touch(entityKey('subject', input.userId));
    },
  );
}

/** Removes the values given; all of the key when none are. Throws as `setUserAttribute`. */
export async function removeUserAttribute(
  deps: AttributeWriteDeps,
  caller: Caller,
  input: AttributeChange,
): Promise<void> {
  const tenantId = await permit(deps, caller, CALLS.RemoveUserAttribute, 'update', input.userId);
  readText(input.key, 'attribute_key');
  for (const value of input.values) readText(value, 'attribute_values');
  const change = (before: Attributes) => {
    const kept = (before.get(input.key) ?? []).filter((value) => !input.values.includes(value));
    const after = new Map(before);
    if (input.values.length > 0 && kept.length > 0) after.set(input.key, kept);
    else after.delete(input.key);
    return after;
  };
  await writeAttributes(deps, caller, { ...input, tenantId, change }, async ({ attributes }, touch) => {
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
  options: { readonly allowLockout?: boolean | undefined } = {},
): Promise<void> {
  const tenantId = await permit(deps, caller, CALLS.ClearUserAttributes, 'update', userId);
  const change = () => new Map<string, string[]>();
  await writeAttributes(
    deps,
    caller,
    { ...options, userId, tenantId, change },
    async ({ attributes }, touch) => {
      await attributes.clear(tenantId, userId);
      touch(entityKey('subject', userId));
    },
  );
}

type Attributes = ReadonlyMap<string, readonly string[]>;

/** Values of one key of a user. */
interface AttributeChange {
  readonly userId: string;
  readonly key: string;
  readonly values: readonly string[];
  /** Writes them although nobody could manage the tenant afterwards. */
  readonly allowLockout?: boolean | undefined;
}

/**
 * Writes attributes unless the policies of the root domain let nobody manage the tenant under them. Throws
 * LOCKOUT.
 */
async function writeAttributes(
  deps: AttributeWriteDeps,
  caller: Caller,
  write: {
    readonly tenantId: string;
    readonly userId: string;
    readonly change: (before: Attributes) => Attributes;
    readonly allowLockout?: boolean | undefined;
  },
  work: WriteWork<void>,
): Promise<void> {
  const { tenantId, userId: accountId, change, allowLockout } = write;
  const find = async () =>
    allowLockout === true
      ? []
      : groundsOfAccountChange(deps, caller, { accountId, tenantIds: [tenantId], change });
  await writeGuarded(deps, [tenantId], find, work);
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
    await authorizeAnyone(deps, caller, freed(call));
    throw new AuthzError('TENANT_REQUIRED', 'the token carries no tenant');
  }
  if (action === 'read' && caller.subjectId === userId) await authorizeSelf(deps, caller, call, userId);
  else
    await authorizeOnTenant(deps, caller, call, caller.tenantId, {
      action,
      path: `users/${userId}/attributes`,
    });
  return caller.tenantId;
}

/** Values that an attribute of a user may have, each once. Throws INVALID_ARGUMENT naming the field. */
export function readAttributeValues(values: readonly string[], field: string): string[] {
  if (values.length === 0) throw invalidField(field, 'is empty: give a value');
  for (const value of values) {
    if (Buffer.byteLength(readText(value, field)) > ATTRIBUTE_BYTES_MAX)
      throw invalidField(field, `has a value of more than ${ATTRIBUTE_BYTES_MAX} bytes`);
  }
  return [...new Set(values)];
}

/** Throws INVALID_ARGUMENT naming the field for more than a user may have. */
export function requireAttributeCount(
  { keys, values }: { readonly keys: number; readonly values: number },
  field: string,
): void {
  if (keys > ATTRIBUTE_KEYS_MAX)
    throw invalidField(field, `makes more than ${ATTRIBUTE_KEYS_MAX} keys of one user`);
  if (values > ATTRIBUTE_VALUES_MAX)
    throw invalidField(field, `makes more than ${ATTRIBUTE_VALUES_MAX} values of one user`);
}

function userNotFound(): AuthzError {
  return new AuthzError('USER_NOT_FOUND', 'no such user in the tenant');
}
