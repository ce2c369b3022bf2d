import { describe, expect, it } from '@jest/globals';
import { analyze, OBJECTS, resultText, type Field, type ObjectName } from '@platform/opinion-fusion';
import { covers } from '@platform/testing/covers';
import { SEED } from '@platform/testing/seed';
import {
  rankedClaimsCsv,
  renderEmbedPage,
  renderSharePage,
  shareImage,
  type ShareSnapshot,
} from '@platform/viewer';
import fc from 'fast-check';
import { EVERYTHING } from '../../e2e/mutate.fixture.ts';
import { packJson, unpackJsonSync } from '../wire/packed-json.ts';
import { SharePreview } from '../wire/share-schema.ts';
import { freezeSnapshot } from './freeze-snapshot.ts';
import { presentationFields } from '../wire/presentation.ts';
import { previewShare } from './preview-share.ts';

fc.configureGlobal({ seed: SEED });

type Node = Record<string, unknown>;
const NOW = new Date('2026-06-01T12:00:00Z');
const SIGNAL = { aborted: false };
const FRAME = {
  session_name: 'A name',
  interpretation: 'A reading.',
  interpretation_updated_at: NOW.toISOString(),
  judgement: { id: '018f0000-0000-7000-8000-000000000001', judged_at: NOW.toISOString(), duration_ms: 3 },
};
const SHARE = {
  share_uuid: '018f0000-0000-7000-8000-000000000002',
  slug: 'a-name',
  preferred_pane: 'overview' as const,
  url: 'https://example.org/share/x/a-name',
  snapshot_taken_at: NOW.toISOString(),
  updated_at: NOW.toISOString(),
};

/** The objects of an investigation, by the field table; with the table's name of each. */
function objectsOf(name: ObjectName, node: Node): { name: ObjectName; node: Node }[] {
  const nested = Object.entries(OBJECTS[name] as Record<string, Field>).flatMap(([key, field]) =>
    field.kind === 'list' && Array.isArray(node[key])
      ? (node[key] as Node[]).flatMap((item) => objectsOf(field.of!, item))
      : [],
  );
  return [{ name, node }, ...nested];
}

/** Where a field is added, and what: its name and everything in it hold the word that is searched for. */
const WORD = 'undisclosed';
const extra = fc.record({
  at: fc.nat(),
  key: fc.stringMatching(/^[a-z_"\\ ]{0,8}$/).map((text) => `${WORD}${text}`),
  value: fc.oneof(
    fc.constant(WORD),
    fc.array(fc.constant({ [WORD]: WORD }), { maxLength: 3 }),
    fc.constant({ id: WORD, claims: [{ id: WORD }] }),
  ),
});

function frozen(input: object): { task: Parameters<typeof previewShare>[0]; text: string } {
  const result = [...resultText(analyze(input, { now: NOW }))].join('');
  const kept = { frame: FRAME, inputSnapshot: packJson(JSON.stringify(input)), result: packJson(result) };
  const snapshot = freezeSnapshot(
    { kind: 'freeze', ...kept, quotes: null, documents: [], published: null, feedState: null },
    SIGNAL,
  );
  return {
    task: {
      kind: 'preview',
      ...kept,
      isEditedSince: false,
      interpretationPredatesJudgement: false,
      presentation: presentationFields(null),
    },
    text: new TextDecoder().decode(unpackJsonSync(snapshot)),
  };
}

describe('what a share makes public', () => {
  it('no field that the field table lacks becomes public in JSON, page, card, image or CSV, however deep it stands', () => {
    covers('INV-S.35');
    const whole = frozen(EVERYTHING).text;
    fc.assert(
      fc.property(fc.array(extra, { minLength: 1, maxLength: 6 }), (extras) => {
        const input = structuredClone(EVERYTHING) as unknown as Node;
        const objects = objectsOf('InvestigationInput', input);
        for (const { at, key, value } of extras) objects[at % objects.length]!.node[key] = value;
        const { text, task } = frozen(input);
        expect(text).not.toContain(WORD);
        // What is published is as if the fields had never been sent.
        expect(text).toBe(whole);
        const share = { share: SHARE, ...(JSON.parse(text) as object) } as ShareSnapshot;
        const assets = { styles: '', early: '', main: '', embed: '' };
        expect(renderSharePage(share, { assets })).not.toContain(WORD);
        expect(renderEmbedPage(share, assets)).not.toContain(WORD);
        expect(shareImage(share)).not.toContain(WORD);
        expect(rankedClaimsCsv(share)).not.toContain(WORD);
        expect(JSON.stringify(previewShare(task))).not.toContain(WORD);
      }),
      { numRuns: 60 },
    );
  });

  it('the preview names every member of the public JSON and every field of the investigation in it, and no other', () => {
    covers('INV-S.35');
    fc.assert(
      fc.property(fc.array(fc.nat(), { maxLength: 12 }), (picks) => {
        const input = structuredClone(EVERYTHING) as unknown as Node;
        for (const pick of picks) {
          const { name, node } = objectsOf('InvestigationInput', input)[pick % 20] ?? {
            name: null,
            node: {},
          };
          if (name === null) continue;
          const optional = Object.keys(node).filter(
            (key) => !OBJECTS[name][key]!.required && !['subject_id', 'target_claim_id'].includes(key),
          );
          if (optional.length > 0) delete node[optional[pick % optional.length]!];
        }
        const { text, task } = frozen(input);
        const shown = JSON.parse(text) as { input: Node };
        const preview = SharePreview.parse(previewShare(task));
        const used = objectsOf('InvestigationInput', shown.input).flatMap(({ name, node }) =>
          Object.keys(node).map((field) => `${name}.${field}`),
        );
        const named = preview.fields.flatMap(({ object, field, count }) =>
          Array.from({ length: count }, () => `${object}.${field}`),
        );
        expect(named.sort()).toEqual(used.sort());
        expect(preview.parts.map(({ name }) => name)).toEqual(['share', ...Object.keys(shown)]);
      }),
      { numRuns: 40 },
    );
  });
});
