import { objectUri } from '@platform/decide/object-uri';
import { AuthzError } from '@platform/error-contracts';
import { z } from 'zod';
import type { RequestContext } from '../policy/types.ts';
import {
  Action,
  checkOf,
  entitiesOf,
  Name,
  Properties,
  Resource,
  settleOwner,
  Subject,
  subjectOf,
} from './authzen.ts';

/*
 * The Search APIs of AuthZEN 1.0 (§8) over ours: what is searched for lacks its id, and the context is that
 * of the evaluation with it. Resources are those of the tenant's root domain below `<type>/`.
 */

const Page = z.object({ token: z.string().optional(), limit: z.number().int().min(0).optional() }).optional();
/** An id that is sent is ignored (§8.4.1). */
const Searched = z.object({ type: Name, properties: Properties });

export const SubjectSearch = z.object({
  subject: Searched,
  action: Action,
  resource: Resource,
  context: Properties,
  page: Page,
});
export const ResourceSearch = z.object({
  subject: Subject,
  action: Action,
  resource: Searched,
  context: Properties,
  page: Page,
});
export const ActionSearch = z.object({
  subject: Subject,
  resource: Resource,
  context: Properties,
  page: Page,
});

/** Largest page; a caller who asks for more gets this many. */
const LIMIT_MAX = 1_000;
/** Stands for what is searched for. */
const ANY = '-';
const SEGMENT_RULES =
  'one segment of a path: not `.` or `..`, without `/`, `%` and control characters, in NFC';
/** Attributes that entities have by their names. */
const DERIVED: ReadonlySet<string> = new Set(['subject.type', 'resource.type', 'resource.id']);

interface SearchOf {
  readonly settle: typeof settleOwner;
  readonly context: RequestContext;
  readonly derived: RequestContext;
  readonly page: { readonly pageSize?: number; readonly pageToken?: string; readonly tokenField: string };
}

function searchOf(
  evaluation: Parameters<typeof checkOf>[0],
  page: z.output<typeof Page>,
  rootDomainId: string,
  omitted: readonly string[],
): SearchOf {
  // The owner follows from the properties, of which some are those of what is found.
  const left = [...omitted, 'owner'];
  const entries = [...checkOf(evaluation, rootDomainId)].filter(([key]) => !left.includes(key));
  return {
    settle: settleOwner,
    context: new Map(entries.filter(([key]) => !DERIVED.has(key))),
    derived: new Map(entries.filter(([key]) => DERIVED.has(key))),
    page: {
      ...(page?.limit === undefined ? {} : { pageSize: Math.min(page.limit, LIMIT_MAX) }),
      ...(page?.token === undefined ? {} : { pageToken: page.token }),
      tokenField: 'page.token',
    },
  };
}

/** The search for subjects that a body asks for. Throws INVALID_CONTEXT and INVALID_OBJECT_URI. */
export function subjectSearchOf(body: z.output<typeof SubjectSearch>, rootDomainId: string) {
  const { page, subject, ...rest } = body;
  const { type } = subject;
  return {
    ...searchOf({ ...rest, subject: { ...subject, id: ANY } }, page, rootDomainId, ['subject']),
    describe: (name: string) => (subjectIdOf(name, type) === null ? null : new Map()),
    type,
  };
}

/** The search for resources that a body asks for. Throws INVALID_CONTEXT and INVALID_OBJECT_URI. */
export function resourceSearchOf(body: z.output<typeof ResourceSearch>, rootDomainId: string) {
  const { page, resource, ...rest } = body;
  const object = objectUri(rootDomainId, resource.type);
  if (object === null)
    throw new AuthzError('INVALID_OBJECT_URI', `\`resource.type\` must be ${SEGMENT_RULES}`, {
      field: 'resource.type',
    });
  const evaluation = { ...rest, resource: { ...resource, type: ANY, id: ANY } };
  return {
    ...searchOf(evaluation, page, rootDomainId, ['object', 'resource.type', 'resource.id']),
    domainId: rootDomainId,
    prefix: `${object.slice(objectStart(rootDomainId).length)}/`,
    describe: (name: string) => new Map(Object.entries(entitiesOf(entityOfObject(name)))),
  };
}

/** The search for actions that a body asks for. Throws INVALID_CONTEXT and INVALID_OBJECT_URI. */
export function actionSearchOf(body: z.output<typeof ActionSearch>, rootDomainId: string) {
  const { page, ...rest } = body;
  return searchOf({ ...rest, action: { name: ANY } }, page, rootDomainId, ['action']);
}

/**
 * The id that makes `subjectOf({ type, id })` this subject of checks; null where the type has none that does.
 * Every subject is a `user`, and `team:x` is the `team` `x` as well.
 */
export function subjectIdOf(name: string, type: string): string | null {
  const start = subjectOf({ type, id: '' });
  return name.startsWith(start) && name !== start ? name.slice(start.length) : null;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The object of checks as AuthZEN names it. */
export function entityOfObject(object: string): { readonly type: string; readonly id: string } {
  const [type = '', ...id] = object.split('/').slice(3).map(decode);
  return { type, id: id.join('/') };
}

function objectStart(domainId: string): string {
  return `svc://${domainId}/`;
}
