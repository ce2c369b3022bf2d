import { readFileSync } from 'node:fs';

/** What the compact result has that is shown here. */
interface Summary {
  readonly research_question: string;
  readonly synthesis: string;
  readonly top_findings: readonly {
    readonly subject_name: string;
    readonly predicate: string;
    readonly leading_value: string | null;
    readonly truth_status: string;
    readonly expected_probability: number;
    readonly calibrated_probability: number | null;
    readonly source_count: number;
    readonly independent_source_count: number;
  }[];
  readonly top_evidence_gaps: readonly { readonly suggestion: string }[];
}

/** The example that is marked as the demo, as a path from the root of the repository. */
export function demoFile(): string {
  const index = JSON.parse(readFileSync('examples/index.json', 'utf8')) as { file: string; demo: boolean }[];
  const demo = index.find((entry) => entry.demo);
  if (!demo) throw new Error('examples/index.json marks no demo');
  return `examples/${demo.file}`;
}

/** The demo as a session of the demo user. */
const SESSION_ID = 'demo';
const SESSION = `/api/v1/sessions/${SESSION_ID}`;

/** A published demo. */
export interface PublishedDemo {
  readonly sessionId: string;
  /** Address of the share's page. */
  readonly shareUrl: string;
}

/**
 * Stores the demo as a session, judges it and publishes it, unless an earlier start has; what the user made
 * of the session since is left as it is. Errors: what the service answered.
 */
export async function publishDemo(url: string, token: string): Promise<PublishedDemo> {
  const call = callerOf(url, token);
  const payload = JSON.parse(readFileSync(demoFile(), 'utf8')) as { readonly research_question: string };
  const name = payload.research_question;
  const created = await call('POST', '/api/v1/sessions', { session_id: SESSION_ID, name, payload }, [409]);
  if (created.status === 201) {
    await call('POST', `${SESSION}/judge`, {});
    await call('PUT', `${SESSION}/share`, { public: true, slug: name });
  }
  const shared = await call('GET', `${SESSION}/share`, undefined, [404]);
  const answer =
    shared.status === 404 ? await call('PUT', `${SESSION}/share`, { public: true, slug: name }) : shared;
  return { sessionId: SESSION_ID, shareUrl: ((await answer.json()) as { url: string }).url };
}

/**
 * A link to the desk that signs in once, within ten minutes: a code in its fragment, which browsers send to
 * nobody. Signing out there ends the session of `token`.
 */
export async function deskLink(url: string, token: string): Promise<string> {
  const { code } = (await (await callerOf(url, token)('POST', '/app/session/codes')).json()) as {
    code: string;
  };
  return `${url}/app#code=${code}`;
}

/** Has the service judge the demo and puts the verdict into words. */
export async function judgeDemo(url: string, token: string): Promise<string> {
  const investigation = JSON.parse(readFileSync(demoFile(), 'utf8')) as object;
  const response = await callerOf(url, token)('POST', '/api/v1/investigations/analyze', {
    ...investigation,
    summary_mode: true,
  });
  const { research_question, synthesis, top_findings, top_evidence_gaps } =
    (await response.json()) as Summary;
  const findings = top_findings.map(
    (finding) =>
      `  ${Math.round(100 * (finding.calibrated_probability ?? finding.expected_probability))} %`.padEnd(9) +
      `${finding.truth_status.padEnd(8)}${finding.subject_name}: ${finding.predicate} = ${finding.leading_value ?? '?'}` +
      ` (${finding.independent_source_count} independent of ${finding.source_count} sources)`,
  );
  const gaps = top_evidence_gaps.slice(0, 1).map(({ suggestion }) => `Most useful next: ${suggestion}`);
  return [research_question, '', synthesis, '', ...findings, '', ...gaps].join('\n');
}

/**
 * Calls the service as the holder of `token`; any answer that is neither a success nor in `expected` is an
 * Error.
 */
function callerOf(url: string, token: string) {
  return async (method: string, path: string, body?: object, expected: readonly number[] = []) => {
    const response = await fetch(`${url}${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: body === undefined ? null : JSON.stringify(body),
    });
    if (!response.ok && !expected.includes(response.status))
      throw new Error(`${method} ${path} got ${response.status}: ${await response.text()}`);
    return response;
  };
}
