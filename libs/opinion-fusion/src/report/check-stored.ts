import { checkInput } from '../contract/validate.ts';
import { Warnings } from '../contract/warnings.ts';
import { buildModel } from '../model/build-model.ts';
import { readInferences } from '../verdict/inference.ts';
import { ageClaim } from '../weighing/ageing.ts';
import { warnOfNearMisses } from './near-miss-cautions.ts';

/**
 * As `checkInput`, of an investigation that is stored, with what an analysis at `now` would warn of as it
 * reads it, before anything is weighed: references without effect, among them. No cautions of an input that
 * would be refused. Never throws.
 */
export function checkStored(
  input: unknown,
  now: Date,
): ReturnType<typeof checkInput> & { readonly cautions: readonly string[] } {
  const warnings = new Warnings();
  const checked = checkInput(input, (read) => {
    const model = buildModel(read, now.getTime(), warnings);
    warnOfNearMisses(model, warnings);
    // For what it warns of: corroborations that do not count.
    for (const claim of model.claims) ageClaim(claim, model, () => false, warnings);
    readInferences(model, () => false, warnings);
  });
  return { ...checked, cautions: warnings.sentences() };
}
