export { readBody, requireJson, requireMediaType } from './body.ts';
export { docsPage } from './docs-page.ts';
export { answerErrors, answerParserErrors, endConnection, unknownUrl } from './errors.ts';
export { inTime } from './in-time.ts';
export { drainServer, stopGracefully, stopOnSignal } from './graceful-stop.ts';
export type { GracefulStop } from './graceful-stop.ts';
export { listen } from './listen.ts';
export { createCallMetrics, createMetrics } from './metrics.ts';
export type { Metrics } from './metrics.ts';
export { createProbeServer, createReadiness } from './probe-server.ts';
export type { Readiness } from './probe-server.ts';
export { createLogger, requestIdOf, requestLog } from './request-log.ts';
export { requestTrace } from './request-trace.ts';
export { SECURITY_HEADERS, securityHeaders } from './security-headers.ts';
export {
  booleanSetting,
  checkedSetting,
  collectorSetting,
  integerSetting,
  logLevelSetting,
  portSetting,
  printSettings,
  readSettings,
  redisUrlSetting,
  secret,
  SettingsError,
  settingsTable,
} from './settings.ts';
export type { SettingsSchema } from './settings.ts';
