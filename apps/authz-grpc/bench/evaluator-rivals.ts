import * as cedar from '@cedar-policy/cedar-wasm/nodejs';
import { createMongoAbility, subject as asSubject, type MongoAbility } from '@casl/ability';
import { newCachedEnforcer, newModelFromString } from 'casbin';
import type { Grant, Request } from './evaluator-fixtures.ts';

/** Another engine with the same policies loaded, as its documentation says it is fastest. */
export interface Rival {
  readonly name: string;
  /** Prepares request `i` outside the clock; the function returned asks it. */
  prepare(request: Request): () => boolean | Promise<boolean>;
}

const CASBIN_MODEL = `
[request_definition]
r = sub, act, obj
[policy_definition]
p = sub, act, obj, kind, eft
[policy_effect]
e = some(where (p.eft == allow)) && !some(where (p.eft == deny))
[matchers]
m = r.sub == p.sub && r.act == p.act && (r.obj == p.obj || p.kind == "prefix" && startsWith(r.obj, p.obj))
`;

/** The cached enforcer; its cache is emptied before each call, for two checks are rarely the same. */
export async function loadCasbin(grants: readonly Grant[]): Promise<Rival> {
  const enforcer = await newCachedEnforcer(newModelFromString(CASBIN_MODEL));
  await enforcer.addFunction('startsWith', (value: string, prefix: string) => value.startsWith(prefix));
  await enforcer.addPolicies(
    grants.map(({ subject, action, object, engine, deny }) => [
      subject,
      action,
      object,
      engine,
      deny ? 'deny' : 'allow',
    ]),
  );
  return {
    name: 'casbin',
    prepare({ subject, action, object }) {
      enforcer.invalidateCache();
      return () => enforcer.enforce(subject, action, object);
    },
  };
}

/** Policies parsed once and kept in WebAssembly, the scope of each as narrow as it can be. */
export function loadCedar(grants: readonly Grant[]): Rival {
  const id = `grants-${grants.length}`;
  const text = grants.map(({ subject, action, object, engine, deny }) => {
    const resource = engine === 'fixed' ? `resource == Doc::${JSON.stringify(object)}` : 'resource';
    const when = engine === 'fixed' ? '' : ` when { context.object like ${JSON.stringify(`${object}*`)} }`;
    return `${deny ? 'forbid' : 'permit'}(principal == User::${JSON.stringify(subject)}, action == Action::${JSON.stringify(action)}, ${resource})${when};`;
  });
  const parsed = cedar.preparsePolicySet(id, { staticPolicies: text.join('\n') });
  if (parsed.type !== 'success') throw new Error(JSON.stringify(parsed.errors));
  return {
    name: 'cedar-wasm',
    prepare({ subject, action, object }) {
      const call = {
        principal: { type: 'User', id: subject },
        action: { type: 'Action', id: action },
        resource: { type: 'Doc', id: object },
        context: { object },
        preparsedPolicySetId: id,
        entities: [],
      };
      return () => {
        const answer = cedar.statefulIsAuthorized(call);
        if (answer.type !== 'success') throw new Error(JSON.stringify(answer.errors));
        return answer.response.decision === 'allow';
      };
    },
  };
}

/** One ability per user, built beforehand from that user's policies alone: the search by user is done. */
export function loadCasl(grants: readonly Grant[]): Rival {
  const rulesOf = new Map<string, Grant[]>();
  for (const grant of grants) rulesOf.set(grant.subject, [...(rulesOf.get(grant.subject) ?? []), grant]);
  const abilities = new Map<string, MongoAbility>();
  return {
    name: 'casl',
    prepare({ subject, action, object }) {
      let ability = abilities.get(subject);
      if (ability === undefined) {
        // Later rules override earlier ones, so the denies come last.
        const own = [...(rulesOf.get(subject) ?? [])].sort((a, b) => Number(a.deny) - Number(b.deny));
        ability = createMongoAbility(
          own.map((grant) => ({
            action: grant.action,
            subject: 'Doc',
            inverted: grant.deny,
            conditions: { path: grant.engine === 'fixed' ? grant.object : { $regex: `^${grant.object}` } },
          })),
        );
        abilities.set(subject, ability);
      }
      const built = ability;
      const resource = asSubject('Doc', { path: object });
      return () => built.can(action, resource);
    },
  };
}
