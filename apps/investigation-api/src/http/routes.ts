import { readBody, requireJson } from '@platform/http-kit';
import type { Request, Response } from 'express';
import { Router } from 'express';
import type { Deps } from '../deps.ts';
import { submitInvestigation } from '../operations/submit-investigation.ts';
import { createBodyBudget } from './body-budget.ts';

/** The REST operations: match, authenticate, read, call the operation. */
export function apiRoutes(deps: Deps): Router {
  const { bodyBytesMax, bodyBytesInFlightMax } = deps.config;
  const budget = createBodyBudget(bodyBytesInFlightMax);
  const router = Router();

  router.post('/investigations/analyze', async (req, res) => {
    await deps.authenticate(req);
    requireJson(req);
    const release = budget.reserve(Math.min(declaredLength(req) ?? bodyBytesMax, bodyBytesMax));
    try {
      const body = await readBody(req, { bytesMax: bodyBytesMax });
      const result = await submitInvestigation(deps, body, { signal: goneSignal(res) });
      res.set('Content-Type', 'application/json; charset=utf-8').end(result);
    } catch (error) {
      // Nobody is there to answer; the request log says so.
      if (!res.destroyed) throw error;
    } finally {
      release();
    }
  });

  return router;
}

function declaredLength(req: Request): number | undefined {
  const length = req.headers['content-length'];
  return length === undefined ? undefined : Number(length);
}

/** Aborted when the connection closes before the answer is out. */
function goneSignal(res: Response): AbortSignal {
  const gone = new AbortController();
  if (res.destroyed) gone.abort();
  else res.once('close', () => res.writableFinished || gone.abort());
  return gone.signal;
}
