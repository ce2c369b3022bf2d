import type { Bundle } from './bundle.ts';
import {
  checkAttributes,
  ContextFault,
  readCheckContext,
  readValues,
  USER_ATTRIBUTE_PREFIX,
} from './check-context.ts';
import { compilePolicySet, type CompileOptions } from './compile.ts';
import type { CompiledPolicySet, PolicyRef, RequestContext } from './types.ts';

/** What a check is asked about: `subject`, `action`, `object` and whatever else policies name. */
export type Attributes = Readonly<Record<string, string | readonly string[]>>;

/** What a check came to. */
export interface Verdict {
  readonly allowed: boolean;
  /** The policy that decided; null where none matched, and where the check was not decided. */
  readonly matched: PolicyRef | null;
  /** Why the check was not decided, and so not allowed; null for a decision. */
  readonly refused: Refusal | null;
}

export interface Refusal {
  /**
   * `invalid_context`: no check takes it. `other_domain`: the object is of a domain that the bundle is not
   * of. `attributes_missing`: policies name attributes of subjects, and none were given. `problem`: a policy
   * cannot be evaluated. `no_bundle`: there is no bundle that holds. `unrecorded`: decisions cannot be
   * recorded.
   */
  readonly code:
    'invalid_context' | 'other_domain' | 'attributes_missing' | 'problem' | 'no_bundle' | 'unrecorded';
  readonly message: string;
}

/** A bundle made ready to decide. */
export interface BundlePolicies {
  readonly bundle: Bundle;
  /** Versions of the domains that decide, by id. */
  readonly versions: ReadonlyMap<string, number>;
  /**
   * Decides one check as the service would. `attributes` are those that the service keeps of the subject; a
   * bundle has none. They must be given, if only as `{}`, where policies name any: a deny that names one
   * would else be passed. Never throws.
   */
  check(context: Attributes, attributes?: Attributes): Verdict;
  /** Lets go of its regexes; after it every check is refused. */
  free(): void;
}

/** Whether the policies of a bundle have a REGEX, so that `compileBundle` needs what runs them. */
export function needsRegexes({ domains }: Bundle): boolean {
  return domains.some(({ policies }) => policies.some(({ engine }) => engine === 'regex'));
}

/** Makes a verified bundle ready. Never throws: what cannot be evaluated refuses every check. */
export function compileBundle(bundle: Bundle, options: CompileOptions = {}): BundlePolicies {
  const set = compilePolicySet(
    bundle.domains
      .filter(({ policies }) => policies.length > 0)
      .map(({ id, version, policies }) => ({
        domainId: id,
        version,
        policies: policies.map((policy) => ({ ...policy, description: '' })),
      })),
    options,
  );
  const usesAttributes = bundle.domains.some(({ policies }) =>
    policies.some(({ statements }) =>
      statements.some(({ rules }) => Object.keys(rules).some((key) => key.startsWith(USER_ATTRIBUTE_PREFIX))),
    ),
  );
  return {
    bundle,
    versions: new Map(bundle.domains.map(({ id, version }) => [id, version])),
    check: (context, attributes) => decide(bundle, set, usesAttributes, context, attributes),
    free: () => set.free(),
  };
}

/** A verdict without a decision. */
export function refuse(code: Refusal['code'], message: string): Verdict {
  return { allowed: false, matched: null, refused: { code, message } };
}

/** Another spelling of a subject's id would pass the policies that name it. */
const UUID_IN_ANY_CASE = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

function decide(
  bundle: Bundle,
  set: CompiledPolicySet,
  usesAttributes: boolean,
  sent: Attributes,
  attributes: Attributes | undefined,
): Verdict {
  let values: Map<string, string | readonly string[]>;
  try {
    values = readValues(sent);
    const { domainId, subject } = readCheckContext(values);
    if (domainId !== bundle.domain_id)
      return refuse('other_domain', `the bundle is of the domain ${bundle.domain_id}`);
    if (subject.length === 36 && UUID_IN_ANY_CASE.test(subject) && subject !== subject.toLowerCase())
      return refuse('invalid_context', `\`subject\` must be spelled \`${subject.toLowerCase()}\``);
    if (attributes !== undefined) {
      const known = readValues(attributes, 'attributes');
      checkAttributes(known);
      for (const [key, value] of known) values.set(USER_ATTRIBUTE_PREFIX + key, [value].flat());
    } else if (usesAttributes)
      return refuse('attributes_missing', 'policies name attributes of the subject: give them, or `{}`');
  } catch (error) {
    if (error instanceof ContextFault) return refuse('invalid_context', error.message);
    return refuse('invalid_context', 'the context or the attributes cannot be read');
  }
  return evaluate(set, values);
}

function evaluate(set: CompiledPolicySet, context: RequestContext): Verdict {
  const { allowed, matched, problems } = set.evaluate(context);
  const [problem] = problems;
  if (problem !== undefined) return refuse('problem', `policy \`${problem.policy}\`: ${problem.message}`);
  return { allowed, matched, refused: null };
}
