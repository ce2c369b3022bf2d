/**
 * Checks and batches over gRPC beside Cerbos, both under the load of h2load, rounds of both in turns: real
 * Postgres with fsync, real Redis, strict audit; Cerbos with its decision log on disk. Unequal is what they
 * do: Cerbos checks no caller, keeps no quota and writes its log in the background, while a check here
 * verifies a token, asks Redis, and responds once its row is on disk. Needs the built service:
 * `nx build authz-grpc`.
 */
import { loadavg } from 'node:os';
import { BinaryWriter } from '@bufbuild/protobuf/wire';
import {
  AuthorizationServiceService,
  BatchCheckAuthorizationResponse,
  CheckAuthorizationResponse,
} from '@platform/proto/authz/v1/authorization';
import { findH2load, startCerbos, type BenchRow } from '@platform/testing';
import { allowedContext, openStage, POLICIES, type Stage } from './check-fixtures.ts';
import { callOnce, fire, type PricedRound, type Shot } from './h2load.ts';
import { median } from './load.ts';

const ROUNDS = 5;
const WARM_UP_ROUNDS_MAX = 8;
/** On each of the connections, of which each tenant has one. */
const STREAMS = 16;
const CALLS = 8_000;
/** Cerbos takes no more in one request. */
const BATCH = 50;
const BATCHES = 800;
const CHECKS_RATIO_MIN = 1.5;
const BATCHES_RATIO_MIN = 3;
const CHECK_MICROS_MAX = 100;
const DECISIONS_MIN = 100_000;
const P99_RATIO_MAX = 3;

/** Rates, tail latency and processor time of both. */
export async function run(): Promise<BenchRow[]> {
  const h2load = await findH2load();
  const cerbos = await startCerbos(
    new Map(Array.from({ length: POLICIES }, (_, at) => [`doc${at}.yaml`, cerbosPolicy(at)])),
  );
  const stage = await openStage(true);
  try {
    const beside = `Cerbos ${cerbos.version}`;
    const checks = await alternate(h2load, CALLS, ourChecks(stage), cerbosChecks(stage, cerbos.grpc, 1));
    const batches = await alternate(
      h2load,
      BATCHES,
      ourBatches(stage),
      cerbosChecks(stage, cerbos.grpc, BATCH),
    );
    return [...checkRows(checks, beside), ...batchRows(batches, beside)];
  } finally {
    await stage.stop();
    await cerbos.stop();
  }
}

/** The programs whose processor time is counted, on each side. */
const OUR_PROGRAMS = ['node', 'postgres', 'redis-server'];
const THEIR_PROGRAMS = ['cerbos'];

/** Calls of one side, and what a good response is. */
interface Side {
  readonly shots: readonly Shot[];
  isGood(response: Buffer): boolean;
}

interface Both {
  readonly ours: readonly PricedRound[];
  readonly theirs: readonly PricedRound[];
}

async function alternate(h2load: string, calls: number, ours: Side, theirs: Side): Promise<Both> {
  const fireOurs = await prepare(h2load, calls, ours);
  const fireTheirs = await prepare(h2load, calls, theirs);
  const rounds = { ours: [] as PricedRound[], theirs: [] as PricedRound[] };
  for (let round = 0; round < ROUNDS; round += 1) {
    rounds.theirs.push(await fireTheirs());
    rounds.ours.push(await fireOurs());
  }
  return rounds;
}

/** Looks at one response of each shot, and fires until a round is no faster than the one before. */
async function prepare(h2load: string, calls: number, side: Side): Promise<() => Promise<PricedRound>> {
  let bytes = 0;
  for (const shot of side.shots) {
    const response = await callOnce(shot);
    if (!side.isGood(response)) throw new Error(`\`${shot.path}\` does not allow what is asked`);
    bytes = response.length;
  }
  const once = () => fire(h2load, side.shots, { calls, streams: STREAMS, bytes });
  let last = 0;
  for (let round = 0; round < WARM_UP_ROUNDS_MAX; round += 1) {
    const { perSecond } = await once();
    if (perSecond < last * 1.03) break;
    last = perSecond;
  }
  return once;
}

function ourChecks({ service, tenancies }: Stage): Side {
  const { path, requestSerialize } = AuthorizationServiceService.checkAuthorization;
  return {
    shots: tenancies.map(({ domainId, token }) => ({
      address: service.grpc,
      path,
      message: requestSerialize(allowedContext(domainId, 0)),
      token,
    })),
    isGood: (response) => CheckAuthorizationResponse.decode(response).authorized,
  };
}

function ourBatches({ service, tenancies }: Stage): Side {
  const { path, requestSerialize } = AuthorizationServiceService.batchCheckAuthorization;
  return {
    shots: tenancies.map(({ domainId, token }) => ({
      address: service.grpc,
      path,
      message: requestSerialize({
        checks: Array.from({ length: BATCH }, (_, item) => allowedContext(domainId, item)),
      }),
      token,
    })),
    isGood(response) {
      const { results } = BatchCheckAuthorizationResponse.decode(response);
      return results.length === BATCH && results.every(({ authorized }) => authorized);
    },
  };
}

/** The counterpart of a policy of `openStage`: a fixed subject and an object that begins with a text. */
function cerbosPolicy(at: number): string {
  return `apiVersion: api.cerbos.dev/v1
resourcePolicy:
  resource: doc${at}
  version: default
  rules:
    - actions: ['read']
      effect: EFFECT_ALLOW
      roles: ['user']
      condition: { match: { expr: P.id == "user-${at}" && R.id.startsWith("docs/") } }
`;
}

/** CheckResources of so many resources (cerbos.request.v1.CheckResourcesRequest), a connection per tenant. */
function cerbosChecks({ tenancies }: Stage, address: string, resources: number): Side {
  const message = new BinaryWriter().uint32(tag(1)).string('x');
  message.uint32(tag(3)).fork().uint32(tag(1)).string('user-7').uint32(tag(3)).string('user').join();
  for (let item = 0; item < resources; item += 1) {
    message.uint32(tag(4)).fork().uint32(tag(1)).string('read');
    message.uint32(tag(2)).fork().uint32(tag(1)).string('doc7');
    message.uint32(tag(3)).string(`docs/7/report-${item}`).join().join();
  }
  const shot = { address, path: '/cerbos.svc.v1.CerbosService/CheckResources', message: message.finish() };
  // The entry of `actions` that says that `read` has EFFECT_ALLOW, which is 1.
  const allowed = Buffer.from([0x0a, 0x04, ...Buffer.from('read'), 0x10, 0x01]);
  return {
    shots: tenancies.map(() => shot),
    isGood: (response) =>
      response.toString('latin1').split(allowed.toString('latin1')).length === resources + 1,
  };
}

/** The tag of a field with a length (protobuf wire type 2). */
function tag(field: number): number {
  return (field << 3) | 2;
}

function checkRows({ ours, theirs }: Both, beside: string): BenchRow[] {
  const [rate, theirRate] = [median(ours, 'perSecond'), median(theirs, 'perSecond')];
  const [micros, theirMicros] = [medianMicros(ours, OUR_PROGRAMS), medianMicros(theirs, THEIR_PROGRAMS)];
  const [p50, p99] = [median(ours, 'p50'), median(ours, 'p99')];
  const what = 'gRPC check, fsync on, strict audit, 64 in flight';
  return [
    {
      name: `${what}: checks a second ÷ ${beside}`,
      value: rate / theirRate,
      unit: '×',
      target: `≥ ${CHECKS_RATIO_MIN}`,
      pass: rate / theirRate >= CHECKS_RATIO_MIN,
      detail: `${rate.toFixed(0)} against ${theirRate.toFixed(0)} checks/s; medians of ${ROUNDS} rounds in turns, load average ${load1()}`,
    },
    {
      name: `${what}: processor time a check, all processes`,
      value: micros.all,
      unit: 'µs',
      target: `≤ ${CHECK_MICROS_MAX}`,
      pass: micros.all <= CHECK_MICROS_MAX,
      detail: `${micros.told}; ${beside} ${theirMicros.all.toFixed(0)}`,
    },
    {
      name: `${what}: p99 ÷ p50`,
      value: p99 / p50,
      unit: '×',
      target: `≤ ${P99_RATIO_MAX}`,
      pass: p99 / p50 <= P99_RATIO_MAX,
      detail: `${p99.toFixed(1)} ÷ ${p50.toFixed(1)} ms; ${beside} ${median(theirs, 'p99').toFixed(1)} ÷ ${median(theirs, 'p50').toFixed(1)} ms`,
    },
  ];
}

function batchRows({ ours, theirs }: Both, beside: string): BenchRow[] {
  const [rate, theirRate] = [median(ours, 'perSecond') * BATCH, median(theirs, 'perSecond') * BATCH];
  const micros = medianMicros(ours, OUR_PROGRAMS, BATCH);
  const what = `gRPC batches of ${BATCH}, fsync on, strict audit, 64 in flight`;
  return [
    {
      name: `${what}: decisions a second`,
      value: rate,
      unit: 'decisions/s',
      target: `≥ ${DECISIONS_MIN.toLocaleString('en-US')}`,
      pass: rate >= DECISIONS_MIN,
      detail: `processor time a decision ${micros.all.toFixed(1)} µs: ${micros.told}; load average ${load1()}`,
    },
    {
      name: `${what}: decisions a second ÷ ${beside}`,
      value: rate / theirRate,
      unit: '×',
      target: `≥ ${BATCHES_RATIO_MIN}`,
      pass: rate / theirRate >= BATCHES_RATIO_MIN,
      detail: `${rate.toFixed(0)} against ${theirRate.toFixed(0)}/s; a decision of ${beside} costs ${medianMicros(theirs, THEIR_PROGRAMS, BATCH).all.toFixed(1)} µs`,
    },
  ];
}

/** Processor time a decision in the round that costs as much as the middle one, by program. */
function medianMicros(
  rounds: readonly PricedRound[],
  programs: readonly string[],
  decisions = 1,
): { readonly all: number; readonly told: string } {
  const priced = rounds
    .map(({ micros }) => {
      const each = programs.map((program) => (micros.get(program) ?? 0) / decisions);
      return { all: each.reduce((sum, one) => sum + one, 0), each };
    })
    .sort((a, b) => a.all - b.all);
  const { all, each } = priced[rounds.length >> 1] as (typeof priced)[number];
  const told = programs.map(
    (program, at) => `${program} ${(each[at] as number).toFixed(decisions === 1 ? 0 : 1)}`,
  );
  return { all, told: told.join(', ') };
}

/** The load average of the last minute, to show what else the machine did. */
function load1(): string {
  return (loadavg()[0] as number).toFixed(1);
}
