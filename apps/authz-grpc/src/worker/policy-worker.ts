import { parentPort } from 'node:worker_threads';
import { LRUCache } from 'lru-cache';
import { domainOfObject } from '@platform/decide/object-uri';
import type { WorkerMessage } from '@platform/worker-pool';
import { keptContext, keptEntries, type KeptDetail } from '../audit/check-detail.ts';
import { unpackChecks, type PackedChecks } from '../model/packed-checks.ts';
import { compareSets, TESTS_MAX } from '../policy/compare-sets.ts';
import { createReplay, type RecordedCheck, type Replay, type ReplayedSlice } from '../policy/replay.ts';
import { testPolicies } from '../policy/test-policies.ts';
import { validatePolicies } from '../policy/validate.ts';
import type { PolicyTask } from './policy-task.ts';

/**
 * Longest that a comparison searches: on a busy machine its tests take longer, and what it found would be
 * lost with the time of a task. Milliseconds.
 */
const COMPARE_MS_MAX = 6_000;
/** Replays whose sets a thread keeps compiled. */
const REPLAYS_KEPT = 2;
/** Decisions of deciders that a replay remembers: one is handed in again soon, if ever. */
const HANDED_IN_MAX = 100_000;

interface RunningReplay {
  readonly replay: Replay;
  readonly handedIn: LRUCache<string, true>;
}
const replays = new Map<string, RunningReplay>();

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
      return compareSets(task.change, { left: TESTS_MAX, endsAt: performance.now() + COMPARE_MS_MAX });
    case 'replay':
      return replay(task);
  }
}

function replay({ id, change, checks }: Extract<PolicyTask, { kind: 'replay' }>): ReplayedSlice | null {
  let known = replays.get(id);
  if (known === undefined) {
    if (change === null) return null;
    known = { replay: createReplay(change), handedIn: new LRUCache({ max: HANDED_IN_MAX }) };
    for (const [oldest, other] of [...replays].slice(0, replays.size + 1 - REPLAYS_KEPT)) {
      other.replay.free();
      replays.delete(oldest);
    }
    replays.set(id, known);
  }
  return known.replay.decide(readChecks(checks, known.handedIn));
}

/**
 * Rows of one slice mostly share their details, so each text of one is read once, and rows of the same text
 * are told in one and the same context. Of a decision that was handed in more than once, one row is a check.
 */
function* readChecks(packed: PackedChecks, handedIn: LRUCache<string, true>): Generator<RecordedCheck> {
  const details = new Map<string, ReadDetail>();
  let lastDetail: string | undefined;
  let read: ReadDetail = { context: null, decidedBy: null, elsewhereId: null };
  for (const { subject, action, object, detail } of unpackChecks(packed)) {
    if (detail !== lastDetail) {
      let known = details.get(detail);
      if (known === undefined) details.set(detail, (known = readDetail(detail)));
      [lastDetail, read] = [detail, known];
    }
    const { elsewhereId, ...check } = read;
    if (elsewhereId !== null) {
      if (handedIn.has(elsewhereId)) continue;
      handedIn.set(elsewhereId, true);
    }
    const domainId = domainOfObject(object) as string;
    read.context?.set('subject', subject).set('action', action).set('object', object);
    yield { domainId, ...check };
  }
}

interface ReadDetail extends Pick<RecordedCheck, 'decidedBy'> {
  /** Its subject, action and object are those of one row after the other. */
  readonly context: Map<string, string | readonly string[]> | null;
  /** Of a decision that was made elsewhere. */
  readonly elsewhereId: string | null;
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
  return { context, decidedBy, elsewhereId: detail.elsewhere?.id ?? null };
}
