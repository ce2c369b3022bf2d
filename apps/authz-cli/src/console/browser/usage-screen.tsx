import { useEffect } from 'preact/hooks';
import { ask } from './api.ts';
import { Problem, Screen, Table, useAsked } from './parts.tsx';

interface Plane {
  readonly max_tokens: number;
  readonly tokens: number;
  readonly max_overage: number;
  readonly overage: number;
}

interface Usage {
  readonly control_plane?: Plane;
  readonly data_plane?: Plane;
  readonly last_token_reset?: string;
}

/** What is left of the tenant's quotas in this cycle. */
export function UsageScreen() {
  const asked = useAsked<Usage>();
  const read = () => void asked.run(() => ask('usage'));
  useEffect(read, []);
  const planes: readonly [string, Plane | undefined][] = [
    ['Checks', asked.value?.data_plane],
    ['Management', asked.value?.control_plane],
  ];
  const since = asked.value?.last_token_reset?.slice(0, 10);
  return (
    <Screen
      title="Usage and quotas"
      lead={since === undefined ? 'Calls in this cycle.' : `Calls since ${since}.`}
    >
      <Problem text={asked.error} />
      {asked.value === null ? null : (
        <Table
          caption="Calls of the tenant"
          head={['Plane', 'Used', 'Of', 'Left', 'Beyond them']}
          rows={planes.flatMap(([name, plane]) =>
            plane === undefined
              ? []
              : [
                  [
                    name,
                    figure(plane.max_tokens - plane.tokens),
                    figure(plane.max_tokens),
                    <>
                      {figure(plane.tokens)}{' '}
                      <meter
                        aria-label={`${name} left`}
                        min={0}
                        max={plane.max_tokens}
                        value={plane.tokens}
                      />
                    </>,
                    `${figure(plane.overage)} of ${figure(plane.max_overage)}`,
                  ],
                ],
          )}
        />
      )}
      <div class="form-actions">
        <button type="button" onClick={read}>
          Read again
        </button>
      </div>
    </Screen>
  );
}

function figure(number: number | string): string {
  return Number(number).toLocaleString('en');
}
