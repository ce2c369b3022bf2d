import {
  canonicalObject,
  domainOfObject,
  judgeObjectText,
  whatNoObjectHolds,
} from '@platform/decide/object-uri';
import { AuthzError, invalidField } from '@platform/error-contracts';
import type { Resource } from '../model/resource.ts';

/** Resources of one request. */
const RESOURCES_MAX = 1_000;
export const RESOURCE_KEYS_MAX = 16;
export const RESOURCE_VALUES_MAX = 64;
/** UTF-8 bytes of all keys and values. */
export const RESOURCE_BYTES_MAX = 4_096;
/** UTF-8 bytes of a path, which an index of the database has room for. */
export const PATH_BYTES_MAX = 1_024;

/** The resources of a request, all of one domain, each once. Throws INVALID_ARGUMENT, INVALID_OBJECT_URI. */
export function readResources(resources: readonly Resource[], domainId: string): readonly Resource[] {
  requireCount(resources, 'resources');
  const objects = new Set<string>();
  resources.forEach(({ object, attributes }, index) => {
    const place = `resources[${index}]`;
    readObject(object, domainId, `${place}.object`);
    if (objects.has(object)) throw invalidField(`${place}.object`, 'stands twice in the request');
    objects.add(object);
    readAttributes(attributes, `${place}.attributes`);
  });
  return resources;
}

/** Throws INVALID_ARGUMENT. */
export function requireCount(items: readonly unknown[], field: string): void {
  if (items.length > RESOURCES_MAX) throw invalidField(field, `must be at most ${RESOURCES_MAX}`);
}

/** Subjects or actions of a request. Throws INVALID_ARGUMENT. */
export function requireNames(names: readonly string[], field: string): void {
  requireCount(names, field);
  const bad = names.findIndex(
    (name) => !isText(name) || name === '' || Buffer.byteLength(name) > PATH_BYTES_MAX,
  );
  if (bad >= 0)
    throw invalidField(
      `${field}[${bad}]`,
      `must have 1 to ${PATH_BYTES_MAX} bytes of valid Unicode without NUL`,
    );
}

/** An object of the domain that can be registered. Throws INVALID_ARGUMENT, INVALID_OBJECT_URI. */
export function readObject(object: string, domainId: string, field: string): string {
  const start = `svc://${domainId}/`;
  if (domainOfObject(object) !== domainId) {
    const canonical = canonicalObject(object);
    const problem =
      canonical?.startsWith(start) === true
        ? `must be spelled \`${canonical}\``
        : (whatNoObjectHolds(object) ??
          `must be \`${start}<path>\`, without empty, \`.\` and \`..\` segments`);
    throw new AuthzError('INVALID_OBJECT_URI', `\`${field}\` ${problem}`, { field });
  }
  if (Buffer.byteLength(object) - start.length > PATH_BYTES_MAX)
    throw invalidField(field, `must have a path of at most ${PATH_BYTES_MAX} bytes`);
  return object;
}

/** What AuthZEN says about every resource. */
const DERIVED: ReadonlySet<string> = new Set(['resource.type', 'resource.id']);

function readAttributes(attributes: Resource['attributes'], field: string): void {
  let values = 0;
  let bytes = 0;
  for (const [key, value] of attributes) {
    const isNamed = key === 'owner' || (/^resource\../s.test(key) && !DERIVED.has(key));
    if (!isNamed || !isText(key)) {
      throw invalidField(
        field,
        `has \`${key.toWellFormed()}\`: names are \`owner\` and \`resource.<key>\`, except type and id`,
      );
    }
    const list = typeof value === 'string' ? [value] : value;
    if (list.length === 0 || !list.every(isText))
      throw invalidField(`${field}.${key}`, 'must be a text or texts of valid Unicode without NUL');
    values += list.length;
    bytes += [key, ...list].reduce((sum, text) => sum + Buffer.byteLength(text), 0);
  }
  if (attributes.size > RESOURCE_KEYS_MAX || values > RESOURCE_VALUES_MAX || bytes > RESOURCE_BYTES_MAX) {
    throw invalidField(
      field,
      `must be at most ${RESOURCE_KEYS_MAX}, with ${RESOURCE_VALUES_MAX} values and ${RESOURCE_BYTES_MAX} bytes together`,
    );
  }
}

/**
 * The start of paths of the domain; one that no path begins with would find nothing. Throws INVALID_ARGUMENT.
 */
export function readPrefix(prefix: string, domainId: string): string {
  if (!isText(prefix) || Buffer.byteLength(prefix) > PATH_BYTES_MAX)
    throw invalidField('prefix', `must have at most ${PATH_BYTES_MAX} bytes of valid Unicode without NUL`);
  const start = `svc://${domainId}/`;
  if (prefix.startsWith('svc:'))
    throw invalidField('prefix', `is not the start of a path: ${pathRemedy(prefix, start)}`);
  if (judgeObjectText(start + prefix, { start: true, end: false }) === 'part') return prefix;
  const canonical = canonicalObject(start + prefix);
  const end = prefix.endsWith('/') ? '/' : '';
  const unfit = whatNoObjectHolds(prefix);
  const remedy =
    canonical !== null
      ? `write \`${canonical.slice(start.length)}${end}\``
      : unfit === null
        ? 'segments are not empty, `.` or `..`'
        : `it ${unfit}`;
  throw invalidField('prefix', `is not the start of a path: ${remedy}`);
}

/** What to write in place of a whole URI, which is the domain's own where it begins with `start`. */
function pathRemedy(prefix: string, start: string): string {
  if (!prefix.startsWith(start)) return 'it is a path of the domain, without `svc://` and the id of a domain';
  return prefix === start ? 'leave it out' : `write \`${prefix.slice(start.length)}\``;
}

function isText(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0');
}
