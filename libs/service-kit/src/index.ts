export { createUploadLimiter } from './upload-limiter.ts';
export type { Upload, UploadLimiter, UploadLimiterOptions } from './upload-limiter.ts';
export { readBody, requireJson, requireMediaType } from './body.ts';
export { cors, parseOrigins, type CorsRules } from './cors.ts';
export { baseUrlOf } from './base-url.ts';
export {
  addressSettings,
  authzTlsContradictions,
  authzTlsOf,
  commonSettings,
  httpSettings,
  PROBES,
  redisContradictions,
  redisSettings,
  requireSharedStores,
  tlsSettings,
  tokenSettings,
} from './common-settings.ts';
export { watchDependencies } from './dependencies.ts';
export { docsPage, productTokens } from './guide/docs-page.ts';
export type { GrpcService } from './guide/grpc-calls.ts';
export { html, Html } from './guide/html.ts';
export { groupOperations, OTHER_GROUP, type OperationGroup } from './guide/group-operations.ts';
export { stateDefaults } from './guide/state-defaults.ts';
export { setExamples, type OperationExample } from './guide/set-examples.ts';
export { errorHandler, respondToParserErrors, endConnection, unknownUrl } from './errors.ts';
export { createClusterConnection, type ClusterConnection } from './cluster-connection.ts';
export { GCRA_LUA, stepGcra } from './gcra.ts';
export type { GcraPace } from './gcra.ts';
export { requestAbortSignal } from './request-abort-signal.ts';
export { httpService } from './http-service.ts';
export { createCommandLogger, createServiceBase } from './service-base.ts';
export type { ServiceBase, ServiceParts } from './service-base.ts';
export { createReplyWatch, withTimeout, REDIS_TIMES } from './with-timeout.ts';
export { defineConfig } from './define-config.ts';
export type { ConfigDefinition, ConfigOf } from './define-config.ts';
export { drainServer } from './drain-server.ts';
export { HEAD_TIMES, listen } from './listen.ts';
export type { Address } from './listen.ts';
export { createCallMetrics, createMetrics, createSpanMetrics } from './metrics.ts';
export type { Metrics } from './metrics.ts';
export { createProbeServer, createReadiness } from './probe-server.ts';
export type { Readiness } from './probe-server.ts';
export { createLogger, requestIdOf, requestLog, type RequestLine } from './request-log.ts';
export { requestTrace } from './request-trace.ts';
export { SECURITY_HEADERS, securityHeaders } from './security-headers.ts';
export { runService, UsageError } from './run-service.ts';
export type { Command, Program } from './run-service.ts';
export { behindProbe, httpListener, startServers, stopOnSignal } from './start-servers.ts';
export type { DrainTimes } from './drain-server.ts';
export type { Listener, Probe, RunningService, ServerOptions } from './start-servers.ts';
export {
  certificateEnd,
  keepCertificates,
  openTlsIdentity,
  tlsContradictions,
  tlsServerOptions,
} from './tls.ts';
export type { TlsIdentity, TlsMaterial } from './tls.ts';
export {
  booleanSetting,
  checkedSetting,
  collectorSetting,
  httpUrlSetting,
  integerSetting,
  logLevelSetting,
  portSetting,
  redisUrlSetting,
  secret,
  SettingsError,
  verificationKeysFileSetting,
  verificationKeysSetting,
} from './settings.ts';
