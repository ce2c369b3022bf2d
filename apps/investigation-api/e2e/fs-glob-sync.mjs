import { register } from 'node:module';

/**
 * The conformance suite imports `globSync` of `fs`, which Node 20 has not; it uses it only to read skills,
 * which no scenario here does. Preloaded with --import, this gives it one that finds nothing.
 */
const shim = 'export * from "node:fs"; export const globSync = () => [];';
const hook = `export function resolve(specifier, context, next) {
  const isSuite = specifier === 'fs' && context.parentURL?.includes('/conformance/dist/');
  if (!isSuite) return next(specifier, context);
  return { url: 'data:text/javascript,' + ${JSON.stringify(encodeURIComponent(shim))}, format: 'module', shortCircuit: true };
}`;
register(`data:text/javascript,${encodeURIComponent(hook)}`);
