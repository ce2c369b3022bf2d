import { forSuite } from '@platform/testing/for-suite';
import type { DepsOverrides } from './deps.ts';
import { bundleWorker } from './engine/bundle-worker.fixture.ts';
import { startTestService, type TestService } from './test-service.fixture.ts';

const WORKERS = {
  /** The worker that judges. */
  analysis: new URL('./engine/analysis-worker.ts', import.meta.url),
  /** It does what the research question says. */
  scripted: new URL('./engine/scripted-worker.fixture.ts', import.meta.url),
};

/** `startTestService` for the tests of the file or `describe` around the call. */
export function suiteService(
  kind: keyof typeof WORKERS,
  settings: Record<string, string> = {},
  overrides: DepsOverrides = {},
): TestService {
  const worker = bundleWorker(WORKERS[kind]);
  return forSuite(
    () => startTestService(worker.file, settings, overrides),
    async (service) => {
      await service.close();
      worker.remove();
    },
  );
}
