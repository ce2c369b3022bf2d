import type { Expression } from './expression.ts';

/** What a service exposes: its samples' names with the label names they carry. */
export type Exposition = ReadonlyMap<string, ReadonlySet<string>>;

/**
 * Labels that Prometheus adds to whatever it scrapes, and `app`, which every service adds to its own series.
 */
const EVERYWHERE = ['instance', 'job', 'namespace', 'pod', 'app'];
/** Series of others: `up` of Prometheus itself, and those of kube-state-metrics and the kubelet. */
const isForeign = (metric: string) => metric === 'up' || /^(kube|container)_/.test(metric);
const SUFFIXES: Readonly<Record<string, readonly string[]>> = {
  histogram: ['_bucket', '_count', '_sum'],
  summary: ['', '_count', '_sum'],
};

/**
 * Reads the text of `/metrics`. A metric that has no sample yet is there by its TYPE line, without labels.
 * No package does: `parse-prometheus-text-format` 1.1.1 gives no names of samples, such as `_bucket`, and no
 * labels of a histogram.
 */
export function readExposition(text: string): Exposition {
  const names = new Map<string, Set<string>>();
  for (const line of text.split('\n')) {
    const [, name, type] = /^# TYPE (\S+) (\S+)$/.exec(line) ?? [];
    if (name !== undefined)
      for (const suffix of SUFFIXES[type as string] ?? ['']) names.set(name + suffix, new Set());
    const [, sample, labels] = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? /.exec(line) ?? [];
    if (sample === undefined) continue;
    const found = names.get(sample) ?? new Set();
    for (const [, label] of (labels ?? '').matchAll(/([a-zA-Z_]\w*)="(?:[^"\\]|\\.)*"/g))
      found.add(label as string);
    names.set(sample, found);
  }
  return names;
}

/** One sentence for every name in the expression that no service exposes. */
export function unknownNames(
  { selectors, grouping }: Expression,
  services: Readonly<Record<string, Exposition>>,
): string[] {
  const problems: string[] = [];
  const carried = new Set<string>(EVERYWHERE);
  for (const { metric, labels } of selectors) {
    if (isForeign(metric)) {
      for (const label of labels.keys()) carried.add(label);
      continue;
    }
    const service = labels.get('app') ?? null;
    const exposing = Object.entries(services).filter(
      ([name, exposition]) => (service === null || service === name) && exposition.has(metric),
    );
    if (exposing.length === 0) problems.push(`${service ?? 'no service'} exposes no ${metric}`);
    const own = new Set(exposing.flatMap(([, exposition]) => [...(exposition.get(metric) ?? [])]));
    own.forEach((label) => carried.add(label));
    for (const label of labels.keys())
      if (!own.has(label) && !EVERYWHERE.includes(label)) problems.push(`${metric} has no label ${label}`);
  }
  for (const label of grouping) if (!carried.has(label)) problems.push(`nothing has the label ${label}`);
  return problems;
}
