import { parentPort } from 'node:worker_threads';
import { domainOfObject } from '@platform/decide/object-uri';
import type { WorkerMessage } from '@platform/worker-pool';
import { keptContext, keptEntries, type KeptDetail } from '../audit/check-detail.ts';
import { unpackChecks, type PackedChecks } from '../model/packed-checks.ts';
import { compareSets } from '../policy/compare-sets.ts';
import { createReplay, type RecordedCheck, type Replay, type ReplayedSlice } from '../policy/replay.ts';
import { testPolicies } from '../policy/test-policies.ts';
import { validatePolicies } from '../policy/validate.ts';
import type { PolicyTask } from './policy-task.ts';

/** Replays whose sets a thread keeps compiled. */
const REPLAYS_KEPT = 2;
const replays = new Map<string, Replay>();

/** Runs in a worker thread: compiling a hostile pattern may take hundreds of milliseconds. */
parentPort?.on('message', (task: PolicyTask) => {
  parentPort?.postMessage({ reply: run(task) } satisfies WorkerMessage<unknown, never>);
});

function run(task: PolicyTask): unknown {
  switch (task.kind) {
    case 'validate':
      return validatePolicies(task.policies);
    case 'test':
      return testPolicies(task.policies, task.cases);
    case 'compare':
      return compareSets(task.change);
    case 'replay':
      return replay(task);
  }
}

function replay({ id, change, checks }: Extract<PolicyTask, { kind: 'replay' }>): ReplayedSlice | null {
  let known = replays.get(id);
  if (known === undefined) {
    if (change === null) return null;
    known = createReplay(change);
    for (const [oldest, other] of [...replays].slice(0, replays.size + 1 - REPLAYS_KEPT)) {
      other.free();
      replays.delete(oldest);
    }
    replays.set(id, known);
  }
  return known.decide(readChecks(checks));
}

/**
 * Rows of one slice mostly share their details, so each text of one is read once, and rows of the same text
 * are told in one and the same context.
 */
function* readChecks(packed: PackedChecks): Generator<RecordedCheck> {
  const contexts = new Map<string, ReplayedContext | null>();
  let lastDetail: string | undefined;
  let context: ReplayedContext | null = null;
  for (const { subject, action, object, detail } of unpackChecks(packed)) {
    if (detail !== lastDetail) {
      let known = contexts.get(detail);
      if (known === undefined) contexts.set(detail, (known = readContext(detail)));
      [lastDetail, context] = [detail, known];
    }
    const domainId = domainOfObject(object) as string;
    if (context === null) yield { domainId, context };
    else {
      context.set('subject', subject).set('action', action).set('object', object);
      yield { domainId, context };
    }
  }
}

/** A context whose subject, action and object are those of one row after the other. */
type ReplayedContext = Map<string, string | readonly string[]>;

/** Null for a detail that does not keep all that decides. */
function readContext(detail: string): ReplayedContext | null {
  const kept = detail === '' ? null : keptEntries(JSON.parse(detail) as KeptDetail);
  if (kept === null || kept.digested.length > 0) return null;
  return new Map(keptContext({ subject: '', action: '', object: '' }, kept));
}
