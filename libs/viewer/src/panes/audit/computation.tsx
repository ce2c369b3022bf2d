import type { ComponentChildren } from 'preact';
import type { PaneProps } from '../../components/pane-props.ts';
import { UserText } from '../../components/user-text.tsx';
import { days, instant } from '../../format/times.ts';

const DEFAULT_DOMAIN = 'General';
const DEFAULT_REFRESH_FACTOR = 0.5;

/** Time, version, settings and digests: enough to compute the result again and compare it. */
export function Computation({ model }: PaneProps) {
  const { input, result, judgement, judgements = [], input_sha256, result_sha256 } = model.judged;
  const rows: [string, ComponentChildren][] = [
    ['Judged', instant(judgement.judged_at)],
    ['Evaluated at', instant(result.evaluated_at)],
    ['As of', input.as_of ? instant(input.as_of) : 'the time of evaluation'],
    ['Took', judgement.duration_ms === null ? 'not recorded' : `${judgement.duration_ms}\u00a0ms`],
    ['Engine', <UserText text={judgement.engine_version} />],
    ['Judgement', <code>{judgement.id}</code>],
    ['Domain', <UserText text={input.domain ?? `${DEFAULT_DOMAIN} (unless given)`} />],
    ['Half-life', days(result.decay_half_life_days)],
    ['Dependent refresh factor', String(input.dependent_refresh_factor ?? DEFAULT_REFRESH_FACTOR)],
    [
      'Dependence of sources',
      input.dependence === 'declared' ? 'as declared' : 'declared, and detected from the claims',
    ],
    ['Form', model.full ? 'full result' : 'summary'],
    ['SHA-256 of the input', <code>{input_sha256}</code>],
    ['SHA-256 of the result', <code>{result_sha256}</code>],
  ];
  return (
    <section aria-labelledby="audit-computation">
      <h3 id="audit-computation">Computation</h3>
      <dl class="record-list record-list-wide">
        {rows.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <p class="audit-note">
        To check it: the JSON download holds input and result; the same engine gives the same again, to the
        last digit.
      </p>
      {judgements.length > 1 && (
        <details>
          <summary>All judgements up to this one ({judgements.length})</summary>
          <ol class="record-items">
            {judgements.map((entry) => (
              <li key={entry.id}>
                {instant(entry.judged_at)} <code>{entry.id}</code>
              </li>
            ))}
          </ol>
        </details>
      )}
    </section>
  );
}
