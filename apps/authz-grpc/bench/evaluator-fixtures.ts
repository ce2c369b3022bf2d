import type { Engine, Policy, RequestContext } from '../src/policy/types.ts';

/** One policy of the benchmark in the words all engines share. */
export interface Grant {
  readonly name: string;
  readonly engine: 'fixed' | 'prefix';
  readonly deny: boolean;
  readonly subject: string;
  readonly action: string;
  readonly object: string;
}

/** A request, and what every engine must decide. */
export interface Request {
  readonly subject: string;
  readonly action: string;
  readonly object: string;
}

const DOMAIN = 'svc://6b0f2c1e-7a53-4f0e-9d58-0c1d2e3f4a5b';
const ACTIONS = ['read', 'update', 'delete'] as const;
const digits = (n: number) => String(n).padStart(6, '0');

/**
 * `count` policies: each user has ten, one a deny; half are FIXED, half PREFIX. Names have a fixed width, so
 * that a PREFIX on a name means that name.
 */
export function makeGrants(count: number): Grant[] {
  return Array.from({ length: count }, (_, i) => {
    const engine = i % 2 === 0 ? 'fixed' : 'prefix';
    const folder = `${DOMAIN}/projects/${digits(i)}/`;
    return {
      name: `grant-${digits(i)}`,
      engine,
      deny: i % 10 === 9,
      subject: `user-${digits(Math.floor(i / 10))}`,
      action: ACTIONS[i % 3] as string,
      // The deny takes back a part of what the PREFIX before it grants.
      object:
        i % 10 === 9
          ? `${DOMAIN}/projects/${digits(i - 6)}/secret/`
          : engine === 'fixed'
            ? `${folder}plan`
            : folder,
    };
  });
}

/** Requests spread over all users: granted by name, granted by folder, taken back, and not granted. */
export function makeRequests(grants: readonly Grant[], count: number): Request[] {
  return Array.from({ length: count }, (_, i) => {
    const first = Math.floor((i * 7919) % (grants.length / 10)) * 10;
    const at = (offset: number) => grants[first + offset] as Grant;
    const { subject } = at(0);
    switch (i % 4) {
      case 0:
        return { subject, action: at(0).action, object: at(0).object };
      case 1:
        return { subject, action: at(1).action, object: `${at(1).object}docs/7` };
      case 2:
        return { subject, action: at(3).action, object: `${at(3).object}secret/key` };
      default:
        return { subject, action: at(1).action, object: `${DOMAIN}/elsewhere/${i}` };
    }
  });
}

export function toPolicy({ name, engine, deny, subject, action, object }: Grant): Policy {
  return {
    name,
    description: '',
    invert: false,
    deny,
    engine,
    statements: [{ rules: { subject, action, object } }],
  };
}

export function toContext({ subject, action, object }: Request): RequestContext {
  return new Map([
    ['subject', subject],
    ['action', action],
    ['object', object],
  ]);
}

/** A policy of one statement that allows. */
export function allowing(engine: Engine, name: string, rules: Record<string, string>): Policy {
  return { name, description: '', invert: false, deny: false, engine, statements: [{ rules }] };
}

/**
 * Median of the times of single calls, in µs, of at most `samples` calls and about two seconds. `prepare`
 * stays outside the clock.
 */
export async function medianMicros(samples: number, prepare: (i: number) => () => unknown): Promise<number> {
  const times: number[] = [];
  const deadline = performance.now() + 2_000;
  for (let i = 0; i < samples && (i < 7 || performance.now() < deadline); i += 1) {
    const call = prepare(i);
    const from = performance.now();
    await call();
    times.push((performance.now() - from) * 1_000);
  }
  return median(times);
}

/** Median over batches of the time per call, in µs, for calls too short for the clock; about two seconds. */
export function medianMicrosOfBatches(batches: number, size: number, call: (i: number) => unknown): number {
  const times: number[] = [];
  const deadline = performance.now() + 2_000;
  for (let batch = 0; batch < batches && (batch < 5 || performance.now() < deadline); batch += 1) {
    const from = performance.now();
    for (let i = 0; i < size; i += 1) call(i);
    times.push(((performance.now() - from) * 1_000) / size);
  }
  return median(times);
}

function median(times: number[]): number {
  return times.sort((a, b) => a - b)[times.length >> 1] as number;
}
