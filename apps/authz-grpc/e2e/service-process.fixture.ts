import { CONFIG } from '../src/config.ts';
import { startService } from '../src/service.ts';
import { createPolicyWorker } from '../src/worker/policy-worker-pool.ts';
import { bundlePolicyWorker } from './policy-worker.fixture.ts';

/** The service as a process; prints its gRPC port. */
const { grpcPort } = await startService(await CONFIG.load(process.env), {
  policyWorker: createPolicyWorker(bundlePolicyWorker()),
});
console.log(String(grpcPort));
