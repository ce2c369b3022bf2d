import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { describe, expect, it } from '@jest/globals';
import { EXPORT_FORMATS } from '@platform/interchange/formats';
import { readPdf, writeFile } from '@platform/interchange';
import { analyze, resultText, type InvestigationInput } from '@platform/opinion-fusion';
import { covers } from '@platform/testing/covers';
import {
  rankedClaimsCsv,
  renderSharePage,
  shareData,
  type ShareDocument,
  type ShareSnapshot,
} from '@platform/viewer';
import { strFromU8, unzipSync } from 'fflate';
import { packJson, unpackJsonSync, type PackedJson } from '../wire/packed-json.ts';
import { freezeSnapshot } from './freeze-snapshot.ts';

const NOW = new Date('2026-06-01T12:00:00Z');
const EXACT = 'the valve was left open';
const AROUND = ['Karlaweiss', 'Omarhaddad'];
const source = {
  document: 'file_x',
  selector: {
    exact: EXACT,
    start: 20,
    end: 43,
    prefix: `${AROUND[0]} said: `,
    suffix: `, ${AROUND[1]} knows`,
  },
};
const inputOf = (content = 'It was open.'): InvestigationInput => ({
  research_question: 'Was it open?',
  actors: [{ id: 'a', name: 'Employee', source_type: 'Insider' }],
  subjects: [{ id: 's', name: 'Valve', subject_type: 'part' }],
  claims: [{ id: 'c', actor_id: 'a', subject_id: 's', predicate: 'open', value: 'true', content, source }],
  evidence: [{ id: 'e', claim_id: 'c', content: 'The log.', valence: 'Supports', source }],
});
const documentOf = (marks: ShareDocument['marks']): ShareDocument => ({
  document: 'file_x',
  version: 1,
  sha256: '0'.repeat(64),
  filename: 'log.txt',
  url: null,
  added_at: null,
  length: 100,
  stretches: [{ start: 0, text: `0123456789012345678 ${EXACT}` }],
  marks,
});

const packed = (value: unknown) => packJson(JSON.stringify(value));
function frozen(
  input: InvestigationInput,
  {
    documents = [],
    id = 'j1',
    published = null,
  }: {
    readonly documents?: readonly ShareDocument[];
    readonly id?: string;
    readonly published?: PackedJson | null;
  } = {},
): ShareSnapshot {
  const task = {
    kind: 'freeze' as const,
    frame: {
      session_name: 'n',
      interpretation: null,
      interpretation_updated_at: null,
      judgement: { id, judged_at: NOW.toISOString(), duration_ms: 1 },
    },
    inputSnapshot: packed(input),
    result: packJson([...resultText(analyze(input, { now: NOW }))].join('')),
    quotes: null,
    documents,
    published,
    feedState: null,
  };
  const text = new TextDecoder().decode(unpackJsonSync(freezeSnapshot(task, { aborted: false })));
  const share = {
    share_uuid: '018f0000-0000-7000-8000-000000000002',
    slug: 'a',
    preferred_pane: 'overview',
    url: 'https://example.org/share/x/a',
    snapshot_taken_at: NOW.toISOString(),
    updated_at: NOW.toISOString(),
  };
  return { share, ...(JSON.parse(text) as object) } as ShareSnapshot;
}

const { resolve } = createRequire(import.meta.url);
const font = (file: string) =>
  new Uint8Array(readFileSync(resolve(`@expo-google-fonts/source-serif-4/${file}`)));
const fonts = () => ({
  regular: font('400Regular/SourceSerif4_400Regular.ttf'),
  semibold: font('600SemiBold/SourceSerif4_600SemiBold.ttf'),
});

/** All text of a file, what is packed or in base64 in it too. */
async function textIn(format: (typeof EXPORT_FORMATS)[number], snapshot: ShareSnapshot): Promise<string> {
  const json = (value: unknown) => new TextEncoder().encode(JSON.stringify(value));
  const parts = { input: json(snapshot.input), result: json(snapshot.result), fonts };
  const file = Uint8Array.from(writeFile(format, snapshot, parts));
  if (format.startsWith('pdf')) return (await readPdf(file)).text;
  if (format === 'zip')
    return Object.values(unzipSync(file))
      .map((one) => strFromU8(one))
      .join('\n');
  const text = strFromU8(file);
  const encoded = [...text.matchAll(/"(?:payload_bin|data)":\s*"([A-Za-z0-9+/=]{40,})"/g)];
  return [text, ...encoded.map(([, data]) => Buffer.from(data!, 'base64').toString())].join('\n');
}
const FORMS: Readonly<Record<string, (snapshot: ShareSnapshot) => string | Promise<string>>> = {
  ...Object.fromEntries(
    EXPORT_FORMATS.map((format) => [format, (snapshot: ShareSnapshot) => textIn(format, snapshot)]),
  ),
  csv: rankedClaimsCsv,
  data: shareData,
  page: (snapshot) =>
    renderSharePage(snapshot, { assets: { styles: '', early: '', main: '', embed: '' }, pane: 'audit' }),
};

const place = { start: 20, end: 43 };
const mark = { kind: 'claims' as const, id: 'c', ...place, isCandidate: false };

describe('words around a quote in a share', () => {
  describe.each(Object.entries(FORMS))('as %s', (_, textOf) => {
    it.each([
      ['is not shown', []],
      ['has moved', [documentOf([{ ...mark, isCandidate: true }])]],
      ['is not shown, where another document is', [documentOf([{ ...mark, kind: 'evidence', id: 'other' }])]],
    ])('none stand around a quote whose passage %s', async (_case, documents) => {
      covers('INV-Q.79');
      const text = await textOf(frozen(inputOf(), { documents }));
      for (const words of AROUND) expect(text).not.toContain(words);
    });
  });

  it('they stay with claims and evidence whose verified passage is shown, each by itself', () => {
    covers('INV-Q.79');
    const { selector } = source;
    const { exact, start, end } = selector;
    const shown = frozen(inputOf(), { documents: [documentOf([mark])] }).input;
    expect(shown.claims[0]!.source!.selector).toEqual(selector);
    expect(shown.evidence![0]!.source!.selector).toEqual({ exact, start, end });
    const both = [mark, { ...mark, kind: 'evidence' as const, id: 'e' }];
    expect(frozen(inputOf(), { documents: [documentOf(both)] }).input).toEqual(inputOf());
  });

  it('the changes since the publication before tell none of them', () => {
    covers('INV-Q.80');
    const { share: _share, ...before } = frozen(inputOf(), {
      documents: [documentOf([mark, { ...mark, kind: 'evidence', id: 'e' }])],
    });
    const published = packed(before);
    const { changes } = frozen(inputOf('It was wide open.'), { id: 'j2', published });
    expect(changes!.change_count).toBe(1);
    for (const words of AROUND) expect(JSON.stringify(changes)).not.toContain(words);
  });
});
