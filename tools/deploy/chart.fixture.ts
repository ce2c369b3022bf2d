import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from '@jest/globals';
import { stringify } from 'yaml';
import { CHART, renderChart, type KubernetesObject, type RenderedChart } from './render-chart.ts';

export const APPS = ['authz-grpc', 'investigation-api', 'docstore-api'] as const;

const folder = mkdtempSync(join(tmpdir(), 'chart-'));
afterAll(() => rmSync(folder, { recursive: true }));

let files = 0;
/** Paths of values files: by name, those of the chart; an object is written into a file. */
export function pathsOf(layers: readonly (string | object)[]): string[] {
  return layers.map((layer) => {
    if (typeof layer === 'string') return join(CHART, layer);
    const path = join(folder, `${(files += 1)}.yaml`);
    writeFileSync(path, stringify(layer));
    return path;
  });
}

/** Helm takes most of a second to render, and many tests look at the same values. */
const rendered = new Map<string, Promise<RenderedChart>>();
/** The chart with values laid one over the other; see `pathsOf`. */
export function render(...layers: (string | object)[]): Promise<RenderedChart> {
  const key = JSON.stringify(layers);
  const chart = rendered.get(key) ?? renderChart(pathsOf(layers));
  rendered.set(key, chart);
  return chart;
}

export const find = (objects: readonly KubernetesObject[], kind: string, name: string) =>
  objects.find((object) => object.kind === kind && object.metadata.name === name);
export const deploymentOf = ({ objects }: RenderedChart, app: string) =>
  find(objects, 'Deployment', `demo-${app}`)!.spec;
export const containerOf = (chart: RenderedChart, app: string) =>
  deploymentOf(chart, app).template.spec.containers[0];
