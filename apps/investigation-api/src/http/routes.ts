import { readBody, requireJson } from '@platform/http-kit';
import type { Response } from 'express';
import { Router } from 'express';
import type { Deps } from '../deps.ts';
import { submitInvestigation } from '../operations/submit-investigation.ts';
import type { BodyBudget } from './body-budget.ts';
import { expectedBytes } from './body-budget.ts';

/** The REST operations: match, authenticate, read, call the operation. */
export function apiRoutes(deps: Deps, budget: BodyBudget): Router {
  const { bodyBytesMax } = deps.config;
  const router = Router();

  router.post('/investigations/analyze', async (req, res) => {
    await deps.authenticate(req);
    requireJson(req);
    const release = budget.reserve(expectedBytes(req, bodyBytesMax));
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

/** Aborted when the connection closes before the answer is out. */
function goneSignal(res: Response): AbortSignal {
  const gone = new AbortController();
  if (res.destroyed) gone.abort();
  else res.once('close', () => res.writableFinished || gone.abort());
  return gone.signal;
}
