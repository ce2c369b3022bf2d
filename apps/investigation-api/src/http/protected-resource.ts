import { baseUrlOf } from '@platform/service-kit';
import { Router, type Request } from 'express';
import { PROGRAM_SCOPES } from '../access/authenticate.ts';
import type { Config } from '../config.ts';

/** Where MCP is served, and by which path its metadata are found (RFC 9728 §3.1). */
const MCP_PATH = '/mcp';
export const METADATA_PATH = '/.well-known/oauth-protected-resource';
/** How long the metadata may be kept. Seconds. */
const METADATA_SECONDS = 300;

type Addresses = Pick<Config, 'authorizationServer' | 'publicUrl' | 'host' | 'port'>;

/**
 * The URL by which tokens name this service's MCP (RFC 8707); undefined where nobody is sent to an
 * authorization server.
 */
export function resourceOf(req: Pick<Request, 'socket'>, config: Addresses): string | undefined {
  return config.authorizationServer === undefined ? undefined : baseUrlOf(req, config) + MCP_PATH;
}

/** What a challenge tells a program that needs a token, or one of a wider scope (RFC 9728 §5.1). */
export function challengeOf(
  req: Pick<Request, 'socket'>,
  config: Addresses,
): Readonly<Record<string, string>> {
  const [scope = ''] = PROGRAM_SCOPES;
  return { resource_metadata: `${baseUrlOf(req, config)}${METADATA_PATH}${MCP_PATH}`, scope };
}

/** Serves the metadata that names the authorization server for MCP; no route without such a server. */
export function protectedResourceRoutes(config: Addresses): Router {
  const router = Router();
  if (config.authorizationServer === undefined) return router;
  router.get([METADATA_PATH, METADATA_PATH + MCP_PATH], (req, res) => {
    res.set('Cache-Control', `public, max-age=${METADATA_SECONDS}`).json({
      resource: resourceOf(req, config),
      authorization_servers: [config.authorizationServer],
      scopes_supported: PROGRAM_SCOPES,
      bearer_methods_supported: ['header'],
      resource_name: 'Investigations',
      resource_documentation: `${baseUrlOf(req, config)}/docs`,
    });
  });
  return router;
}
