import type { Authority } from '@platform/authz-client';
import type { Metrics } from '@platform/service-kit';
import type { Tracing } from '@platform/telemetry';
import type { ShareAssets } from '@platform/viewer';
import type { WorkbenchAssets } from '@platform/workbench';
import type { Logger } from 'pino';
import type { Authenticate } from '../access/authenticate.ts';
import type { Config } from '../config.ts';
import type { SharePages } from '../page/share-pages.ts';
import type { EventStreams, JobWatch, SessionDeps } from '../ports.ts';

/**
 * The dependencies of routes: those of all operations, and those for authentication, drawing and observation.
 */
export interface HttpDeps extends SessionDeps {
  readonly config: Config;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly tracing: Tracing;
  /** Authenticates a request, over REST and MCP alike. */
  readonly authenticate: Authenticate;
  /**
   * Where people of the desk log in by password and end the programs that they let in; null = nobody is
   * asked, and they bring tokens.
   */
  readonly logins: Pick<Authority, 'logIn' | 'logOut' | 'listPrograms' | 'endProgram'> | null;
  readonly eventStreams: EventStreams;
  readonly jobWatch: JobWatch;
  readonly pages: SharePages;
  /** Styles and scripts of the pages. */
  readonly assets: ShareAssets;
  readonly workbench: WorkbenchAssets;
}
