import { AuthzError } from '@platform/error-contracts';
import {
  EvaluationEngine,
  type Policy as PolicyMessage,
  type RequestValue,
} from '@platform/proto/authz/v1/policy';
import type { Engine, Policy, RequestContext, UncheckedPolicy } from '../policy/types.ts';

const ENGINE_NUMBER = {
  fixed: EvaluationEngine.FIXED,
  prefix: EvaluationEngine.PREFIX,
  regex: EvaluationEngine.REGEX,
  glob: EvaluationEngine.GLOB,
} as const satisfies Record<Engine, EvaluationEngine>;

const ENGINE_NAME = new Map<number, UncheckedPolicy['engine']>([
  ...Object.entries(ENGINE_NUMBER).map(([name, number]): [number, string] => [number, name]),
  [EvaluationEngine.UNSPECIFIED, 'unspecified'],
  [EvaluationEngine.FIRST_ORDER_LOGIC, 'first_order_logic'],
]);

/**
 * A policy as it was sent; an engine number nobody knows becomes a name nobody knows, which validation
 * refuses.
 */
export function policyOf(message: PolicyMessage): UncheckedPolicy {
  return {
    name: message.name,
    description: message.description,
    invert: message.invert,
    deny: message.deny,
    engine: ENGINE_NAME.get(message.engine) ?? `engine ${String(message.engine)}`,
    statements: message.statements.map(({ rules }) => ({ rules: Object.fromEntries(rules) })),
  };
}

export function messageOf(policy: Policy): PolicyMessage {
  return {
    name: policy.name,
    description: policy.description,
    invert: policy.invert,
    deny: policy.deny,
    engine: ENGINE_NUMBER[policy.engine],
    statements: policy.statements.map(({ rules }) => ({ rules: new Map(Object.entries(rules)) })),
  };
}

/** The context of a check. Throws INVALID_CONTEXT for a value that is neither one text nor several. */
export function contextOf(message: ReadonlyMap<string, RequestValue>): RequestContext {
  const context = new Map<string, string | readonly string[]>();
  for (const [key, { value }] of message) {
    if (value === undefined) {
      throw new AuthzError('INVALID_CONTEXT', `\`context.${key}\` must be single or multiple`, {
        field: `context.${key}`,
      });
    }
    context.set(key, value.$case === 'single' ? value.value : value.value.values);
  }
  return context;
}

/** A context as the contract has it. */
export function contextMessage(context: RequestContext): Map<string, RequestValue> {
  return new Map(
    [...context].map(([key, value]): [string, RequestValue] => [
      key,
      typeof value === 'string'
        ? { value: { $case: 'single', value } }
        : { value: { $case: 'multiple', value: { values: [...value] } } },
    ]),
  );
}
