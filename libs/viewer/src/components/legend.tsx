import type { TruthStatus } from '@platform/opinion-fusion';
import { TRUTH_STATUS_LABEL, TRUTH_STATUS_MEANING } from '../format/words.ts';
import { OpinionBar } from './opinion-bar.tsx';
import { TruthGlyph } from './truth-glyph.tsx';

const STATUSES: readonly TruthStatus[] = ['True', 'False', 'Both', 'Neither'];
const SAMPLE = { support: 0.5, opposition: 0.2, uncertainty: 0.3, base_rate: 0.5 };

/** How to read the signs of the page. */
export function Legend() {
  return (
    <details class="legend">
      <summary>How to read this</summary>
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
          <OpinionBar opinion={SAMPLE} tall />
          <p class="bar-legend">
            <span class="name-support">support</span>
            <span>uncertainty</span>
            <span class="name-opposition">opposition</span>
          </p>
          <p>The upright line is the likelihood: support, plus half of the uncertainty.</p>
          <p>
            Likelihood and evidence are two things. A likelihood of 75 % may rest on one weak source or on
            twenty strong ones; the uncertainty, from 0 (certain) to 1 (no evidence), tells which.
          </p>
        </div>
      </div>
    </details>
  );
}
