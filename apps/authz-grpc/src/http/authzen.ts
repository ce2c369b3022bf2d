import { AuthzError } from '@platform/error-contracts';
import { z } from 'zod';
import type { RequestContext } from '../policy/types.ts';

/**
 * AuthZEN Authorization API 1.0 over our checks. The context of a check is made of the entities:
 * subject.id → `subject`, action.name → `action`, resource → `object` `svc://<root domain>/<type>/<id>`, `/` and `%` of
 * the type percent-encoded so that no two resources are one object, or the id itself where it is an object URI, and every
 * property that is a text, a number, a boolean or a list of them → the attribute of its name; of one name the
 * subject's stands, else the action's, the resource's, the context's. `ownerID` of a resource is `owner`. The types
 * and the resource's id are `subject.type`, `resource.type` and `resource.id`.
 */

/** Any names: zod's own record leaves `__proto__` out. */
const Properties = z
  .custom<Readonly<Record<string, unknown>>>(
    (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
    'must be an object',
  )
  .optional();
const Subject = z.object({ type: z.string().min(1), id: z.string().min(1), properties: Properties });
const Action = z.object({ name: z.string().min(1), properties: Properties });
const Resource = z.object({ type: z.string().min(1), id: z.string().min(1), properties: Properties });

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
  subject: Subject.optional(),
  action: Action.optional(),
  resource: Resource.optional(),
  context: Properties,
  evaluations: z.array(Evaluation.partial()).optional(),
  options: z
    .object({
      evaluations_semantic: z
        .enum(['execute_all', 'deny_on_first_deny', 'permit_on_first_permit'])
        .default('execute_all'),
    })
    .optional(),
});

/** The check that an evaluation stands for. */
export function checkOf(evaluation: Evaluation, rootDomainId: string): RequestContext {
  const { subject, action, resource, context } = evaluation;
  const attributes = new Map<string, string | readonly string[]>();
  const add = (name: string, value: unknown) => {
    const attribute = attributeOf(value);
    if (attribute !== null) attributes.set(name, attribute);
  };
  const addAll = (properties: Evaluation['context'] = {}) =>
    Object.entries(properties).forEach(([name, value]) => add(name, value));
  // Later ones win, so that no property takes the place of what is decided on.
  addAll(context);
  const { ownerID, ...resourceProperties } = resource.properties ?? {};
  addAll(resourceProperties);
  add('owner', ownerID);
  addAll(action.properties);
  addAll(subject.properties);
  add('subject.type', subject.type);
  add('resource.type', resource.type);
  add('resource.id', resource.id);
  add('subject', subject.id);
  add('action', action.name);
  add('object', objectOf(resource, rootDomainId));
  return attributes;
}

function objectOf({ type, id }: Evaluation['resource'], rootDomainId: string): string {
  if (id.startsWith('svc://')) return id;
  return `svc://${rootDomainId}/${type.replace(/[%/]/g, encodeURIComponent)}/${id}`;
}

/**
 * A property as attributes have it, which are texts: numbers and booleans are written out; objects and nulls are none
 * (null), each item of a list by itself: a deny must not miss one for what stands beside it.
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

/** The evaluations of a body with the defaults filled in. Throws INVALID_CONTEXT for one that is not complete. */
export function evaluationsOf(body: z.output<typeof Evaluations>): Evaluation[] {
  const { subject, action, resource, context } = body;
  return (body.evaluations ?? []).map((item, index) => {
    const parsed = Evaluation.safeParse({
      subject: item.subject ?? subject,
      action: item.action ?? action,
      resource: item.resource ?? resource,
      context: item.context ?? context,
    });
    if (parsed.success) return parsed.data;
    throw new AuthzError(
      'INVALID_CONTEXT',
      `\`evaluations[${index}]\` lacks its subject, action or resource`,
      {
        field: `evaluations[${index}]`,
      },
    );
  });
}
