import { DomainError } from '@platform/error-contracts';
import type { Policies } from './policies.ts';
import { allowedPrefixes, type Action, type Filenames, type Scope } from '../rules/scopes.ts';

/** The subject that a credential speaks for. */
export interface Caller {
  /** The tenant whose documents and keys these are. */
  readonly owner: string;
  /** The credential itself, by which rates are counted and responses replayed: a key's or a user's id. */
  readonly subject: string;
  readonly scopes: readonly Scope[];
  /** null = never. */
  readonly expiresAt: Date | null;
  /** The scope of a platform credential without which it may do nothing here; absent = it has it. */
  readonly missingScope?: string;
  /** Why a platform credential manages no keys of the store; absent for keys, whose scopes say it. */
  readonly keysRefusal?: string;
  /** Leases of authz-grpc that keys of this caller's making or rotating end with; none = no such end. */
  readonly leases: readonly string[];
  /** Who keys of this caller are said to be made or rotated by; absent = `subject`, null = the operator. */
  readonly mintsAs?: string | null;
  /** What policies let the caller do; absent = the scopes alone decide. */
  readonly policies?: Policies;
}

/** Throws `permission_denied` for a platform credential that was made for other services alone. */
export function requireService({ missingScope }: Caller): void {
  if (missingScope === undefined) return;
  throw new DomainError('permission_denied', `the credential lacks the scope \`${missingScope}\``);
}

/**
 * Throws `permission_denied` when the caller's scopes do not allow `action` anywhere; which filenames they
 * reach is decided with each document.
 */
export function requireAction(caller: Caller, action: Action): void {
  if (allowedPrefixes(caller.scopes, action)?.length !== 0) return;
  const { keysRefusal } = caller;
  const isOfPlatform = action === 'key:manage' && keysRefusal !== undefined;
  const message = isOfPlatform ? keysRefusal : `the key lacks the scope \`${action}\``;
  throw new DomainError('permission_denied', message);
}

/**
 * What a document's filename must begin with to be listed by its scopes; null = anything. Throws as
 * `requireAction`.
 */
export function listedPrefixes(caller: Caller, action: Action): readonly string[] | null {
  requireAction(caller, action);
  return allowedPrefixes(caller.scopes, action);
}

/**
 * What a document must be called when it is written, so that one that was renamed meanwhile is refused: by
 * the prefixes of the scopes, or the filenames that policies were found to allow in this request; null = any.
 * Throws as `requireAction`.
 */
export function writtenNames(caller: Caller, action: Action): Filenames | null {
  const prefixes = listedPrefixes(caller, action);
  if (caller.policies !== undefined) return { exact: caller.policies.allowed(action), prefixes: [] };
  return prefixes === null ? null : { exact: [], prefixes };
}

/**
 * As `writtenNames`, of a document that gets the name `filename`: where the caller may read that, only what
 * they may read by its present name, for they could read all of it afterwards.
 */
export async function renamedNames(caller: Caller, filename: string): Promise<Filenames | null> {
  const written = writtenNames(caller, 'file:write');
  if (!(await mayTouch(caller, 'file:read', filename))) return written;
  const readable = writtenNames(caller, 'file:read');
  if (written === null || readable === null) return written ?? readable;
  const { exact } = readable;
  return {
    exact: written.exact.filter((name) => exact.includes(name)),
    prefixes: written.prefixes.flatMap((one) =>
      readable.prefixes.flatMap((other) =>
        one.startsWith(other) ? [one] : other.startsWith(one) ? [other] : [],
      ),
    ),
  };
}

/**
 * As `requireDocument`, for a document named `from` that gets the name `to`: where the caller may read `to`,
 * they must be allowed to read `from`, for they could read all of it afterwards.
 */
export async function requireRename(
  caller: Caller,
  from: string,
  to: string,
  absent: () => DomainError,
): Promise<void> {
  if (await mayTouch(caller, 'file:read', to)) await requireDocument(caller, 'file:read', from, absent);
}

/** Throws `permission_denied` unless the caller may do `action` to a document named `filename`. */
export async function requireFilename(caller: Caller, action: Action, filename: string): Promise<void> {
  if (await mayTouch(caller, action, filename)) return;
  throw new DomainError(
    'permission_denied',
    caller.policies === undefined
      ? `the key's scope \`${action}\` does not reach this filename`
      : caller.policies.canName(filename)
        ? `no policy allows \`${action}\` on this filename`
        : 'policies cannot name this filename: it holds `%`, begins or ends with `/`, has an empty part between slashes, or is not in Unicode form NFC',
  );
}

/** As `requireFilename`, and for a document that a policy hides from the caller the error `absent`. */
export async function requireDocument(
  caller: Caller,
  action: Action,
  filename: string,
  absent: () => DomainError,
): Promise<void> {
  if (await mayTouch(caller, action, filename)) return;
  if (caller.policies !== undefined && !(await mayTouch(caller, 'file:read', filename))) throw absent();
  await requireFilename(caller, action, filename);
}

/** Whether the caller may do `action` to a document named `filename`. */
export async function mayTouch(caller: Caller, action: Action, filename: string): Promise<boolean> {
  const [isAllowed] = await mayTouchAll(caller, action, [filename]);
  return isAllowed!;
}

/** The same for many filenames, by index. */
export async function mayTouchAll(
  caller: Caller,
  action: Action,
  filenames: readonly string[],
): Promise<boolean[]> {
  const prefixes = allowedPrefixes(caller.scopes, action);
  const isInScope = (filename: string) =>
    prefixes === null || prefixes.some((prefix) => filename.startsWith(prefix));
  if (caller.policies === undefined) return filenames.map(isInScope);
  const allowed = await caller.policies.areAllowed(action, filenames);
  return filenames.map((filename, index) => allowed[index]! && isInScope(filename));
}
