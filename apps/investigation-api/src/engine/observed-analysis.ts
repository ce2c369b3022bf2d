import { toDomainError } from '@platform/error-contracts';
import type { Tracing } from '@platform/telemetry';
import { Gauge, Histogram, type Registry } from 'prom-client';
import type { AnalysisPool, WorkOptions } from './analysis-pool.ts';
import type { PoolLoad } from '@platform/worker-pool';

const GAUGES: Readonly<Record<keyof PoolLoad, readonly [name: string, help: string]>> = {
  waiting: ['investigation_analyses_waiting', 'Analyses waiting for a worker.'],
  busy: ['investigation_workers_busy', 'Workers that analyze.'],
  threads: ['investigation_workers', 'Workers there are.'],
};

/**
 * The pool, with every piece of work measured and traced:
 * `investigation_analysis_duration_seconds{kind,outcome}` from the request for it to its end, waiting
 * included, with `ok` or the kind of error; and a span of the request's trace. The count of kind `judge` is
 * the count of judgements.
 */
export function observedAnalysis(
  pool: AnalysisPool,
  { registry, tracing }: { readonly registry: Registry; readonly tracing: Tracing },
): AnalysisPool {
  const duration = new Histogram({
    name: 'investigation_analysis_duration_seconds',
    help: 'Time of work of the engine, waiting for a worker included.',
    labelNames: ['kind', 'outcome'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
    registers: [registry],
  });
  for (const [figure, [name, help]] of Object.entries(GAUGES)) {
    new Gauge({
      name,
      help,
      registers: [registry],
      collect() {
        this.set(pool.load()[figure as keyof PoolLoad]);
      },
    });
  }

  async function observed<T>(kind: string, how: WorkOptions, work: () => Promise<T>): Promise<T> {
    const startedAt = performance.now();
    const span = tracing.start(`analysis ${kind}`, { kind: 'internal', parent: how.traceparent });
    const end = (outcome: string) => {
      duration.observe({ kind, outcome }, (performance.now() - startedAt) / 1000);
      span.end(outcome === 'ok' ? {} : { error: outcome });
    };
    try {
      const result = await work();
      end('ok');
      return result;
    } catch (error) {
      end(how.signal.aborted ? 'aborted' : toDomainError(error).kind);
      throw error;
    }
  }

  return {
    ...pool,
    analyze: (body, how) => observed('analyze', how, () => pool.analyze(body, how)),
    validate: (body, how) => observed('validate', how, () => pool.validate(body, how)),
    judge: (task, how) => observed('judge', how, () => pool.judge(task, how)),
    part: (texts, part, how) => observed('part', how, () => pool.part(texts, part, how)),
    explain: (task, how) => observed('explain', how, () => pool.explain(task, how)),
    compare: (task, how) => observed('compare', how, () => pool.compare(task, how)),
    forecast: (task, how) => observed('forecast', how, () => pool.forecast(task, how)),
    freeze: (task, how) => observed('freeze', how, () => pool.freeze(task, how)),
    watch: (task, how) => observed('watch', how, () => pool.watch(task, how)),
    previewShare: (task, how) => observed('preview', how, () => pool.previewShare(task, how)),
  };
}
