import { parentPort } from 'node:worker_threads';
import type { WorkerMessage } from '@platform/worker-pool';
import { keptContext, type KeptDetail } from '../audit/check-detail.ts';
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

function replay({ id, change, rows }: Extract<PolicyTask, { kind: 'replay' }>): ReplayedSlice | null {
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
  return known.decide(readRows(rows));
}

/** Rows as `AuditReader.decided` has them. */
function* readRows(text: string): Generator<RecordedCheck> {
  type Row = [domainId: string, subject: string, action: string, object: string, detail: KeptDetail | null];
  for (const [domainId, subject, action, object, detail] of JSON.parse(text) as Row[]) {
    const kept = detail === null ? null : keptContext({ subject, action, object }, detail);
    yield { domainId, context: kept === null || kept.digested.length > 0 ? null : kept.context };
  }
}
