import { AuthzError } from '@platform/error-contracts';
import { z } from 'zod';
import type { RequestContext } from '../policy/types.ts';
import { readContext } from './check.ts';

/**
 * AuthZEN Authorization API 1.0 over our checks. The context of a check is made of the entities:
 * subject.id → `subject`, action.name → `action`, resource → `object` `svc://<root domain>/<type>/<id>`, and every
 * property that is a text, a number, a boolean or a list of them → the attribute of its name; of one name the
 * subject's stands, else the action's, the resource's, the context's. `ownerID` of a resource is `owner`. The types
 * and the resource's id are `subject.type`, `resource.type` and `resource.id`.
 */

const Properties = z.record(z.string(), z.unknown()).optional();
const Subject = z.object({ type: z.string().min(1), id: z.string().min(1), properties: Properties });
const Action = z.object({ name: z.string().min(1), properties: Properties });
const Resource = z.object({ type: z.string().min(1), id: z.string().min(1), properties: Properties });
const Context = z.record(z.string(), z.unknown()).optional();

/** Body of `/access/v1/evaluation`. */
export const Evaluation = z.object({
  subject: Subject,
  action: Action,
  resource: Resource,
  context: Context,
});
export type Evaluation = z.output<typeof Evaluation>;

/** Body of `/access/v1/evaluations`: top-level members are the defaults of each item (AuthZEN 1.0 §7.1.1). */
export const Evaluations = z.object({
  subject: Subject.optional(),
  action: Action.optional(),
  resource: Resource.optional(),
  context: Context,
  evaluations: z.array(Evaluation.partial()).optional(),
  options: z
    .object({
      evaluations_semantic: z
        .enum(['execute_all', 'deny_on_first_deny', 'permit_on_first_permit'])
        .default('execute_all'),
    })
    .optional(),
});

/** The check that an evaluation stands for. Throws INVALID_CONTEXT. */
export function checkOf(evaluation: Evaluation, rootDomainId: string): RequestContext {
  const { subject, action, resource, context } = evaluation;
  const object = resource.id.startsWith('svc://')
    ? resource.id
    : `svc://${rootDomainId}/${resource.type}/${resource.id}`;
  const { ownerID: owner, ...resourceProperties } = resource.properties ?? {};
  // Later entries win, so that no property takes the place of what is decided on.
  return readContext({
    ...plain(context),
    ...plain(resourceProperties),
    ...(owner === undefined ? {} : plain({ owner })),
    ...plain(action.properties),
    ...plain(subject.properties),
    'subject.type': subject.type,
    'resource.type': resource.type,
    'resource.id': resource.id,
    subject: subject.id,
    action: action.name,
    object,
  });
}

/**
 * Attributes are texts: numbers and booleans are written out, objects and nulls are left out, each item of a list by
 * itself: a deny must not miss one for what stands beside it.
 */
function plain(properties: Record<string, unknown> | undefined): Record<string, string | string[]> {
  const attributes: Record<string, string | string[]> = {};
  for (const [key, value] of Object.entries(properties ?? {})) {
    if (isPlain(value)) attributes[key] = String(value);
    else if (Array.isArray(value)) {
      const texts = value.filter(isPlain).map(String);
      if (texts.length > 0) attributes[key] = texts;
    }
  }
  return attributes;
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
