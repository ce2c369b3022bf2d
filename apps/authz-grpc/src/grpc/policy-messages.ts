import type { ServiceDefinition } from '@grpc/grpc-js';
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

/** A service whose handlers write the responses of these methods, which hold a set of policies. */
export function withWritten<S extends ServiceDefinition, M extends keyof S>(
  service: S,
  methods: readonly M[],
): S {
  const written = methods.map((name) => [
    name,
    { ...service[name], responseSerialize: (bytes: Buffer) => bytes },
  ]);
  return { ...service, ...Object.fromEntries(written) } as S;
}

/**
 * The bytes of a response with these policies, a policy at each step: messages of its parts one after the
 * other are the message of the whole (protobuf, "Encoding").
 */
export function* writeResponse<Response extends { policies: PolicyMessage[] }>(
  type: {
    decode(bytes: Uint8Array): Response;
    encode(message: Response): { finish(): Uint8Array };
  },
  response: Response,
  policies: readonly Policy[],
): Generator<void, Buffer> {
  const parts = [type.encode(response).finish()];
  const empty = type.decode(new Uint8Array());
  for (const policy of policies) {
    parts.push(type.encode({ ...empty, policies: [messageOf(policy)] }).finish());
    yield;
  }
  return Buffer.concat(parts);
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
