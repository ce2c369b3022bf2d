import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { findHelm } from '@platform/testing';
import { parseAllDocuments } from 'yaml';

const run = promisify(execFile);

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
  // oxlint-disable-next-line typescript/no-explicit-any -- the specs check its shape
  readonly spec?: any;
}

export interface RenderedChart {
  readonly objects: readonly KubernetesObject[];
  /** What `helm install` prints at the end. */
  readonly notes: string;
}

interface Release {
  readonly manifest: string;
  readonly hooks: readonly { readonly path: string; readonly manifest: string }[];
  readonly info: { readonly notes: string };
}

let helm: Promise<string> | null = null;

/**
 * Returns the chart as `helm install` renders it without a cluster, hooks included, with values files laid
 * one over the other. `release` is the name of the release. Errors: what Helm prints, values refused by the
 * schema among them.
 */
export async function renderChart(
  valuesFiles: readonly string[] = [],
  release = 'demo',
): Promise<RenderedChart> {
  const installed = await install(release, valuesFiles);
  const texts = [installed.manifest, ...installed.hooks.map(({ manifest }) => manifest)];
  const objects = texts.flatMap((text) =>
    parseAllDocuments(text).flatMap((document) => {
      const [problem] = [...document.errors, ...document.warnings];
      if (problem !== undefined) throw new Error(problem.message);
      const object = document.toJS() as KubernetesObject | null;
      return object === null ? [] : [object];
    }),
  );
  return { objects, notes: installed.info.notes };
}

/** Runs `helm lint --strict` over the chart. Errors: what Helm prints. */
export async function lintChart(...valuesFiles: readonly string[]): Promise<void> {
  await runHelm(['lint', '--strict', CHART, ...valuesFiles.flatMap((file) => ['--values', file])]);
}

async function install(name: string, valuesFiles: readonly string[]): Promise<Release> {
  const values = valuesFiles.flatMap((file) => ['--values', file]);
  const flags = ['--namespace', 'apps', '--dry-run=client', '--output', 'json'];
  return JSON.parse(await runHelm(['install', name, CHART, ...flags, ...values])) as Release;
}

async function runHelm(args: readonly string[]): Promise<string> {
  helm ??= findHelm();
  try {
    const { stdout } = await run(await helm, args, { maxBuffer: 64 * 1024 * 1024 });
    return stdout;
  } catch (error) {
    throw new Error((error as { stderr?: string }).stderr || String(error), { cause: error });
  }
}
