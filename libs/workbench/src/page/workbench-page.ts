import { ICON } from '@platform/viewer';
import type { WorkbenchPageAssets } from './assets.ts';

/** Where the workbench is served; everything below it is the workbench too. */
export const WORKBENCH_PATH = '/app';

/**
 * The workbench's only document. It is the same for every user and holds no data. Serve it with
 * SHARE_PAGE_HEADERS.
 */
export function renderWorkbenchPage(assets: WorkbenchPageAssets): string {
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
    <meta name="robots" content="noindex" />
    <title>Workbench</title>
    <link rel="icon" href="${ICON}" />
    <link rel="stylesheet" href="${assets.styles}" />
    <script defer src="${assets.app}"></script>
  </head>
  <body>
    <div id="app" data-reasoning="${assets.reasoning}">
      <main class="sign-in">
        <h1>Investigation workbench</h1>
        <p>
          Here an analyst collects what sources claim, has it judged and publishes the verdicts. The workbench runs in the
          browser and needs JavaScript; everything it does can also be done through the <a href="/docs">API</a>.
        </p>
      </main>
    </div>
    <dialog id="claim-drawer" class="claim-drawer" aria-labelledby="claim-drawer-title"></dialog>
  </body>
</html>
`;
}
