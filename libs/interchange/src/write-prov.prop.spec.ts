import { describe, expect, it } from '@jest/globals';
import { investigations } from '@platform/opinion-fusion/fixtures';
import { covers } from '@platform/testing/covers';
import { SEED } from '@platform/testing/seed';
import fc from 'fast-check';
import { keptDistinctions, keptInferences } from './judged.ts';
import { BRIDGE, judge } from './judged.fixture.ts';
import { writeArgdown } from './write-argdown.ts';
import { writeProv } from './write-prov.ts';

fc.configureGlobal({ seed: SEED });

type Records = Record<string, Record<string, unknown>>;
const read = (bytes: Uint8Array) =>
  JSON.parse(new TextDecoder().decode(bytes)) as Record<string, Records> & { prefix: Record<string, string> };

/** Ends of each relation, and where what they name is declared. Source: PROV-DM §5. */
const ENDS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  wasAttributedTo: { 'prov:entity': 'entity', 'prov:agent': 'agent' },
  wasDerivedFrom: { 'prov:generatedEntity': 'entity', 'prov:usedEntity': 'entity' },
  used: { 'prov:activity': 'activity', 'prov:entity': 'entity' },
  wasGeneratedBy: { 'prov:entity': 'entity', 'prov:activity': 'activity' },
};

describe('PROV-JSON', () => {
  it('claims are attributed to their sources and derived from what they quote', () => {
    covers('INV-EXPORT.7');
    const [record, post] = BRIDGE.claims;
    const source = { document: 'file_1', version: 2, selector: { exact: 'built' } };
    const prov = read(
      writeProv(
        judge({
          ...BRIDGE,
          claims: [record!, { ...post!, id: 'post (2)', source, supersedes_claim_id: 'record' }],
          distinctions: [],
        }),
      ),
    );
    expect(Object.values(prov['wasAttributedTo']!)).toContainEqual({
      'prov:entity': 'inv:claims.record',
      'prov:agent': 'inv:actors.archive',
    });
    expect(
      Object.values(prov['wasDerivedFrom']!).map((one) => [
        one['prov:generatedEntity'],
        one['prov:usedEntity'],
        (one['prov:type'] as { $: string }).$,
      ]),
    ).toEqual([
      ['inv:claims.record', 'inv:pages.https%3A%2F%2Fexample%2Eorg%2F1731', 'prov:PrimarySource'],
      ['inv:claims.post%20%282%29', 'inv:documents.file_1%202', 'prov:PrimarySource'],
      ['inv:claims.post%20%282%29', 'inv:claims.record', 'prov:Revision'],
    ]);
  });

  it.each(['retracted', 'superseded'])('Argdown and PROV mark a claim that is %s', (status) => {
    covers('INV-EXPORT.23');
    const [record, post] = BRIDGE.claims;
    const judged = judge({
      ...BRIDGE,
      claims: [{ ...record!, epistemic_status: status }, post!],
      distinctions: [],
    });
    expect(read(writeProv(judged))['entity']).toMatchObject({
      'inv:claims.record': { 'inv:epistemic_status': status },
      'inv:claims.post': expect.not.objectContaining({ 'inv:epistemic_status': expect.anything() }),
    });
    const argdown = new TextDecoder().decode(writeArgdown(judged));
    expect(argdown.match(/"status":"[a-z]+"/g)).toEqual([`"status":"${status}"`]);
  });

  it('a claim is a quotation of a document only where its words were found there, and says what became of them', () => {
    covers('INV-EXPORT.21');
    const [record] = BRIDGE.claims;
    const selector = { exact: 'built' };
    const states = ['verified', 'moved', 'gone', 'not_checked'] as const;
    const judged = judge({
      ...BRIDGE,
      claims: [
        ...states.map((id) => ({ ...record!, id, source: { document: 'file_1', version: 2, selector } })),
        { ...record!, id: 'whole', source: { document: 'file_1', version: 2 } },
        { ...record!, id: 'unknown', source: { document: 'file_1', version: 2, selector } },
      ],
      distinctions: [],
      evidence: [],
    });
    const file = { kind: 'claims' as const, document: 'file_1' };
    const prov = read(
      writeProv({
        ...judged,
        quotes: {
          checked_at: judged.judgement.judged_at,
          items: [
            ...states.map((state) => ({ ...file, id: state, state })),
            { ...file, id: 'whole', state: 'verified', whole_document: true },
          ],
        },
        documents: [
          {
            document: 'file_1',
            version: 2,
            sha256: '0'.repeat(64),
            filename: 'report.txt',
            url: 'https://example.org/report',
            added_at: null,
            length: 0,
            stretches: [],
            marks: [],
          },
        ],
      }),
    );
    expect(
      Object.values(prov['wasDerivedFrom']!).map((one) => [
        one['prov:generatedEntity'],
        (one['prov:type'] as { $: string }).$,
      ]),
    ).toEqual([
      ['inv:claims.verified', 'prov:Quotation'],
      ['inv:claims.moved', 'prov:Quotation'],
      ['inv:claims.not_checked', 'prov:PrimarySource'],
      ['inv:claims.whole', 'prov:PrimarySource'],
      ['inv:claims.unknown', 'prov:PrimarySource'],
    ]);
    expect(prov['entity']!['inv:claims.gone']).toMatchObject({
      'inv:quote_state': 'gone',
      'inv:quoted_document': { $: 'inv:documents.file_1%202' },
    });
    expect(prov['entity']!['inv:documents.file_1%202']).toMatchObject({
      'prov:label': 'report.txt',
      'prov:location': { $: 'https://example.org/report' },
    });
  });

  it('inferences are derived from their premises, and distinctions name the claims that they tell apart', () => {
    covers('INV-EXPORT.49', 'INV-EXPORT.55');
    const inference = {
      id: 'i',
      subject_id: 'bridge',
      predicate: 'standing',
      rule_type: 'analogy',
      rule_param: 'arches',
      premise_claim_ids: ['record', 'post'],
    };
    const judged = judge({ ...BRIDGE, inferences: [inference] });
    const prov = read(writeProv(judged));
    const [distinction] = BRIDGE.distinctions!;
    expect(prov['entity']).toMatchObject({
      'inv:inferences.i': {
        'prov:type': 'inference',
        'prov:label': 'Old bridge: standing',
        'inv:predicate': 'standing',
        'inv:rule_type': 'analogy',
        'inv:rule_param': 'arches',
        'inv:subject': 'Old bridge',
        'inv:subject_id': 'bridge',
      },
      'inv:claims.record': { 'inv:subject': 'Old bridge', 'inv:subject_id': 'bridge' },
      'inv:claims.doubt': expect.not.objectContaining({ 'inv:subject_id': expect.anything() }),
      [`inv:distinctions.${distinction!.id}`]: {
        'prov:type': 'distinction',
        'inv:feature': distinction!.feature,
        'inv:condition_a': distinction!.condition_a,
        'inv:condition_b': distinction!.condition_b,
        'inv:argument_a': { $: `inv:claims.${distinction!.argument_a}` },
        'inv:argument_b': { $: `inv:claims.${distinction!.argument_b}` },
      },
    });
    const used = Object.values(prov['used']!).map((one) => one['prov:entity']);
    expect(used).toEqual(expect.arrayContaining(['inv:inferences.i', `inv:distinctions.${distinction!.id}`]));
    expect(
      Object.values(prov['wasDerivedFrom']!)
        .filter((one) => one['prov:generatedEntity'] === 'inv:inferences.i')
        .map((one) => one['prov:usedEntity']),
    ).toEqual(['inv:claims.record', 'inv:claims.post']);
  });

  it('an inference that the judgement dropped is not among what the result comes from', () => {
    covers('INV-EXPORT.57');
    const inference = { id: 'i', subject_id: 'bridge', predicate: 'standing', rule_type: 'analogy' };
    const judged = judge({ ...BRIDGE, inferences: [{ ...inference, premise_claim_ids: ['record'] }] });
    expect(judged.result.warnings).toContainEqual(expect.stringMatching(/^Inference .* was dropped/));
    expect(new TextDecoder().decode(writeProv(judged))).not.toContain('inv:inferences.i');
  });

  it('claims and evidence keep their addresses, also next to a stored document', () => {
    covers('INV-EXPORT.50');
    const [record] = BRIDGE.claims;
    const source = { document: 'file_1', version: 2 };
    const claims = [{ ...record!, source }];
    const evidence = [{ ...BRIDGE.evidence![0]!, source, url: 'https://example.org/1731' }];
    const prov = read(writeProv(judge({ ...BRIDGE, claims, evidence, distinctions: [] })));
    const url = { $: 'https://example.org/1731', type: 'xsd:anyURI' };
    expect(prov['entity']!['inv:claims.record']).toMatchObject({ 'inv:url': url });
    expect(prov['entity']!['inv:evidence.plate']).toMatchObject({ 'inv:url': url });
  });

  it('every relation of an export names what the export declares', () => {
    covers('INV-EXPORT.7');
    fc.assert(
      fc.property(investigations(), (input) => {
        const judged = judge(input);
        const prov = read(writeProv(judged));
        for (const [relation, ends] of Object.entries(ENDS))
          for (const record of Object.values(prov[relation]!))
            for (const [end, declared] of Object.entries(ends))
              expect(Object.keys(prov[declared]!)).toContain(record[end]);
        expect(Object.keys(prov['entity']!)).toHaveLength(
          new Set(input.claims.map(({ id }) => id)).size +
            [input.evidence, keptInferences(judged), keptDistinctions(judged)].flatMap<unknown>(
              (items) => items ?? [],
            ).length +
            1,
        );
      }),
    );
  });
});
