import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { GOOD } from '@platform/interchange/fixtures';
import { covers } from '@platform/testing/covers';
import { workbook } from '@platform/testing/workbook';
import { startBuilt, type BuiltService } from './built-service.fixture.ts';

let service: BuiltService;
beforeAll(async () => {
  service = await startBuilt();
});
afterAll(() => service?.stop());

interface Imported {
  readonly warnings: readonly string[];
  readonly left_out: readonly { readonly path: string; readonly reason: string }[];
}

const call = (path: string, init: RequestInit = {}) =>
  fetch(`${service.url}${path}`, {
    ...init,
    headers: { authorization: `Bearer ${service.token}`, ...init.headers },
  });
const JSON_HEADERS = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
const post = (path: string, body: object) =>
  call(path, { method: 'POST', headers: JSON_HEADERS, body: JSON.stringify(body) });
const create = (id: string, payload?: object) =>
  post('/api/v1/sessions', { session_id: id, name: id, ...(payload && { payload }) });

async function imported(path: string, body: string | Uint8Array<ArrayBuffer>): Promise<Imported> {
  const response = await call(`/api/v1/imports/${path}`, { method: 'POST', body });
  expect(response.status).toBe(200);
  return (await response.json()) as Imported;
}

async function importedByTool(args: object): Promise<Imported> {
  const params = { name: 'import_file', arguments: args };
  const asked = { jsonrpc: '2.0', id: 1, method: 'tools/call', params };
  const response = await (await post('/mcp?toolsets=files', asked)).text();
  const message = JSON.parse(/\{.*\}/s.exec(response)![0]) as { result: { structuredContent: Imported } };
  return message.result.structuredContent;
}

/** One claim, of which everything is about a thing. */
const about = (thing: string, content: string) => ({
  research_question: 'Is it so?',
  actors: [{ id: `office-${thing}`, name: `Office of the ${thing}`, source_type: 'Institutional' }],
  subjects: [{ id: thing, name: thing, subject_type: 'structure' }],
  claims: [
    { id: '1', actor_id: `office-${thing}`, subject_id: thing, predicate: 'state', value: 'good', content },
  ],
});

/** An investigation as a file. */
async function fileOf(format: string, payload: ReturnType<typeof about>): Promise<Uint8Array<ArrayBuffer>> {
  if (format === 'xlsx') {
    const columns = ['id', 'source', 'subject', 'predicate', 'value', 'statement'];
    const rows = payload.claims.map((claim) => [
      claim.id,
      payload.actors[0]!.name,
      payload.subjects[0]!.name,
      claim.predicate,
      claim.value,
      claim.content,
    ]);
    return workbook({ Claims: [columns, ...rows] });
  }
  const id = `file-${format}-${payload.subjects[0]!.id}`;
  await create(id, payload);
  await post(`/api/v1/sessions/${id}/judge`, {});
  return new Uint8Array(await (await call(`/api/v1/sessions/${id}/export/${format}`)).arrayBuffer());
}

describe('what an import takes the place of', () => {
  it.each(['xlsx', 'json', 'aif', 'stix', 'misp'])(
    'a %s file whose ids are those of other claims names them by REST and MCP, and not as there already',
    async (format) => {
      covers('INV-IMPORT.27', 'INV-IMPORT.29');
      const there = about('quay', 'The quay is safe.');
      const evidence = { id: 'e1', claim_id: '1', content: 'Inspection report', valence: 'Supports' };
      await create(`taken-${format}`, { ...there, evidence: [evidence] });
      const file = await fileOf(format, about('dam', 'The dam is 12 m high.'));
      const warnings = [
        '1 claim of the file takes the place of others with the same id: "The quay is safe." becomes "The dam is 12 m high.". Give them other ids in the file to keep both. What refers to the others stays, and is then about those of the file: "Inspection report".',
      ];
      const base64 = Buffer.from(file).toString('base64');
      const session = `taken-${format}`;
      expect((await importedByTool({ format, session, base64, preview: true })).warnings).toEqual(warnings);
      expect((await imported(`${format}?session=${session}&preview=true`, file)).warnings).toEqual(warnings);
      expect((await imported(`${format}?session=${session}`, file)).warnings).toEqual(warnings);
      expect((await imported(`${format}?session=${session}`, file)).warnings).toEqual([]);
    },
  );

  it.each(['xlsx', 'json', 'aif', 'stix', 'misp'])(
    'a %s file that takes the pin and link from a claim says so, and says nothing where it takes none',
    async (format) => {
      covers('INV-IMPORT.28');
      const there = about('lock', 'The lock is shut.');
      const file = await fileOf(format, there);
      const session = `pinned-${format}`;
      await create(session, there);
      expect((await imported(`${format}?session=${session}`, file)).warnings).toEqual([]);
      const { claims } = there;
      const source = { document: 'file_1', selector: { exact: 'shut' } };
      const pinned = claims.map((claim) => ({ ...claim, url: 'https://example.org/', source }));
      await call(`/api/v1/sessions/${session}`, {
        method: 'PATCH',
        headers: JSON_HEADERS,
        body: JSON.stringify({ claims: pinned }),
      });
      const warnings = [
        '1 item with the same id loses what the file does not state: "The lock is shut." its url, source.',
      ];
      expect((await imported(`${format}?session=${session}&preview=true`, file)).warnings).toEqual(warnings);
      expect((await imported(`${format}?session=${session}`, file)).warnings).toEqual(warnings);
      expect((await imported(`${format}?session=${session}`, file)).warnings).toEqual([]);
    },
  );
});

describe('what an import changes', () => {
  const changes = [
    ['actors', 'source_type', 'Institutional', 'Troll'],
    ['actors', 'base_reliability', 0.9, 0.2],
    ['actors', 'default_competence', 0.9, 0.2],
    ['subjects', 'subject_type', 'structure', 'person'],
    ['claims', 'value', 'good', 'bad'],
    ['claims', 'valence', 'Supports', 'Refutes'],
    ['claims', 'content', 'It is good.', 'It is not good.'],
    ['claims', 'epistemic_status', 'retracted', 'theory'],
    ['claims', 'scope', 'at low water', 'at high water'],
    ['claims', 'claim_type', 'Factual', 'Predictive'],
    ['claims', 'assertion_time', '2024-01-01', '2025-01-01'],
    ['claims', 'event_start_time', '2001', '2002'],
    ['claims', 'event_end_time', '2011', '2012'],
    ['claims', 'decay_half_life_days', 10, 20],
    ['claims', 'url', 'https://example.org/a', 'https://example.org/b'],
    ['evidence', 'valence', 'Supports', 'Refutes'],
    ['evidence', 'content', 'A report', 'A rumor'],
    ['evidence', 'weight', 1, 2],
  ] as const;
  it.each(changes)(
    'an item of %s whose %s the file changes is named by REST and MCP, before and after',
    async (...change) => {
      covers('INV-IMPORT.41');
      const [kind, field, was, is] = change;
      const { actors, subjects, claims, research_question } = about('gate', 'The gate is good.');
      const evidence = [{ id: 'e1', claim_id: '1', content: 'Inspection report', valence: 'Supports' }];
      const lists = { actors, subjects, claims, evidence };
      const saying = (value: unknown) => ({
        research_question,
        ...lists,
        [kind]: lists[kind].map((item) => ({ ...item, [field]: value })),
      });
      const session = `changed-${kind}-${field}`;
      await create(session, saying(was));
      const text = JSON.stringify(saying(is));
      const named = `${field} from ${JSON.stringify(was)} to ${JSON.stringify(is)}`;
      for (const result of [
        await importedByTool({ format: 'json', session, text, preview: true }),
        await imported(`json?session=${session}&preview=true`, text),
        await imported(`json?session=${session}`, text),
      ]) {
        expect(result.warnings).toEqual([expect.stringContaining(named)]);
      }
      expect((await importedByTool({ format: 'json', session, text })).warnings).toEqual([]);
      const back = await importedByTool({ format: 'json', session, text: JSON.stringify(saying(was)) });
      expect(back.warnings).toHaveLength(1);
    },
  );

  it.each(['xlsx', 'json', 'aif', 'stix', 'misp'])(
    'a %s file that revives a claim with another value says so, and that the evidence on it stays',
    async (format) => {
      covers('INV-IMPORT.41', 'INV-IMPORT.42');
      const there = about('pier', 'The pier is good.');
      const file = await fileOf(format, {
        ...there,
        claims: there.claims.map((claim) => ({ ...claim, value: 'bad' })),
      });
      const evidence = { id: 'e1', claim_id: '1', content: 'Inspection report', valence: 'Supports' };
      const claims = there.claims.map((claim) => ({ ...claim, epistemic_status: 'retracted' }));
      const session = `revived-${format}`;
      await create(session, { ...there, claims, evidence: [evidence] });
      const warnings = [
        'The file changes 1 item with the same id: "The pier is good.": value from "good" to "bad", epistemic_status from "retracted" to "hypothesis", so that it counts again. Leave it out of the file to keep it as it is. What refers to it stays, and is then about what the file says: "Inspection report".',
      ];
      expect((await imported(`${format}?session=${session}&preview=true`, file)).warnings).toEqual(warnings);
      const base64 = Buffer.from(file).toString('base64');
      expect((await importedByTool({ format, session, base64 })).warnings).toEqual(warnings);
      expect((await imported(`${format}?session=${session}`, file)).warnings).toEqual([]);
    },
  );
});

describe('what an import does not take over of a source', () => {
  const ofSources = ({ left_out }: Imported) => left_out.filter(({ path }) => path.startsWith('actors '));
  const both = async (format: string, query: string, file: Uint8Array<ArrayBuffer>) => {
    const preview = await imported(`${format}?${query}&preview=true`, file);
    const session = new URLSearchParams(query).get('session')!;
    const base64 = Buffer.from(file).toString('base64');
    const same_names = query.includes('same_names') ? { same_names: 'one' } : {};
    const byTool = await importedByTool({ format, session, base64, ...same_names, preview: true });
    expect(ofSources(byTool)).toEqual(ofSources(preview));
    expect(ofSources(await imported(`${format}?${query}`, file))).toEqual(ofSources(preview));
    return ofSources(preview);
  };

  it.each(['stix', 'misp'] as const)(
    'a grade that %s states of a source which the session has by its name is named, and the own one stays',
    async (format) => {
      covers('INV-IMPORT.43');
      const cert = { id: 'cert', name: 'example  CERT', source_type: 'Regulator' };
      for (const [own, words] of [
        [undefined, 'unset'],
        [0.5, '0.5'],
      ] as const) {
        const session = `grade-${format}-${words}`;
        const actors = [{ ...cert, ...(own !== undefined && { base_reliability: own }) }];
        await create(session, { research_question: 'q', actors, subjects: [], claims: [] });
        const reason = `stays as it is in the session, which differs from the file: base_reliability is 0.7 in the file and ${words} in the session; set it there to take it over; it is called "example  CERT"`;
        const found = await both(format, `session=${session}`, Uint8Array.from(GOOD[format]));
        expect(found).toEqual([{ path: 'actors cert', reason }]);
        const stored = await (await call(`/api/v1/sessions/${session}/actors`)).json();
        expect(stored).toContainEqual(actors[0]);
      }
    },
  );

  const all = {
    source_type: 'Expert',
    base_reliability: 0.9,
    competence: { state: 0.4 },
    default_competence: 0.8,
    depends_on: ['wire'],
  };
  it.each([
    ['json', 'own'],
    ['aif', 'own'],
    ['stix', 'own'],
    ['misp', 'own'],
    ['aif', 'actor-0123456789abcdef'],
    ['stix', 'actor-0123456789abcdef'],
    ['misp', 'actor-0123456789abcdef'],
  ])('a %s file whose source %s is taken as that of its name names each field of it', async (format, id) => {
    covers('INV-IMPORT.43', 'INV-IMPORT.44');
    const thing = `weir-${id}`;
    const { actors, claims, ...rest } = about(thing, 'The weir is good.');
    const wire = { id: 'wire', name: 'Wire', source_type: 'Journalist' };
    const file = await fileOf(format, {
      ...rest,
      actors: [{ ...actors[0]!, ...all, id }, wire],
      claims: claims.map((claim) => ({ ...claim, actor_id: id })),
    });
    const session = `fields-${format}-${id}`;
    await create(session, { ...rest, actors, claims: [] });
    const query = `session=${session}${id === 'own' ? '&same_names=one' : ''}`;
    const found = await both(format, query, file);
    expect(found).toHaveLength(1);
    expect(found[0]!.path).toBe(`actors ${actors[0]!.id}`);
    for (const words of [
      'source_type is "Expert" in the file and "Institutional"',
      'base_reliability is 0.9 in the file and unset',
      'competence is {"state":0.4} in the file and unset',
      'default_competence is 0.8 in the file and 1',
      'depends_on is ["wire"] in the file and unset',
    ])
      expect(found[0]!.reason).toContain(words);
    expect(await (await call(`/api/v1/sessions/${session}/actors`)).json()).toEqual([actors[0], wire]);
  });
});

describe('what an import leaves standing', () => {
  it('a row without id that corrects or withdraws an earlier one names the claim that still counts', async () => {
    covers('INV-IMPORT.29', 'INV-IMPORT.30', 'INV-IMPORT.31', 'INV-IMPORT.45');
    await create('rows-again');
    const row = (value: string, status: string) =>
      workbook({
        Claims: [
          ['source', 'subject', 'predicate', 'value', 'statement', 'epistemic_status'],
          ['Survey', 'Dam', 'height', value, `It is ${value} high.`, status],
        ],
      });
    const standing = ({ left_out, warnings }: Imported) => {
      expect(warnings).toEqual([]);
      return left_out.flatMap(({ path, reason }) => (path.startsWith('claims row-') ? [reason] : []));
    };
    const merge = async (value: string, status = '') => {
      const file = row(value, status);
      const base64 = Buffer.from(file).toString('base64');
      const asked = { format: 'xlsx', session: 'rows-again', base64, preview: true };
      const found = standing(await imported('xlsx?session=rows-again', file));
      // The same file later, whose row is there.
      expect(standing(await imported('xlsx?session=rows-again&preview=true', file))).toEqual(found);
      expect(standing(await importedByTool(asked))).toEqual(found);
      return found;
    };
    expect(await merge('12 m')).toEqual([]);
    expect(await merge('12 m', 'retracted')).toEqual([
      expect.stringMatching(/^is withdrawn in the file, and still counts.*; it says "It is 12 m high\."$/),
    ]);
    expect(await merge('21 m')).toEqual([
      expect.stringMatching(/counts beside "It is 21 m high\." of the file.*; it says "It is 12 m high\."$/),
    ]);
    const claims = (await (await call('/api/v1/sessions/rows-again/claims')).json()) as { id: string }[];
    await call(`/api/v1/sessions/rows-again/claims/${claims[0]!.id}`, { method: 'DELETE' });
    expect(await merge('21 m')).toEqual([]);
  });

  const note = { type: 'note', id: 'note--1', content: 'It is open.', object_refs: [] };
  const attribute = { type: 'text', category: 'Other', uuid: 'u', value: 'It is open.' };
  const { Q1: entity } = (
    JSON.parse(new TextDecoder().decode(GOOD.wikidata)) as {
      entities: { Q1: { claims: { P571: object[] } } };
    }
  ).entities;
  const statement = (rank: string) => ({
    entities: { Q1: { ...entity, claims: { P571: [{ ...entity.claims.P571[0], rank }] } } },
  });
  it.each([
    ['note', 'stix', [note], [{ ...note, revoked: true }]],
    ['attribute', 'misp', { Attribute: [attribute] }, { Attribute: [{ ...attribute, deleted: true }] }],
    [
      'object',
      'misp',
      { Object: [{ Attribute: [attribute] }] },
      { Object: [{ deleted: true, Attribute: [attribute] }] },
    ],
    ['statement', 'wikidata', statement('normal'), statement('deprecated')],
  ])('a %s of %s that was withdrawn since its import is named as one that still counts', async (...args) => {
    covers('INV-IMPORT.31');
    const [what, format, first, later] = args;
    const session = `withdrawn-${format}-${what}`;
    await create(session);
    const merge = async (file: object) =>
      (await imported(`${format}?session=${session}`, JSON.stringify(file))).left_out.filter(({ reason }) =>
        reason.includes('withdrawn'),
      );
    expect(await merge(first)).toEqual([]);
    expect(await merge(later)).toContainEqual({
      path: expect.stringMatching(/^claims /),
      reason: expect.stringMatching(/^is withdrawn in the file, and still counts in the session/),
    });
  });
});

describe('later versions of objects', () => {
  it('a later version of a STIX object supersedes the earlier one over REST and MCP, in whatever order', async () => {
    covers('INV-IMPORT.121', 'INV-IMPORT.122');
    const id = 'indicator--8e2e2d2b-17d4-4cbf-938f-98ee46b3cd3f';
    const wordsOf = (name: string) => `[file:name = '${name}'] indicates malicious-activity.`;
    const version = (name: string, day: number, confidence?: number) =>
      JSON.stringify([
        {
          type: 'indicator',
          id,
          modified: `2026-01-0${day}T00:00:00Z`,
          pattern: `[file:name = '${name}']`,
          indicator_types: ['malicious-activity'],
          confidence,
        },
      ]);
    interface Stored {
      readonly claims: readonly { readonly content: string; readonly epistemic_status?: string }[];
      readonly evidence: readonly object[];
    }
    const stored = async () =>
      ((await (await call('/api/v1/sessions/versions')).json()) as { payload: Stored }).payload;
    const statuses = async () =>
      new Map((await stored()).claims.map(({ content, epistemic_status: status }) => [content, status]));
    await create('versions');
    await imported('stix?session=versions', version('a', 1, 90));
    const words = `1 claim of an earlier version of ${id} is superseded by the file and retracted: "${wordsOf('a')}".`;
    const preview = await imported('stix?session=versions&preview=true', version('b', 2));
    expect(preview.warnings).toEqual([words]);
    expect(await statuses()).toEqual(new Map([[wordsOf('a'), undefined]]));
    const asked = { format: 'stix', session_id: 'versions', text: version('b', 2) };
    expect((await importedByTool(asked)).warnings).toEqual([words]);
    expect(await statuses()).toEqual(
      new Map([
        [wordsOf('a'), 'retracted'],
        [wordsOf('b'), undefined],
      ]),
    );
    const before = await stored();
    const older = await imported('stix?session=versions', version('c', 1));
    expect(older.left_out[0]!.reason).toBe(
      `is of an earlier version of ${id} than the session has: it is left out`,
    );
    expect(await stored()).toEqual(before);
    await imported('stix?session=versions', version('a', 3));
    expect(await statuses()).toEqual(
      new Map([
        [wordsOf('a'), undefined],
        [wordsOf('b'), 'retracted'],
      ]),
    );
    // The third version states no confidence any more; what it superseded is marked.
    expect((await stored()).evidence).toMatchObject([
      { content: expect.stringMatching(/^Superseded by the version of indicator--/), valence: 'Neutral' },
    ]);
  });

  it('evidence that someone wrote in place of a grade stays, and a preview names that and what goes', async () => {
    covers('INV-IMPORT.126', 'INV-IMPORT.127');
    const version = (day: number, confidence?: number) =>
      JSON.stringify(
        ['a', 'b'].map((name) => ({
          type: 'indicator',
          id: `indicator--${name}`,
          modified: `2026-01-0${day}T00:00:00Z`,
          pattern: `[file:name = '${name}']`,
          confidence,
        })),
      );
    await create('grades');
    await imported('stix?session=grades', version(1, 80));
    interface Stored {
      readonly payload: { readonly evidence: readonly { readonly id: string; readonly claim_id: string }[] };
    }
    const stored = async () => ((await (await call('/api/v1/sessions/grades')).json()) as Stored).payload;
    const [first] = (await stored()).evidence;
    const own = { ...first!, content: 'Our own analysis confirms it.', weight: 0.9 };
    await call('/api/v1/sessions/grades', {
      method: 'PATCH',
      headers: JSON_HEADERS,
      body: JSON.stringify({ evidence: [own] }),
    });
    for (const preview of ['&preview=true', '']) {
      const { warnings, left_out: leftOut } = await imported(`stix?session=grades${preview}`, version(2));
      expect(warnings).toContainEqual(
        expect.stringMatching(/^1 grade that the later version does not state is removed: /),
      );
      expect(leftOut).toContainEqual({
        path: `evidence ${own.id}`,
        reason: expect.stringMatching(/^stays as it was edited since its import/),
      });
    }
    expect((await stored()).evidence).toEqual([own]);
  });
});
