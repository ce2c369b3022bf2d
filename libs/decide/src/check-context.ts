import { canonicalObject, domainOfObject, whatNoObjectHolds } from './object-uri.ts';
import type { RequestContext } from './types.ts';

/**
 * The prefix under which a subject's stored attributes stand in a context; requests may not name such keys.
 */
export const USER_ATTRIBUTE_PREFIX = 'user.';

export const CONTEXT_KEYS_MAX = 64;
export const CONTEXT_VALUES_MAX = 256;
/** UTF-8 bytes of all keys and values. */
export const CONTEXT_BYTES_MAX = 32 * 1024;

/** A context that holds what a check needs. */
export interface CheckContext {
  readonly values: RequestContext;
  readonly subject: string;
  readonly action: string;
  readonly object: string;
  /** The domain that `object` names. */
  readonly domainId: string;
}

/** Why a context is none that a check takes: the field at fault, and a sentence for the caller. */
export class ContextFault extends Error {
  readonly reason: 'INVALID_CONTEXT' | 'INVALID_OBJECT_URI';
  readonly field: string;

  constructor(reason: ContextFault['reason'], message: string, field: string) {
    super(message);
    this.reason = reason;
    this.field = field;
  }
}

/** What a caller sends of a request: the words that errors name it by. */
type Part = 'context' | 'attributes';

/**
 * A copy of what a caller without types sent, which later changes of what was sent do not reach. Throws
 * ContextFault for anything but an object of texts and lists of texts.
 */
export function readValues(sent: unknown, part: Part = 'context'): Map<string, string | readonly string[]> {
  // A Map or a Date has no keys of its own: what is in it would be passed over.
  if (Object.prototype.toString.call(sent) !== '[object Object]')
    throw contextInvalid(`\`${part}\` must be an object`, part);
  const values = new Map<string, string | readonly string[]>();
  for (const key of Object.keys(sent as object)) {
    const value = (sent as Record<string, unknown>)[key];
    const copy: unknown = Array.isArray(value) ? [...(value as unknown[])] : value;
    if (typeof copy !== 'string' && !(Array.isArray(copy) && copy.every((item) => typeof item === 'string')))
      throw contextInvalid(`\`${part}.${key}\` must be a text or a list of texts`, `${part}.${key}`);
    values.set(key, copy);
  }
  return values;
}

/**
 * Checks attributes of a subject that come with a request: their limits are those of a context. Throws
 * ContextFault with the key at fault.
 */
export function checkAttributes(values: RequestContext): void {
  checkLimits(values, 'attributes');
}

/**
 * Checks a context as it came (AUTHZ decisions "Context limits"). Throws ContextFault with the key at fault.
 */
export function readCheckContext(values: RequestContext): CheckContext {
  checkLimits(values, 'context');
  const object = readSingle(values, 'object');
  const domainId = domainOfObject(object);
  if (domainId === null) throw objectInvalid(object);
  return {
    values,
    subject: readSingle(values, 'subject'),
    action: readSingle(values, 'action'),
    object,
    domainId,
  };
}

function checkLimits(values: RequestContext, part: Part): void {
  if (values.size > CONTEXT_KEYS_MAX)
    throw contextInvalid(`\`${part}\` has more than ${CONTEXT_KEYS_MAX} keys`, part);
  let count = 0;
  let units = 0;
  for (const [key, value] of values) {
    if (key.startsWith(USER_ATTRIBUTE_PREFIX)) throw keyReserved(key, part);
    units += key.length;
    if (!key.isWellFormed()) throw contextInvalid(`a key of \`${part}\` is not valid Unicode`, part);
    if (typeof value === 'string') {
      count += 1;
      units += value.length;
      if (!value.isWellFormed()) throw valueMalformed(key, part);
      continue;
    }
    if (value.length === 0)
      throw contextInvalid(
        `\`${part}.${key}\` is an empty list: give a value or leave the key out`,
        `${part}.${key}`,
      );
    count += value.length;
    for (const item of value) {
      units += item.length;
      if (!item.isWellFormed()) throw valueMalformed(key, part);
    }
  }
  if (count > CONTEXT_VALUES_MAX)
    throw contextInvalid(`\`${part}\` has more than ${CONTEXT_VALUES_MAX} values`, part);
  // A UTF-16 unit takes three bytes at most.
  if (units * 3 > CONTEXT_BYTES_MAX && countBytes(values) > CONTEXT_BYTES_MAX)
    throw contextInvalid(`\`${part}\` is larger than ${CONTEXT_BYTES_MAX} bytes`, part);
}

function keyReserved(key: string, part: Part): ContextFault {
  const why =
    part === 'context'
      ? `those that start with \`${USER_ATTRIBUTE_PREFIX}\` are the stored attributes'`
      : `policies name it \`${key}\`, attributes leave \`${USER_ATTRIBUTE_PREFIX}\` out`;
  return contextInvalid(`\`${part}.${key}\` must have another name: ${why}`, `${part}.${key}`);
}

function valueMalformed(key: string, part: Part): ContextFault {
  return contextInvalid(`\`${part}.${key}\` is not valid Unicode`, `${part}.${key}`);
}

function countBytes(values: RequestContext): number {
  const encoder = new TextEncoder();
  let bytes = 0;
  for (const each of [...values].flat(2)) bytes += encoder.encode(each).length;
  return bytes;
}

function readSingle(values: RequestContext, key: 'subject' | 'action' | 'object'): string {
  const value = values.get(key);
  if (typeof value !== 'string' || value === '') {
    throw contextInvalid(`\`${key}\` is missing or not one non-empty text`, `context.${key}`);
  }
  // Postgres text cannot hold it, and the audit row must say what was asked.
  if (value.includes('\0')) throw contextInvalid(`\`${key}\` holds a NUL character`, `context.${key}`);
  return value;
}

/**
 * Names the spelling that is accepted, where there is one: else the caller would have to find out by trying.
 */
function objectInvalid(object: string): ContextFault {
  const canonical = canonicalObject(object);
  const problem =
    canonical === null
      ? (whatNoObjectHolds(object) ??
        'must be `svc://<domain uuid>/<path>`: the uuid without a port, and a path with at least one segment that is neither empty nor `.` or `..`')
      : `must be spelled \`${canonical}\``;
  const message = `\`object\` ${problem}`;
  return new ContextFault('INVALID_OBJECT_URI', message, 'context.object');
}

function contextInvalid(message: string, field: string): ContextFault {
  return new ContextFault('INVALID_CONTEXT', message, field);
}
