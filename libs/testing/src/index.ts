export { AUTHZ_SETTINGS, ROOT_PASSWORD } from './authz-settings.ts';
export type { BenchRow, RunBench } from './bench-row.ts';
export { median } from './median.ts';
export {
  migratedDatabase,
  runBuiltService,
  startBuiltService,
  type BuiltProcess,
  type ServiceName,
} from './built-service.ts';
export { createCertificateAuthority, type CertificateAuthority } from './certificates.ts';
export { startCerbos } from './cerbos.ts';
export { findChromium, startChromium, STEP_MS_MAX } from './chromium.ts';
export { findH2load } from './h2load.ts';
export { expressRoutes } from './express-routes.ts';
export { findHelm, findKubectl } from './helm.ts';
export { killOnExit } from './kill-on-exit.ts';
export { cachedFolder } from './fetched-tool.ts';
export { createLoopWatch, type LoopWatch } from './loop-watch.ts';
export { migratedCopy } from './migrated.ts';
export { findPromtool } from './promtool.ts';
export { findProgram, freePort, temporaryFolder, unprivileged, type Identity } from './program.ts';
export { findPostgresClient, installedFolder, startPostgres, type Postgres } from './postgres.ts';
export { axeViolations } from './axe-violations.ts';
export { smallTargets } from './small-targets.ts';
export { openTcpProxy, type Direction, type Severable } from './tcp-proxy.ts';
export { reachRedis, redisArguments, startRedis, type Redis } from './redis.ts';
export { clusterNodeArguments, formCluster, startRedisCluster, type RedisCluster } from './redis-cluster.ts';
export { PartUnavailable } from './tier.ts';
export { findZsh } from './zsh.ts';
