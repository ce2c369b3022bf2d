import { baseUrlOf } from '@platform/service-kit';
import { Router } from 'express';
import type { Config } from '../config.ts';

/** `/llms.txt`: what the service is for and where the rest is said, for assistants. */
export function llmsText(
  config: Pick<Config, 'publicUrl' | 'host' | 'port' | 'authorizationServer'>,
): Router {
  const router = Router();
  const credential =
    config.authorizationServer === undefined
      ? 'a token or an API key of the user'
      : 'the sign-in that its 401 names, or a token or an API key of the user';
  router.get('/llms.txt', (req, res) => {
    const base = baseUrlOf(req, config);
    res.type('text/plain; charset=utf-8').send(`# Investigations

> Judges contested claims with their sources: a verdict and its chance for each question, copied sources, rival interpretations, and what to ask next.

Send one predicate and one value per claim, the same predicate for claims that answer the same question, and read the warnings before relying on a verdict.

## Use

- [MCP](${base}/mcp): every operation as a tool, over streamable HTTP, with ${credential}; get_docs explains every field
- [OpenAPI](${base}/openapi.json): the same over REST; POST ${base}/api/v1/investigations/analyze judges claims and stores nothing

## Read

- [Guide](${base}/docs): operations by what one wants to do, with examples that work
- [How it judges](${base}/how-it-judges): the reasoning, without formulas first
`);
  });
  return router;
}
