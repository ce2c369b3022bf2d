import type { Config } from './config.ts';
import type { Plane } from './model/quota.ts';
import type { Stores } from './store/stores.ts';

const SETTING = {
  control_plane: 'quotaControlPlane',
  data_plane: 'quotaDataPlane',
  user_plane: 'quotaUserPlane',
} as const satisfies Record<Plane, keyof Config>;

/** Gives a new owner the planes with the limits of the settings. */
export async function insertDefaultQuotas(
  stores: Pick<Stores, 'quotas'>,
  config: Config,
  ownerId: string,
  planes: readonly Plane[],
): Promise<void> {
  for (const plane of planes) {
    const maxTokens = config[SETTING[plane]];
    const maxOverage = Math.floor((maxTokens * config.quotaOveragePercent) / 100);
    await stores.quotas.insert(ownerId, plane, { maxTokens, maxOverage });
  }
}
