import type { ServiceDeps } from './deps.ts';
import { startDueCycles } from './operations/tenants.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Signing keys are read again this often: replicas know a new key well before it signs. */
const KEYS_MS = 60_000;
/** How often the service looks for what other processes have ended, such as an operator's command. */
const ENDED_MS = 2_000;
/**
 * Expired rows are kept this long, so that a token just past its end is still told apart from one never
 * issued.
 */
const EXPIRED_KEPT_MS = DAY_MS;

/** Days that sets of policies are kept longer than audit rows, which go a day at a time. */
const PAST_DAYS = 2;

/** How often a replica without Redis looks for other replicas on its database. Milliseconds. */
const ALONE_MS = 60_000;

/** Runs the chores once and then by the clock: partitions, quota cycles, expired rows, signing keys. */
export async function startMaintenance(deps: ServiceDeps): Promise<{ stop(): void }> {
  await runChores(deps);
  const guarded = (work: () => Promise<unknown>) => () =>
    void work().catch((err: unknown) => deps.logger.warn({ err }, 'maintenance failed'));
  const timers = [
    setInterval(
      guarded(() => runChores(deps)),
      HOUR_MS,
    ),
    setInterval(
      guarded(() => deps.signingKeys.refresh()),
      KEYS_MS,
    ),
    // While the database is unavailable, nothing is forgotten; the chores above warn about it.
    setInterval(() => void hearOfOthers(deps).catch(() => undefined), ENDED_MS),
    setInterval(
      guarded(() => warnUnlessAlone(deps)),
      ALONE_MS,
    ),
  ];
  timers.forEach((timer) => timer.unref());
  return { stop: () => timers.forEach((timer) => clearInterval(timer)) };
}

/** Follows what other processes on the database have written where no Redis announces it. */
async function hearOfOthers({ signingKeys, decisions, config }: ServiceDeps): Promise<void> {
  await signingKeys.readAgain();
  if (config.redisUrl === undefined) decisions.forget();
}

interface Alone {
  readonly config: Pick<ServiceDeps['config'], 'redisUrl'>;
  readonly database: Pick<ServiceDeps['database'], 'otherProcesses'>;
  readonly logger: Pick<ServiceDeps['logger'], 'warn'>;
}

/**
 * Warns when other replicas serve the same database and no Redis joins them: a session that ends at one of
 * them stays good at the others for seconds, and each counts limits alone.
 */
export async function warnUnlessAlone({ config, database, logger }: Alone): Promise<void> {
  if (config.redisUrl !== undefined) return;
  const others = await database.otherProcesses();
  if (others > 0)
    logger.warn(
      { others },
      'other replicas serve this database and are told seconds later what ends here, such as sessions, and count limits alone: set REDIS_URL and AUTHZ_REPLICAS on all of them',
    );
}

async function runChores(deps: ServiceDeps): Promise<void> {
  const now = deps.now().getTime();
  await deps.auditPartitions.maintain({ now, retentionDays: deps.config.auditRetentionDays });
  await removeExpired(deps, new Date(now - EXPIRED_KEPT_MS));
  await deps.stores.domains.removePast(new Date(now - (deps.config.auditRetentionDays + PAST_DAYS) * DAY_MS));
  await startDueCycles(deps, ['tenant', 'user'], deps.config.quotaCycleDays * DAY_MS);
}

/** Removes tokens that no verifier accepts any longer. */
async function removeExpired({ stores }: Pick<ServiceDeps, 'stores'>, before: Date): Promise<void> {
  await stores.credentials.removeExpired(before);
  await stores.verifications.removeExpired(before);
  await stores.oauth.removeExpired(before);
  await stores.clientGrants.removeExpired(before);
  await stores.signingKeys.removeExpired(before);
}
