export { openAuthzClients } from '@platform/authz-client';
export { startBalancer, type Balancer } from './balancer.ts';
export { createLedger, type Ledger } from './ledger.ts';
export { isSuccess, type Observe, type Outcome } from './outcome.ts';
export { sendJson } from './send-json.ts';
export { runService, startService, type ServiceName, type ServiceProcess } from './service-process.ts';
export { createTenant, mintDocstoreKey, type Tenant } from './tenant.ts';
export { checkWorker, documentWorker, sessionWorker, type Worker } from './workers.ts';
