import { byCodeUnits } from './rounding.ts';

/**
 * What a warning is about, in the order in which warnings are listed. Stable, while the sentences may
 * improve.
 */
const CODES = [
  'number_as_text',
  'value_read_as_text',
  'unknown_field',
  'names_nearly_meet',
  'may_be_one_question',
  'same_name',
  'competence_matches_nothing',
  'scalar_clamped',
  'reliability_implausible',
  'half_life_ignored',
  'law_on_prediction',
  'asserted_in_future',
  'asserted_after_as_of',
  'duplicate_claim',
  'duplicate_supersedes',
  'repeats_corrected',
  'relationship_target_missing',
  'relates_to_itself',
  'relationships_truncated',
  'supersession_target_missing',
  'supersession_cycle',
  'supersedes_later',
  'self_corroboration',
  'corroboration_before_assertion',
  'corroboration_after_now',
  'corroboration_by_unknown_actor',
  'corroborations_truncated',
  'copy_of_superseded',
  'below_credibility_floor',
  'pairs_not_compared',
  'copying_detected',
  'shared_origin',
  'contradicts_itself',
  'inference_dropped',
  'distinction_dropped',
  'interpretations_truncated',
  'interpretations_inexact',
  'leading_value_not_accepted',
  'leading_value_less_likely',
  'evidence_lapsed',
  'estimate_decides',
  'undated_beside_dated',
  'faded_with_age',
  'no_answer',
  'number_in_words',
  'code_read_as_boolean',
  'values_nearly_meet',
  'units_differ',
  'unit_unknown',
  'suffix_or_unit',
  'decimals_or_thousands',
  'share_or_percent',
  'year_or_number',
  'date_or_number',
  'identifier_or_number',
  'estimate_left_out',
  'estimate_not_given',
  'listing_truncated',
] as const;
export type WarningCode = (typeof CODES)[number];

export interface Warning {
  readonly code: WarningCode;
  /** Id of the item it is about; the empty string for the whole investigation. */
  readonly id: string;
  readonly sentence: string;
}

/** Collects warnings; they leave in an order that does not depend on the order of the input. */
export class Warnings {
  readonly #list: Warning[] = [];

  add(code: WarningCode, id: string, sentence: string): void {
    this.#list.push({ code, id, sentence });
  }

  addAll(warnings: readonly Warning[]): void {
    for (const warning of warnings) this.#list.push(warning);
  }

  /** As they were added. */
  get list(): readonly Warning[] {
    return this.#list;
  }

  /** All sentences, each once, by code, then by id, then by sentence. */
  sentences(): string[] {
    const order = new Map(CODES.map((code, index) => [code, index]));
    const sentences = this.#list
      .toSorted(
        (a, b) =>
          order.get(a.code)! - order.get(b.code)! ||
          byCodeUnits(a.id, b.id) ||
          byCodeUnits(a.sentence, b.sentence),
      )
      .map((warning) => warning.sentence);
    return [...new Set(sentences)];
  }
}
