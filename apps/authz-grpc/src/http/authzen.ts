import { objectUri } from '@platform/decide/object-uri';
import { AuthzError, describeIssue } from '@platform/error-contracts';
import { z } from 'zod';
import { CONTEXT_BYTES_MAX } from '../policy/check-context.ts';
import type { RequestContext } from '../policy/types.ts';

/**
 * AuthZEN Authorization API 1.0 over our checks. The context of a check is made of the entities: subject.id
 * → `subject`, action.name → `action`, resource → `object` `svc://<root domain>/<type>/<id>`, or the id
 * itself where it is an object URI. Properties that are texts, numbers, booleans or lists of them keep their
 * owner: `subject.<key>`, `action.<key>`, `resource.<key>`; those of the context are attributes of their own
 * names. `owner` of a resource, or else `ownerID`, is `owner` as well. Types and the resource's id are
 * `subject.type`, `resource.type` and `resource.id`.
 */

/** Any names: zod's own record leaves `__proto__` out. */
export const Properties = z
  .custom<Readonly<Record<string, unknown>>>(
    (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
    'must be an object',
  )
  .optional();
/** A name that a context could hold: what no check takes is not worked on. */
export const Name = z.string().min(1).max(CONTEXT_BYTES_MAX);
export const Subject = z.object({
  type: Name,
  id: Name.describe(
    'Policies, and checks by other ways, name the id of a `user` as it is, and `<type>:<id>` of other types.',
  ),
  properties: Properties,
});
export const Action = z.object({ name: Name, properties: Properties });
export const Resource = z.object({ type: Name, id: Name, properties: Properties });

/** Body of `/access/v1/evaluation`. */
export const Evaluation = z.object({
  subject: Subject,
  action: Action,
  resource: Resource,
  context: Properties,
});
export type Evaluation = z.output<typeof Evaluation>;

/** Body of `/access/v1/evaluations`: top-level members are the defaults of each item (AuthZEN 1.0 §7.1.1). */
export const Evaluations = z.object({
  subject: z.unknown().optional(),
  action: z.unknown().optional(),
  resource: z.unknown().optional(),
  context: z.unknown().optional(),
  evaluations: z.array(z.unknown()).optional(),
  options: z
    .object({
      evaluations_semantic: z
        .enum(['execute_all', 'deny_on_first_deny', 'permit_on_first_permit'])
        .default('execute_all'),
    })
    .optional(),
});

/**
 * Attributes that the entities alone say: a context that could say them would speak for the subject or the
 * resource.
 */
const OF_ENTITIES = /^(?:(?:subject|action|resource)(?:\..*)?|object|owner)$/s;

/** The check that an evaluation stands for. Throws INVALID_CONTEXT and INVALID_OBJECT_URI. */
export function checkOf(evaluation: Evaluation, rootDomainId: string): RequestContext {
  const { subject, action, resource, context = {} } = evaluation;
  const attributes = new Map<string, string | readonly string[]>();
  const add = (name: string, value: unknown) => {
    const attribute = attributeOf(value);
    if (attribute !== null) attributes.set(name, attribute);
  };
  for (const [name, value] of Object.entries(context)) {
    if (OF_ENTITIES.test(name)) {
      throw new AuthzError(
        'INVALID_CONTEXT',
        `\`context.${name}\` must have another name: subject, action and resource say what is theirs`,
        { field: `context.${name}` },
      );
    }
    add(name, value);
  }
  for (const [owner, { properties = {} }] of Object.entries({ subject, action, resource })) {
    for (const [name, value] of Object.entries(properties)) add(`${owner}.${name}`, value);
  }
  settleOwner(attributes);
  // Later ones win, so that no property takes the place of what is decided on.
  add('subject.type', subject.type);
  for (const [name, value] of Object.entries(entitiesOf(resource))) add(name, value);
  add('subject', subjectOf(subject));
  add('action', action.name);
  add('object', objectOf(resource, rootDomainId));
  return attributes;
}

/**
 * The property `owner` of a resource, or else `ownerID`, is the owner that policies know, and the owner that
 * a resource is registered with is its property: a search decides as the evaluation with those properties.
 */
export function settleOwner(attributes: Map<string, string | readonly string[]>): void {
  const registered = attributes.get('owner');
  if (registered !== undefined) attributes.set('resource.owner', registered);
  const owner = attributes.get('resource.owner') ?? attributes.get('resource.ownerID');
  if (owner !== undefined) attributes.set('owner', owner);
}

/** What a resource is called, as attributes. */
export function entitiesOf({ type, id }: { readonly type: string; readonly id: string }) {
  return { 'resource.type': type, 'resource.id': id };
}

/**
 * The user's id, whatever it looks like, so that a user is one subject by every way; `<type>:<id>` of others
 * (docs/decisions/0153-one-subject-over-all-ways.md).
 */
export function subjectOf({ type, id }: Pick<Evaluation['subject'], 'type' | 'id'>): string {
  return type === 'user' ? id : `${type.replaceAll(/[%:]/g, encodeURIComponent)}:${id}`;
}

/** The id's `/` part segments; the type is the first one, so that no two resources are one object. */
function objectOf({ type, id }: Evaluation['resource'], rootDomainId: string): string {
  if (id.startsWith('svc://')) return id;
  const object = objectUri(rootDomainId, type, ...id.split('/'));
  if (object !== null) return object;
  throw new AuthzError(
    'INVALID_OBJECT_URI',
    '`resource` must have a type without `/`, and an id without empty, `.` and `..` segments, both in NFC and without `%`',
    { field: 'resource' },
  );
}

/**
 * A property as attributes have it, which are texts: numbers and booleans are written out; objects and nulls
 * are none (null), each item of a list by itself: a deny must not miss one for what stands beside it.
 */
function attributeOf(value: unknown): string | readonly string[] | null {
  if (isPlain(value)) return String(value);
  if (!Array.isArray(value)) return null;
  const texts = value.filter(isPlain).map(String);
  return texts.length > 0 ? texts : null;
}

function isPlain(value: unknown): value is string | number | boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}

/** The evaluations of a body with the defaults filled in, or the INVALID_CONTEXT of those that are none. */
export function* evaluationsOf(body: z.output<typeof Evaluations>): Generator<Evaluation | AuthzError> {
  const { subject, action, resource, context } = body;
  for (const [index, item] of (body.evaluations ?? []).entries()) {
    const own = typeof item === 'object' ? item : null;
    const parsed = Evaluation.safeParse(own && { subject, action, resource, context, ...own }, {
      error: describeIssue,
    });
    const [issue] = parsed.error?.issues ?? [];
    const field = ['evaluations', index, ...(issue?.path ?? [])].join('.');
    yield parsed.success
      ? parsed.data
      : new AuthzError('INVALID_CONTEXT', `\`${field}\` ${issue?.message ?? 'is no evaluation'}`, { field });
  }
}
