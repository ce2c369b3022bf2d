/** The policy worker as it is built, since Node reads no TypeScript in worker threads. */
export const POLICY_WORKER = new URL('../../../dist/apps/authz-grpc/policy-worker.js', import.meta.url);
