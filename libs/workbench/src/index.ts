export { loadWorkbenchAssets, WORKBENCH_ASSETS_PATH } from './page/assets.ts';
export type { WorkbenchAssets } from './page/assets.ts';
export { renderWorkbenchPage, WORKBENCH_PATH } from './page/workbench-page.ts';
