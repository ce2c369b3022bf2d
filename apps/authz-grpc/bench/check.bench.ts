/**
 * CheckAuthorization, BatchCheckAuthorization and POST /v1/authz/check against servers that return the same
 * messages without doing anything: real Postgres, with fsync and without, real Redis, strict audit. Rounds of
 * both alternate within one run, so that what else the machine does weighs on both; figures are medians over
 * the rounds. Needs the built service: `nx build authz-grpc`.
 */
import { loadavg } from 'node:os';
import { Client, credentials, Metadata } from '@grpc/grpc-js';
import { openAuthzClients } from '@platform/authz-client';
import {
  AuthorizationServiceService,
  BatchCheckAuthorizationResponse,
} from '@platform/proto/authz/v1/authorization';
import type { BenchRow } from '@platform/testing';
import { allowedContext, allowedRequest, openStage, type Stage, type Target } from './check-fixtures.ts';
import { load, median, poster, type Round } from './load.ts';

const ROUNDS = 5;
const IN_FLIGHT = 64;
const BATCH = 100;
const RATIO_MIN = { grpc: 0.6, rest: 0.5 };
const P99_RATIO_MAX = 3;
const DECISIONS_MIN = 100_000;

/** Throughput and tail latency of the service's hot calls next to servers that do nothing. */
export async function run(): Promise<BenchRow[]> {
  const rows: BenchRow[] = [];
  for (const durable of [true, false]) {
    const stage = await openStage(durable);
    try {
      const disk = durable ? 'fsync on' : 'fsync off';
      rows.push(...(await measureShare(stage, `gRPC check, ${disk}`, openChecks, RATIO_MIN.grpc)));
      rows.push(...(await measureShare(stage, `REST check, ${disk}`, openPosts, RATIO_MIN.rest)));
      rows.push(await measureBatches(stage, disk));
    } finally {
      await stage.stop();
    }
  }
  return rows;
}

/** Calls of one kind against one target. */
interface Calls {
  call(): Promise<void>;
  close(): void;
}
type OpenCalls = (stage: Stage, target: Target) => Calls;

async function measureShare(
  stage: Stage,
  name: string,
  open: OpenCalls,
  shareMin: number,
): Promise<BenchRow[]> {
  const { ours, bare } = await alternate(stage, open, 2_000);
  const [rate, bareRate] = [median(ours, 'perSecond'), median(bare, 'perSecond')];
  const [p99, bareP99] = [median(ours, 'p99'), median(bare, 'p99')];
  const what = `${name}, ${IN_FLIGHT} in flight`;
  return [
    {
      name: `${what}: calls a second ÷ bare server`,
      value: rate / bareRate,
      unit: '×',
      target: `≥ ${shareMin}`,
      pass: rate / bareRate >= shareMin,
      detail: `${rate.toFixed(0)} against ${bareRate.toFixed(0)} calls/s, p50 ${median(ours, 'p50').toFixed(1)} ms; ${load1()}`,
    },
    {
      name: `${what}: p99 ÷ p99 of the bare server`,
      value: p99 / bareP99,
      unit: '×',
      target: `≤ ${P99_RATIO_MAX}`,
      pass: p99 / bareP99 <= P99_RATIO_MAX,
      detail: `${p99.toFixed(1)} against ${bareP99.toFixed(1)} ms`,
    },
  ];
}

async function measureBatches(stage: Stage, disk: string): Promise<BenchRow> {
  const cpuBefore = await stage.cpuSeconds();
  const { ours, bare, oursCalls } = await alternate(stage, openBatches, 300);
  const micros = (((await stage.cpuSeconds()) - cpuBefore) * 1e6) / (oursCalls * BATCH);
  const [rate, bareRate] = [median(ours, 'perSecond') * BATCH, median(bare, 'perSecond') * BATCH];
  return {
    name: `gRPC batches of ${BATCH}, ${disk}, ${IN_FLIGHT} in flight`,
    value: rate,
    unit: 'decisions/s',
    target: `≥ ${DECISIONS_MIN.toLocaleString('en-US')}`,
    pass: rate >= DECISIONS_MIN,
    detail:
      `the bare server does ${Math.round(bareRate).toLocaleString('en-US')}/s; the service spends ${micros.toFixed(1)} µs of ` +
      `one core a decision, Postgres and load on the same cores; a batch p50 ${median(ours, 'p50').toFixed(0)} ms; ${load1()}`,
  };
}

async function alternate(
  stage: Stage,
  open: OpenCalls,
  calls: number,
): Promise<{ ours: Round[]; bare: Round[]; oursCalls: number }> {
  const [ours, bare] = [open(stage, stage.service), open(stage, stage.echo)];
  const rounds = { ours: [] as Round[], bare: [] as Round[], oursCalls: calls * (ROUNDS + 1) };
  try {
    await load(bare.call, calls, IN_FLIGHT);
    await load(ours.call, calls, IN_FLIGHT);
    for (let round = 0; round < ROUNDS; round += 1) {
      rounds.bare.push(await load(bare.call, calls, IN_FLIGHT));
      rounds.ours.push(await load(ours.call, calls, IN_FLIGHT));
    }
  } finally {
    ours.close();
    bare.close();
  }
  return rounds;
}

function openChecks({ tenancies }: Stage, target: Target): Calls {
  const clients = openAuthzClients(target.grpc);
  const requests = tenancies.map(({ domainId, token }) => ({ message: allowedContext(domainId, 0), token }));
  const next = inTurn(requests);
  return {
    async call() {
      const { message, token } = next();
      const { authorized } = await clients.authorization.checkAuthorization(message, { token });
      if (!authorized) throw new Error('not authorized');
    },
    close: () => clients.close(),
  };
}

function openPosts({ tenancies }: Stage, target: Target): Calls {
  const posts = tenancies.map(({ domainId, token }) =>
    poster(target.checkUrl, JSON.stringify({ context: allowedRequest(domainId, 0) }), {
      Authorization: `Bearer ${token}`,
    }),
  );
  const next = inTurn(posts);
  return { call: () => next()(), close: () => undefined };
}

/**
 * Batches encoded beforehand, and only the first response read: the load must cost less than what it loads.
 */
function openBatches({ tenancies }: Stage, target: Target): Calls {
  const { path, requestSerialize } = AuthorizationServiceService.batchCheckAuthorization;
  const client = new Client(target.grpc, credentials.createInsecure());
  const batches = tenancies.map(({ domainId, token }) => {
    const metadata = new Metadata();
    metadata.set('authorization', `Bearer ${token}`);
    const checks = Array.from({ length: BATCH }, (_, item) => allowedContext(domainId, item));
    return { bytes: requestSerialize({ checks }), metadata };
  });
  const next = inTurn(batches);
  const asIs = (bytes: Buffer) => bytes;
  let isRead = false;
  return {
    call: () =>
      new Promise((resolve, reject) => {
        const { bytes, metadata } = next();
        client.makeUnaryRequest(path, asIs, asIs, bytes, metadata, {}, (error, answer) => {
          if (error !== null) return reject(error);
          if (!isRead) {
            const { results } = BatchCheckAuthorizationResponse.decode(answer as Buffer);
            if (results.length !== BATCH || !results.every(({ authorized }) => authorized))
              return reject(new Error('not authorized'));
            isRead = true;
          }
          resolve();
        });
      }),
    close: () => client.close(),
  };
}

function inTurn<T>(list: readonly T[]): () => T {
  let turn = 0;
  return () => list[(turn = (turn + 1) % list.length)] as T;
}

/** The load average of the last minute, to show what else the machine did. */
function load1(): string {
  return `load average ${(loadavg()[0] as number).toFixed(1)}`;
}
