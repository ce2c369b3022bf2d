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
  const details = new Map<string, ReadDetail>();
  let lastDetail: string | undefined;
  let read: ReadDetail = { context: null, decidedBy: null };
  for (const { subject, action, object, detail } of unpackChecks(packed)) {
    if (detail !== lastDetail) {
      let known = details.get(detail);
      if (known === undefined) details.set(detail, (known = readDetail(detail)));
      [lastDetail, read] = [detail, known];
    }
    const domainId = domainOfObject(object) as string;
    read.context?.set('subject', subject).set('action', action).set('object', object);
    yield { domainId, ...read };
  }
}

interface ReadDetail extends Pick<RecordedCheck, 'decidedBy'> {
  /** Its subject, action and object are those of one row after the other. */
  readonly context: Map<string, string | readonly string[]> | null;
}

function readDetail(text: string): ReadDetail {
  const detail = text === '' ? {} : (JSON.parse(text) as KeptDetail);
  const kept = keptEntries(detail);
  const decidedBy = detail.versions === undefined ? null : new Set(Object.keys(detail.versions));
  const { disputed = false, implausible = [] } = detail.elsewhere ?? {};
  // What was decided elsewhere by attributes that the service does not keep is no check of then.
  const isDoubted = disputed || implausible.length > 0;
  const context =
    kept === null || kept.digested.length > 0 || isDoubted
      ? null
      : new Map(keptContext({ subject: '', action: '', object: '' }, kept));
  return { context, decidedBy };
}
