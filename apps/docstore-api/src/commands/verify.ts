import { randomUUID } from 'node:crypto';
import { parseArgs } from 'node:util';
import { UsageError, type Command } from '@platform/service-kit';

interface Acknowledged {
  readonly round: number;
  readonly version: number;
  readonly etag: string;
  readonly previousEtag: string;
}

/**
 * Races writers on a live deployment: in each round all PUT with the same If-Match, and what was acknowledged
 * must be a chain (one winner a round, each version once, each following the one before) that the deployment
 * still shows afterwards. Writers that get 429 wait as long as it says. The document is deleted at the end.
 * Exit code 1 on any fault.
 */
export const verifyDeployment: Command<unknown> = {
  usage: '<url> --key <dsk_…> [--writers n] [--rounds n]',
  help: 'race writers on a live deployment and check the chain of versions',
  async run(_config, args, env) {
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: {
        key: { type: 'string', default: env['DOCSTORE_KEY'] ?? '' },
        writers: { type: 'string', default: '8' },
        rounds: { type: 'string', default: '10' },
      },
    });
    const [base] = positionals;
    const [writers, rounds] = [Number(values.writers), Number(values.rounds)];
    if (base === undefined || !URL.canParse(base))
      throw new UsageError('verify: name the URL of the deployment');
    if (!values.key) throw new UsageError('verify: give a key, --key or DOCSTORE_KEY');
    if (!(writers >= 1 && rounds >= 1))
      throw new UsageError('verify: --writers and --rounds must be at least 1');
    const report = await verify({ base: base.replace(/\/$/, ''), key: values.key, writers, rounds });
    for (const fault of report.faults) process.stdout.write(`FAULT ${fault}\n`);
    process.stdout.write(
      `${report.acknowledged} of ${report.attempts} writes acknowledged over ${rounds} rounds of ${writers} writers, ${report.faults.length} faults\n`,
    );
    return report.faults.length === 0 ? 0 : 1;
  },
};

interface VerifyReport {
  readonly attempts: number;
  readonly acknowledged: number;
  readonly faults: readonly string[];
}

async function verify(options: {
  base: string;
  key: string;
  writers: number;
  rounds: number;
}): Promise<VerifyReport> {
  const { base, key, writers, rounds } = options;
  const request = async (method: string, path: string, body?: unknown, etag?: string): Promise<Response> => {
    for (;;) {
      const response = await fetch(`${base}${path}`, {
        method,
        headers: {
          Authorization: `Bearer ${key}`,
          ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
          ...(etag === undefined ? {} : { 'If-Match': etag }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      }).catch(({ cause }: Error) => {
        const { code, message } = cause as NodeJS.ErrnoException;
        throw new Error(`verify: no response from ${base} (${code ?? message})`, { cause });
      });
      if (response.status !== 429) return response;
      await response.body?.cancel();
      await new Promise((resolve) => setTimeout(resolve, Number(response.headers.get('Retry-After')) * 1000));
    }
  };
  const faults: string[] = [];
  const filename = `verify-${randomUUID()}`;
  const created = await request('POST', '/v1/file', { filename, contents: 'round -1' });
  if (created.status !== 201)
    throw new Error(`POST /v1/file returned ${created.status}: ${await created.text()}`);
  const { id } = (await created.json()) as { id: string };
  const path = `/v1/file/${id}`;
  const chain: Acknowledged[] = [];
  let etag = created.headers.get('ETag')!;
  for (let round = 0; round < rounds; round++) {
    const previousEtag = etag;
    const sent = await Promise.all(
      Array.from({ length: writers }, async (_, writer) => {
        const body = { filename, contents: `round ${round} writer ${writer}` };
        const response = await request('PUT', path, body, previousEtag);
        return { response, body: (await response.json()) as { version: number } };
      }),
    );
    const winners = sent.filter(({ response }) => response.status === 200);
    const losers = sent.filter(({ response }) => response.status === 412);
    if (winners.length !== 1) faults.push(`round ${round}: ${winners.length} writers won`);
    if (winners.length + losers.length !== writers) {
      faults.push(`round ${round}: statuses ${sent.map(({ response }) => response.status).join(' ')}`);
    }
    for (const { response, body } of winners) {
      etag = response.headers.get('ETag')!;
      chain.push({ round, version: body.version, etag, previousEtag });
    }
    for (const { response } of losers) {
      if (response.headers.get('ETag') === previousEtag)
        faults.push(`round ${round}: 412 names the ETag that was sent`);
    }
  }
  faults.push(...(await compareWithHistory(chain, (query) => request('GET', `${path}/versions${query}`))));
  await request('DELETE', path);
  return { attempts: writers * rounds, acknowledged: chain.length, faults };
}

/** Faults of what was acknowledged against the versions still kept. */
async function compareWithHistory(
  chain: readonly Acknowledged[],
  ask: (query: string) => Promise<Response>,
): Promise<string[]> {
  const kept = new Map<number, string>();
  for (let before: number | null = null, isFirst = true; isFirst || before !== null; isFirst = false) {
    const response = await ask(before === null ? '?limit=200' : `?limit=200&before=${before}`);
    const page = (await response.json()) as {
      versions: { version: number; etag: string }[];
      next_before: number | null;
    };
    for (const { version, etag } of page.versions) {
      if (kept.has(version)) return [`version ${version} is listed twice`];
      kept.set(version, etag);
    }
    before = page.next_before;
  }
  const faults: string[] = [];
  for (const [index, { round, version, etag }] of chain.entries()) {
    if (version !== index + 2) faults.push(`round ${round}: version ${version} where ${index + 2} was due`);
    if (kept.has(version) && kept.get(version) !== etag)
      faults.push(`version ${version} is kept as another one`);
  }
  const newest = Math.max(...kept.keys());
  if (newest !== chain.length + 1)
    faults.push(`newest version is ${newest}, acknowledged were ${chain.length + 1}`);
  if (chain.length > 0 && kept.get(newest) !== chain.at(-1)!.etag)
    faults.push('the last acknowledged write is not the newest version');
  return faults;
}
