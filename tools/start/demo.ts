import { readFileSync } from 'node:fs';
import { answerText, type ShareSnapshot } from '@platform/viewer';

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

/** The finding of the demo that answers its question. */
const ANSWER = { subject_id: 'first-flight', predicate: 'achieved_by' };

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
    await call('PUT', `${SESSION}/share`, { public: true, slug: name, answer_finding: ANSWER });
  }
  const shared = await call('GET', `${SESSION}/share`, undefined, [404]);
  const answer =
    shared.status === 404
      ? await call('PUT', `${SESSION}/share`, { public: true, slug: name, answer_finding: ANSWER })
      : shared;
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

/** Findings beside the answer that are printed; the page has all. */
const FINDINGS_SHOWN = 6;

/**
 * What the published page says, in its own sentences; the share's address may be one that this machine does
 * not reach. Errors: what the service answered.
 */
export async function verdictOf(url: string, shareUrl: string): Promise<string> {
  const path = `${new URL(shareUrl).pathname}.json`;
  const snapshot = (await (await callerOf(url)('GET', path)).json()) as ShareSnapshot;
  const { answer, findings } = answerText(snapshot);
  const more = findings.length - FINDINGS_SHOWN;
  return [
    snapshot.result.research_question,
    '',
    ...answer,
    '',
    ...findings.slice(0, FINDINGS_SHOWN).map((finding) => `- ${finding}`),
    ...(more > 0 ? [`- ${more} more ${more === 1 ? 'finding' : 'findings'} on the page.`] : []),
  ].join('\n');
}

/**
 * Calls the service as the holder of `token`, or as anybody; any answer that is neither a success nor in
 * `expected` is an Error.
 */
function callerOf(url: string, token?: string) {
  return async (method: string, path: string, body?: object, expected: readonly number[] = []) => {
    const response = await fetch(`${url}${path}`, {
      method,
      headers: {
        'content-type': 'application/json',
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      },
      body: body === undefined ? null : JSON.stringify(body),
    });
    if (!response.ok && !expected.includes(response.status))
      throw new Error(`${method} ${path} got ${response.status}: ${await response.text()}`);
    return response;
  };
}
