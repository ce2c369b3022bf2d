import { describe, expect, it } from '@jest/globals';
import { textOf, type ClaimInput, type InvestigationInput } from '@platform/opinion-fusion';
import { rankedClaimsCsv } from '@platform/viewer';
import { withWords } from '@platform/viewer/browser';
import { covers } from '@platform/testing/covers';
import { writeAif } from './aif/write-aif.ts';
import { writeClaimReview } from './claim-review/write-claim-review.ts';
import { writeInvestigation } from './investigation-json.ts';
import type { Judged } from './judged.ts';
import { judge } from './judged.fixture.ts';
import { writeMisp } from './misp/write-misp.ts';
import { writeStix } from './stix/write-stix.ts';
import { writeArgdown } from './write-argdown.ts';
import { writeProv } from './write-prov.ts';

const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);

/** The claims of a file, without its verdicts. */
const FORMATS: Readonly<Record<string, (judged: Judged) => string>> = {
  json: (judged) => text(writeInvestigation(judged)),
  aif: (judged) => text(writeAif(judged)),
  argdown: (judged) => text(writeArgdown(judged)),
  prov: (judged) => text(writeProv(judged)),
  stix: (judged) =>
    JSON.stringify(
      (
        JSON.parse(text(writeStix(judged))) as { objects: { type: string; labels?: object }[] }
      ).objects.filter(({ type, labels }) => type === 'note' && labels === undefined),
    ),
  misp: (judged) =>
    JSON.stringify(
      (
        JSON.parse(text(writeMisp(judged))) as { Event: { Attribute: { category: string; type: string }[] } }
      ).Event.Attribute.filter(({ type }) => type === 'text'),
    ),
  'csv of the zip': (judged) => rankedClaimsCsv(judged),
  'page and PDF': (judged) => textOf(withWords(judged).words!.claims[0]!),
};

const claim = (id: string, more: Partial<ClaimInput> = {}): ClaimInput => ({
  id,
  actor_id: id,
  subject_id: 's',
  predicate: 'city',
  value: 'Paris',
  content: `statement ${id}`,
  ...more,
});
const on = (...claims: ClaimInput[]): InvestigationInput => ({
  research_question: 'Where?',
  actors: claims.map(({ id }) => ({ id, name: `Source ${id}`, source_type: 'Expert' })),
  subjects: [{ id: 's', name: 'The summit', subject_type: 'event' }],
  claims,
});
const YEARS = { event_start_time: '1990', event_end_time: '2000' };

describe.each(Object.entries(FORMATS))('claims in an export as %s', (format, said) => {
  it('a denial is told from an affirmation', () => {
    covers('INV-EXPORT.30');
    const file = said(judge(on(claim('a', { valence: 'Refutes' }))));
    expect(file).toMatch(/is not .*Paris|Refutes/);
    expect(said(judge(on(claim('a'))))).not.toMatch(/is not .*Paris|Refutes/);
  });

  it('the scope of a claim is told', () => {
    covers('INV-EXPORT.30');
    expect(said(judge(on(claim('a', { scope: 'in winter' }))))).toContain('in winter');
  });

  it('the time that a claim is about is told', () => {
    covers('INV-EXPORT.30');
    expect(said(judge(on(claim('a', YEARS))))).toMatch(/1990[^]*2000/);
  });

  // A page says next to such a claim that it refutes another one.
  if (format === 'page and PDF') return;

  it('the side of a claim about a claim is told', () => {
    covers('INV-EXPORT.30');
    const about = { subject_id: null, target_claim_id: 'a', predicate: 'reliable', value: 'true' };
    const against = said(judge(on(claim('a'), claim('b', { ...about, valence: 'Refutes' }))));
    expect(against).toMatch(/Refutes|Against the claim a/);
  });
});

const VERDICTS: Readonly<Record<string, (judged: Judged) => string>> = {
  claimreview: (judged) => text(writeClaimReview(judged)),
  stix: (judged) =>
    JSON.stringify(
      (
        JSON.parse(text(writeStix(judged))) as { objects: { type: string; labels?: object }[] }
      ).objects.filter(({ type, labels }) => type === 'note' && labels !== undefined),
    ),
  misp: (judged) =>
    JSON.stringify(
      (
        JSON.parse(text(writeMisp(judged))) as { Event: { Attribute: { type: string }[] } }
      ).Event.Attribute.filter(({ type }) => type === 'comment'),
    ),
};

describe.each(Object.entries(VERDICTS))('verdicts in an export as %s', (_, said) => {
  it.each([
    ['which all claims share', []],
    ['of one of several', [claim('c', { value: 'Rome', scope: 'in summer' })]],
  ])('the scope and time %s stand in the statement', (_case, others) => {
    covers('INV-EXPORT.31');
    const scoped = { scope: 'in winter', ...YEARS };
    const file = said(judge(on(claim('a', scoped), claim('b', scoped), ...others)));
    expect(file).toContain('The city of the summit is Paris (in winter, from 1990 to 2000)');
  });
});

describe('sides of a distinction in a ClaimReview', () => {
  it('the one that a denial stands for is not its value', () => {
    covers('INV-EXPORT.30');
    const distinction = { id: 'd', argument_a: 'a', argument_b: 'b', feature: 'what counts as host' };
    const sides = { ...distinction, condition_a: 'first day', condition_b: 'last day' };
    const input = on(claim('a'), claim('b', { valence: 'Refutes' }));
    const file = text(writeClaimReview(judge({ ...input, distinctions: [sides] })));
    expect(file).toContain('first day: Paris; last day: not Paris.');
  });
});

describe('sources in an export of a verdict', () => {
  it.each(['claimreview', 'stix'] as const)('%s says that the sources of a denial deny it', (format) => {
    covers('INV-EXPORT.32');
    const denied = ['a', 'b', 'd'].map((id) => claim(id, { valence: 'Refutes' }));
    const file = VERDICTS[format]!(judge(on(...denied)));
    expect(file).toContain('No source says so. 3 of 3 do not say so.');
  });
});
