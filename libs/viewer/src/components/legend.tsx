import type { TruthStatus } from '@platform/opinion-fusion';
import { TRUTH_STATUS_LABEL, TRUTH_STATUS_MEANING } from '../format/words.ts';
import { OpinionBar } from './opinion-bar.tsx';
import { TruthGlyph } from './truth-glyph.tsx';

const STATUSES: readonly TruthStatus[] = ['True', 'False', 'Both', 'Neither'];
const SAMPLE = { support: 0.5, opposition: 0.2, uncertainty: 0.3, base_rate: 0.5 };
/** What the line of the sample marks: an answer that more speaks for than against is likely right. */
const SAMPLE_CHANCE = 0.75;

/** How to read the signs of the page. */
export function Legend() {
  return (
    <details class="legend">
      <summary class="legend-title">How to read this</summary>
      <div class="legend-body">
        <dl>
          {STATUSES.map((status) => (
            <div key={status}>
              <dt>
                <TruthGlyph status={status} /> {TRUTH_STATUS_LABEL[status]}
              </dt>
              <dd>{TRUTH_STATUS_MEANING[status]}</dd>
            </div>
          ))}
        </dl>
        <div>
          <OpinionBar opinion={SAMPLE} chance={SAMPLE_CHANCE} tall />
          <p class="bar-legend">
            <span class="name-support">for</span>
            <span>not known</span>
            <span class="name-opposition">against</span>
          </p>
          <p>
            The bar shows how much of the evidence speaks for the finding, how much against it, and how much
            is not known. The upright line is the chance that the finding is right, here 75 %.
          </p>
          <p>
            A chance of 75 % may rest on one weak source or on twenty strong ones; “Evidence: strong” or
            “weak” says which. A finding is called contested where its chance is near even or where more than
            a quarter of the evidence speaks for the other side.
          </p>
        </div>
      </div>
    </details>
  );
}
