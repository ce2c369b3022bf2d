import { fileURLToPath } from 'node:url';
import { loadAssetFiles } from '@platform/viewer';
import { listenLoopback, servedToTheEnd, type LoopbackAddress } from '../loopback.ts';
import { introspect } from '../names.ts';
import type { Session } from '../shell.ts';
import { createConsoleServer } from './server.ts';

const ASSETS_PATH = '/assets/';

/** Serves the console until the process is told to end; `out` gets its link. Throws NotLoggedIn. */
export async function serveConsole(
  session: Session,
  address: LoopbackAddress,
  out: (line: string) => void,
): Promise<void> {
  await introspect(session);
  const { files, pathOf } = loadAssetFiles(fileURLToPath(new URL('console', import.meta.url)), ASSETS_PATH);
  const hosts = new Set<string>();
  const page = pageOf(pathOf('styles'), pathOf('app'));
  const { server, token } = createConsoleServer({ session, files, page, hosts });
  const port = await listenLoopback(server, address, '--listen');
  const host = `${address.host.includes(':') ? `[${address.host}]` : address.host}:${port}`;
  hosts.add(host);
  out(`open http://${host}/?token=${token} (once; Ctrl-C ends the console)`);
  await servedToTheEnd(server);
}

function pageOf(styles: string, app: string): string {
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
    <title>platform console</title>
    <link rel="icon" href="data:," />
    <link rel="stylesheet" href="${styles}" />
    <script defer src="${app}"></script>
  </head>
  <body>
    <div id="app"><main class="screen"><p>The console needs JavaScript.</p></main></div>
  </body>
</html>
`;
}
