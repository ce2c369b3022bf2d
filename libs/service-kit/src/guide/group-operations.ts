import { METHODS } from './openapi-document.ts';

/** What belongs together in the guide: what somebody wants to do, and which paths do it. */
export interface OperationGroup {
  readonly name: string;
  /** One sentence: what one can do with these operations. */
  readonly description: string;
  /** Paths of the document, of which the first group that fits takes an operation. */
  readonly paths: RegExp;
}

/** Group of an operation whose path no group fits. */
export const OTHER_GROUP = 'Other';

/** The document with a tag on each operation and the groups as its tags, in their order. */
export function groupOperations<T extends object>(document: T, groups: readonly OperationGroup[]): T {
  const { paths = {} } = document as { paths?: Record<string, object> };
  const used = new Set<string>();
  const grouped = Object.entries(paths).map(([path, item]) => {
    const { name } = groups.find((group) => group.paths.test(path)) ?? { name: OTHER_GROUP };
    used.add(name);
    const operations = Object.entries(item).map(([method, operation]) =>
      (METHODS as readonly string[]).includes(method)
        ? [method, { tags: [name], ...(operation as object) }]
        : [method, operation as unknown],
    );
    return [path, Object.fromEntries(operations)];
  });
  const tags = [...groups, { name: OTHER_GROUP, description: 'Everything else.' }]
    .filter(({ name }) => used.has(name))
    .map(({ name, description }) => ({ name, description }));
  return { ...document, tags, paths: Object.fromEntries(grouped) as object };
}
