export type { BenchRow, RunBench } from './bench-row.ts';
export { findChromium, startChromium, STEP_MS_MAX } from './chromium.ts';
export { buildGoProgram } from './go.ts';
export { findProgram, freePort, temporaryFolder, unprivileged, type Identity } from './program.ts';
export { installedFolder, startPostgres, type Postgres } from './postgres.ts';
export { axeObjections } from './objections.ts';
export { openSeverable, type Severable } from './severable.ts';
export { reachRedis, redisArguments, startRedis, type Redis } from './redis.ts';
export { PartUnavailable } from './tier.ts';
