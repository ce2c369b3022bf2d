import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { analyze, explainAndAudit, type InvestigationInput } from '@platform/opinion-fusion';
import type { Judged } from './judged.ts';

/** A value as the JSON of a file. */
export const jsonBytes = (value: unknown) => new TextEncoder().encode(JSON.stringify(value));

export const NOW = new Date('2026-11-23T10:00:00Z');

/** An investigation as it is judged at NOW. */
export function judge(input: InvestigationInput): Judged {
  const result = analyze(input, { now: NOW });
  const { explanations, claimAudits } = explainAndAudit(input, { now: NOW, budget: 0 });
  const digest = (value: unknown) => createHash('sha256').update(JSON.stringify(value)).digest('hex');
  return {
    session_name: 'The bridge: "when"?',
    interpretation: null,
    interpretation_updated_at: null,
    judgement: {
      id: '0d4cf0a4-6d2e-4f0e-9a58-37c0ab1d2f11',
      judged_at: NOW.toISOString(),
      duration_ms: 3,
      engine_version: result.engine_version,
    },
    input,
    input_sha256: digest(input),
    result,
    result_sha256: digest(result),
    explanations,
    claim_audits: claimAudits,
  };
}

const { resolve } = createRequire(import.meta.url);
const font = (file: string) =>
  new Uint8Array(readFileSync(resolve(`@expo-google-fonts/source-serif-4/${file}`)));

/** JSON bytes of what is archived of it, and the fonts of reports. */
export const partsOf = ({ input, result }: Judged) => ({
  input: new TextEncoder().encode(JSON.stringify(input)),
  result: new TextEncoder().encode(JSON.stringify(result)),
  fonts: () => ({
    regular: font('400Regular/SourceSerif4_400Regular.ttf'),
    semibold: font('600SemiBold/SourceSerif4_600SemiBold.ttf'),
  }),
});

/** Two values for one question, evidence, a claim about a claim, a distinction, and texts full of markup. */
export const BRIDGE: InvestigationInput = {
  research_question: 'When was the bridge built?',
  actors: [
    { id: 'archive', name: 'City archive', source_type: 'Institutional' },
    { id: 'blog', name: 'A blog: #1 [draft]', source_type: 'SocialMedia' },
  ],
  subjects: [{ id: 'bridge', name: 'Old bridge', subject_type: 'structure' }],
  claims: [
    {
      id: 'record',
      actor_id: 'archive',
      subject_id: 'bridge',
      predicate: 'built_in',
      value: '1731',
      content: 'Council record of [1731] <p. 4> *vol* _2_ #a {x: "y"} // end - no + yes',
      url: 'https://example.org/1731',
    },
    {
      id: 'post',
      actor_id: 'blog',
      subject_id: 'bridge',
      predicate: 'built_in',
      value: '1850',
      content: '  - a list?\n[record]: not it',
      assertion_time: '2025-01-02T00:00:00Z',
    },
    {
      id: 'doubt',
      actor_id: 'archive',
      target_claim_id: 'post',
      predicate: 'reliable',
      value: 'false',
      content: 'The post names no source.',
      valence: 'Refutes',
    },
  ],
  evidence: [{ id: 'plate', claim_id: 'record', content: 'The plate on it.', valence: 'Supports' }],
  distinctions: [
    {
      id: 'd',
      argument_a: 'record',
      argument_b: 'post',
      feature: 'what counts as built',
      condition_a: 'first opening',
      condition_b: 'present shape',
    },
  ],
};
