import { createModel, type JudgedInvestigation, type Model } from '@platform/viewer/browser';

const NOTHING: JudgedInvestigation = {
  session_name: '',
  interpretation: null,
  interpretation_updated_at: null,
  judgement: { id: '', judged_at: '', duration_ms: null, engine_version: '' },
  judgements: [],
  previous: null,
  input: { research_question: '', actors: [], subjects: [], claims: [] },
  input_sha256: '',
  result: {
    research_question: '',
    decay_half_life_days: 0,
    evaluated_at: '',
    engine_version: '',
    subject_results: [],
    conflict_analysis: [],
    claim_analyses: [],
    ranked_claims: [],
    sensitivity_analysis: { evidence_gaps: [] },
    source_dependence: [],
    warnings: [],
  },
  result_sha256: '',
  explanations: [],
  claim_audits: [],
};

const nothing = createModel(NOTHING);
let shown = nothing;

/** The model whose claims the drawer opens: that of the open session, or an empty one. */
export const shownModel = (): Model => shown;

export function showModel(model: Model | null): void {
  shown = model ?? nothing;
}
