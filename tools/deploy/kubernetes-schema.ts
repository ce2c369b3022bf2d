import type { KubernetesObject } from './render-chart.ts';

interface ModelClass {
  readonly prototype: { validate(this: object): void };
}

/** Where the models of an API version lie, one class a kind. */
const MODULES: Readonly<Record<string, string>> = {
  v1: 'kubernetes-models/v1',
  'apps/v1': 'kubernetes-models/apps/v1',
  'batch/v1': 'kubernetes-models/batch/v1',
  'networking.k8s.io/v1': 'kubernetes-models/networking.k8s.io/v1',
  'autoscaling/v2': 'kubernetes-models/autoscaling/v2',
  'policy/v1': 'kubernetes-models/policy/v1',
  'monitoring.coreos.com/v1': '@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1',
};

/**
 * What is wrong with an object by the schema of its kind, one line each: wrong types, missing fields, and
 * fields the schema does not know, which a cluster would drop without a word. A kind without a schema here is
 * a problem too.
 */
export async function schemaProblems(object: KubernetesObject): Promise<string[]> {
  const name = `${object.kind} ${object.metadata.name}`;
  const module = MODULES[object.apiVersion];
  const Model =
    module === undefined ? undefined : ((await import(module)) as Record<string, ModelClass>)[object.kind];
  if (Model === undefined) return [`${name}: no schema of ${object.apiVersion}`];
  // The package ships its schemas as compiled checks: which fields they know shows in which they read.
  const { watched, unread } = watchReads(object);
  try {
    // On the watched view itself: an instance would hold a copy.
    Model.prototype.validate.call(watched);
  } catch (error) {
    return [`${name}: ${(error as Error).message}`];
  }
  return unread().map((path) => `${name} ${path}: unknown field`);
}

/** A view of `root` that notes which fields are read, at any depth. */
function watchReads(root: object): { watched: object; unread: () => string[] } {
  const read = new Map<object, Set<PropertyKey>>();
  const views = new Map<object, object>();
  const watch = (target: object): object => {
    const known = views.get(target);
    if (known !== undefined) return known;
    const keys = new Set<PropertyKey>();
    read.set(target, keys);
    const view = new Proxy(target, {
      get(from, key, receiver) {
        keys.add(key);
        const value: unknown = Reflect.get(from, key, receiver);
        return typeof value === 'object' && value !== null ? watch(value) : value;
      },
    });
    views.set(target, view);
    return view;
  };
  const walk = (target: object, path: string): string[] => {
    const keys = read.get(target);
    // Below a field that nobody looked into the schema allows anything.
    if (keys === undefined) return [];
    return Object.entries(target).flatMap(([key, value]) => {
      if (!keys.has(key)) return [`${path}/${key}`];
      return typeof value === 'object' && value !== null ? walk(value as object, `${path}/${key}`) : [];
    });
  };
  return { watched: watch(root), unread: () => walk(root, '') };
}
