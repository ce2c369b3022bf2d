import { useState } from 'preact/hooks';
import { counted, percent } from '@platform/viewer/browser';
import type { Calibration } from '../api/wire.ts';
import { useFetched } from '../browser/use-fetched.ts';
import { Failure } from '../components/failure.tsx';

interface Props {
  readonly isShown: boolean;
  /** Changes with every outcome that was recorded or removed. */
  readonly changes: number;
}

/** How often what led was right, by the chance that was stated, over the investigations one may read. */
export function CalibrationReport({ isShown, changes }: Props) {
  const [isMine, setMine] = useState(false);
  const { value, error, reload } = useFetched<Calibration>(isShown ? `/calibration?mine=${isMine}` : null, [
    changes,
  ]);
  return (
    <section class="share-form" aria-labelledby="calibration-title">
      <h3 id="calibration-title">How right were we?</h3>
      <label class="check">
        <input
          type="checkbox"
          checked={isMine}
          onChange={({ currentTarget: { checked } }) => setMine(checked)}
        />{' '}
        Only my own investigations
      </label>
      <Failure error={error} retry={reload} />
      {value === null && error === null && <p role="status">Loading …</p>}
      {value !== null && <Scores {...value} />}
    </section>
  );
}

function Scores({ outcomes, scored, unscored, accuracy, brier, bins }: Calibration) {
  if (scored === 0 || accuracy === null || brier === null)
    return (
      <p class="empty">
        {outcomes === 0
          ? 'No outcome is recorded yet.'
          : `${counted(outcomes, 'outcome')} recorded, and none had a judgement before it was known.`}
      </p>
    );
  return (
    <>
      <p>
        Of {counted(scored, 'outcome')} with a judgement before it, what led turned out to be true in{' '}
        <strong>{percent(accuracy)}</strong>. Brier score {brier.toFixed(3)}: 0 is best, and always saying 50
        % scores 0.250.
        {unscored > 0 &&
          ` ${counted(unscored, 'outcome')} more had none and ${unscored === 1 ? 'counts' : 'count'} nowhere.`}
      </p>
      <table class="data-table">
        <caption>What was stated, and what happened</caption>
        <thead>
          <tr>
            <th scope="col">Stated chance</th>
            <th scope="col" class="numeric">
              Findings
            </th>
            <th scope="col" class="numeric">
              Mean stated
            </th>
            <th scope="col" class="numeric">
              Were right
            </th>
          </tr>
        </thead>
        <tbody>
          {bins
            .filter(({ count }) => count > 0)
            .map(({ from, to, count, mean_chance: mean, share_right: right }) => (
              <tr key={from}>
                <th scope="row">
                  {percent(from)} to {percent(to)}
                </th>
                <td class="numeric" data-title="Findings">
                  {count}
                </td>
                <td class="numeric" data-title="Mean stated">
                  {percent(mean!)}
                </td>
                <td class="numeric" data-title="Were right">
                  {percent(right!)}
                </td>
              </tr>
            ))}
        </tbody>
      </table>
    </>
  );
}
