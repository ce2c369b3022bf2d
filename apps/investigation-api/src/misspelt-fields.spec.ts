import { beforeAll, describe, expect, it } from '@jest/globals';
import { OBJECTS, type ObjectName } from '@platform/opinion-fusion';
import { covers } from '@platform/testing/covers';
import { buildOpenApi } from './http/openapi.ts';
import { suiteService } from './suite-service.fixture.ts';
import { ENTITY_FAMILIES } from './wire/entity-kinds.ts';

const service = suiteService('analysis');
let token: string;
let session: string;
beforeAll(async () => {
  token = await service.sign({ tenant_id: 'tenant', sub: 'owner' }, 'at+jwt');
  session = await newSession('judged and shared');
});

const MISSPELT = 'mis_spelt';

const claim = (id: string) => ({
  id,
  actor_id: 'a',
  subject_id: 's',
  predicate: 'p',
  value: 'v',
  content: 'c',
  relationships: [{ relationship_type: 'complements', target_claim_id: 'c2' }],
  corroboration_events: [{ time: '2026-01-02', actor_id: 'b' }],
});
/** One of each object that an investigation holds. */
const INVESTIGATION = {
  research_question: 'q',
  actors: [
    {
      id: 'a',
      name: 'A',
      source_type: 'Expert',
      base_reliability: 0.75,
      reliability_record: { right: 3, statements: 4, base_reliability: 0.75 },
    },
    { id: 'b', name: 'B', source_type: 'Expert' },
  ],
  subjects: [{ id: 's', name: 'S', subject_type: 't' }],
  claims: [claim('c1'), { ...claim('c2'), relationships: [] }],
  evidence: [
    {
      id: 'e',
      claim_id: 'c1',
      content: '',
      valence: 'Supports',
      source: { document: 'file_1', selector: { exact: 'as it was' } },
    },
  ],
  inferences: [
    {
      id: 'i',
      subject_id: 's',
      predicate: 'p',
      premise_claim_ids: ['c1'],
      rule_type: 'default',
      rule_param: 'd',
    },
  ],
  distinctions: [
    { id: 'd', argument_a: 'c1', argument_b: 'c2', feature: 'f', condition_a: 'x', condition_b: 'y' },
  ],
};

const ANSWER = { subject_id: 's', predicate: 'p' };
/** What is sent to each operation with a body; of the others' items one is taken from the investigation. */
const BODIES: Readonly<Record<string, object>> = {
  submit_investigation: INVESTIGATION,
  validate_investigation: INVESTIGATION,
  create_investigation_session: { name: 'n', payload: INVESTIGATION },
  update_investigation_session: INVESTIGATION,
  validate_investigation_session: {},
  judge_investigation_session: { summary_mode: false },
  set_session_interpretation: { interpretation: 'x' },
  share_investigation_session: { public: true, answer_finding: ANSWER },
  update_investigation_session_share: { slug: 'x', answer_finding: ANSWER },
  invite_to_session: { role: 'read' },
  create_subscription: { rules: ['leading_changed'] },
  update_subscription: { paused: true },
  replay_deliveries: {},
  record_outcome: { ...ANSWER, value: 'v' },
  apply_source_records: { statements_min: 2 },
  add_document: { filename: 'notice.txt', contents: 'As it was.' },
  ...Object.fromEntries(
    ENTITY_FAMILIES.map(({ kind, entity }) => [`upsert_investigation_${entity}`, INVESTIGATION[kind][0]!]),
  ),
};
/** Those that have nowhere to warn: a field that they do not have is refused. */
const REFUSING = [
  'add_document',
  'validate_investigation_session',
  'judge_investigation_session',
  'set_session_interpretation',
  'share_investigation_session',
  'invite_to_session',
  'update_investigation_session_share',
  'record_outcome',
  'apply_source_records',
  'create_subscription',
  'update_subscription',
  'replay_deliveries',
];

interface Route {
  readonly method: string;
  readonly path: string;
  readonly operationId: string;
}
const ROUTES: readonly Route[] = Object.entries(buildOpenApi().paths ?? {}).flatMap(([path, methods]) =>
  Object.entries(methods as Record<string, { operationId: string; requestBody?: { content: object } }>)
    // A file has no fields.
    .filter(([, { requestBody }]) => requestBody !== undefined && 'application/json' in requestBody.content)
    .map(([method, { operationId }]) => ({ method, path, operationId })),
);

/** Every copy of `value` with a misspelt field in one of its objects, and the path of that object. */
function misspelt(value: object, path = ''): [path: string, value: object][] {
  const nested = Object.entries(value).flatMap(([key, child]: [string, unknown]) => {
    const first: unknown = Array.isArray(child) ? child[0] : child;
    if (typeof first !== 'object' || first === null || typeof child !== 'object') return [];
    const at = Array.isArray(child)
      ? misspelt(first, `${path}${key}[0].`).map(
          ([where, changed]) => [where, [changed, ...child.slice(1)]] as const,
        )
      : misspelt(first, `${path}${key}.`);
    return at.map(([where, copy]): [string, object] => [where, { ...value, [key]: copy }]);
  });
  return [[path, { ...value, [MISSPELT]: 1 }], ...nested];
}

async function send(method: string, path: string, body: object): Promise<{ status: number; text: string }> {
  const response = await fetch(`${service.url}${path}`, {
    method: method.toUpperCase(),
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return { status: response.status, text: await response.text() };
}

/** A judged and shared session; returns its path. */
async function newSession(session_id: string): Promise<string> {
  const session = `/api/v1/sessions/${encodeURIComponent(session_id)}`;
  await send('POST', '/api/v1/sessions', { name: 'n', session_id, payload: INVESTIGATION });
  await send('POST', `${session}/judge`, {});
  await send('PUT', `${session}/share`, { public: true });
  return session;
}

describe('a misspelt field', () => {
  it('every operation that may be sent a body has one in the OpenAPI document, so that none ignores its fields', () => {
    covers('INV-S.33', 'INV-S.56');
    const bodiless = Object.entries(buildOpenApi().paths ?? {}).flatMap(([path, methods]) =>
      (['post', 'put', 'patch'] as const)
        .filter((method) => methods[method] !== undefined && methods[method].requestBody === undefined)
        .map((method) => `${method} ${path}`),
    );
    expect(bodiless).toEqual([]);
  });

  it('misspelt fields are tried in every body that the OpenAPI document has, and in each object of the field table', () => {
    covers('INV-S.33');
    expect(ROUTES.map(({ operationId }) => operationId).sort()).toEqual(Object.keys(BODIES).sort());
    const objects = misspelt(INVESTIGATION).length;
    expect(objects).toBe((Object.keys(OBJECTS) as ObjectName[]).length);
  });

  it.each(
    ROUTES.flatMap((route) =>
      misspelt(BODIES[route.operationId]!).map(([at, body]) => ({
        ...route,
        at,
        where: at === '' ? 'the body' : at.slice(0, -1),
        body,
      })),
    ),
  )('a misspelt field in $where of $operationId is reported or refused by name', async (tried) => {
    covers('INV-S.33');
    const { method, path, operationId, at, body } = tried;
    const url = path
      .replace('/api/v1/sessions/{session_id}', session)
      .replace(/\{\w+\}$/, encodeURIComponent((BODIES[operationId] as { id?: string }).id ?? 'none'));
    const { status, text } = await send(method, url, body);
    const response = JSON.parse(text) as {
      warnings?: string[];
      result?: { warnings: string[] };
      error?: string;
    };
    if (REFUSING.includes(operationId)) {
      expect([status, response.error]).toEqual([422, `${at}${MISSPELT}: is not a property known here`]);
    } else {
      expect([operationId, status < 300]).toEqual([operationId, true]);
      // A record that no register wrote is not kept, and neither is what is misspelt in it.
      const isDropped = at.includes('reliability_record') && operationId.startsWith('update');
      const named = isDropped ? 'reliability_record of the source "a"' : MISSPELT;
      expect(response.warnings!.filter((warning) => warning.includes(named))).toHaveLength(1);
    }
  });
});
