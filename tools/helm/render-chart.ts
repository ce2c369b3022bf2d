import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { buildGoProgram } from '@platform/testing';
import { parseAllDocuments } from 'yaml';

const ROOT = join(import.meta.dirname, '../..');
export const CHART = join(ROOT, 'deploy/helm/platform');

export interface KubernetesObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly labels?: Record<string, string>;
    readonly annotations?: Record<string, string>;
  };
  // oxlint-disable-next-line typescript/no-explicit-any -- its shape is what the specs check
  readonly spec?: any;
}

export interface RenderedChart {
  readonly objects: readonly KubernetesObject[];
  /** What `helm install` prints at the end. */
  readonly notes: string;
  /** The values that the chart sees, its subcharts' among them. */
  readonly values: Record<string, unknown>;
}

let program: Promise<string> | null = null;

/**
 * The chart as `helm template` renders it, without a cluster and without helm (see render.go), with values files laid one
 * over the other. Errors: what the template says, as helm would print it.
 */
export async function renderChart(...valuesFiles: readonly string[]): Promise<RenderedChart> {
  program ??= buildGoProgram(join(import.meta.dirname, 'render.go'));
  const output = execFileSync(await program, [CHART, 'demo', 'apps', ...valuesFiles], {
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const { manifests, notes, values } = JSON.parse(output) as {
    manifests: { source: string; text: string }[];
    notes: string;
    values: Record<string, Record<string, unknown>>;
  };
  const objects = manifests.flatMap(({ source, text }) =>
    parseAllDocuments(text).flatMap((document) => {
      const [problem] = [...document.errors, ...document.warnings];
      if (problem !== undefined) throw new Error(`${source}: ${problem.message}`);
      const object = document.toJS() as KubernetesObject | null;
      return object === null ? [] : [object];
    }),
  );
  return { objects, notes, values: values['platform'] ?? {} };
}
