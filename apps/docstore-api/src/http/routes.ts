import { Router, type IRouter, type RequestHandler } from 'express';
import { DomainError } from '@platform/error-contracts';
import { API } from './api.ts';
import type { HttpDeps } from './http-deps.ts';
import { createPipeline, type Bodies } from './pipeline.ts';
import { searchParamsOf } from './query.ts';

type Methods = Partial<
  Record<'get' | 'post' | 'put' | 'patch' | 'delete', RequestHandler | RequestHandler[]>
>;

/** A router of every operation in the API table. */
export function createRoutes(deps: HttpDeps, bodies: Bodies): Router {
  const handle = createPipeline(deps, bodies);
  const urls = new Map<string, Methods>();
  for (const operation of API) {
    const methods = urls.get(operation.path) ?? {};
    const handlers = operation.id === 'listFiles' ? [refuseUnavailableMode] : [];
    methods[operation.method] = [...handlers, handle(operation)];
    urls.set(operation.path, methods);
  }
  const router = Router({ caseSensitive: true, strict: true });
  for (const [path, methods] of urls) url(router, path, methods);
  return router;
}

/**
 * Mounts the methods of one URL; any other method is 404 with the list of methods in Allow (decisions page:
 * 405 has no code). Routing comes before the credential is judged.
 */
export function url(router: IRouter, path: string, methods: Methods): void {
  const names = Object.keys(methods) as (keyof Methods)[];
  const allowed = names
    .flatMap((name) => (name === 'get' ? ['GET', 'HEAD'] : [name.toUpperCase()]))
    .join(', ');
  const target = router.route(path);
  for (const name of names) target[name](methods[name]!);
  target.all((req, res) => {
    res.setHeader('Allow', allowed);
    throw new DomainError('not_found', `no \`${req.method}\` here, but ${allowed}`);
  });
}

/** 501 is decided with the URL, before the credential (decisions page, "Order of checks"). */
const refuseUnavailableMode: RequestHandler = (req, _res, next) => {
  if (searchParamsOf(req).get('mode') === 'semantic') {
    throw new DomainError('unimplemented', 'mode `semantic` is not available');
  }
  next();
};
