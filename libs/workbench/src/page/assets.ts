import { loadAssetFiles, type AssetFile } from '@platform/viewer';

/** Where the workbench finds its files. Paths from the root of the site. */
export interface WorkbenchPageAssets {
  readonly styles: string;
  readonly app: string;
  /** Script of the worker that explains verdicts. */
  readonly reasoning: string;
}

export interface WorkbenchAssets {
  readonly page: WorkbenchPageAssets;
  readonly files: readonly AssetFile[];
}

/** Place of the files on a site. */
export const WORKBENCH_ASSETS_PATH = '/assets/workbench/';

/**
 * The files that `buildWorkbenchAssets` (@platform/workbench/build) wrote to `folder`, once read and held in
 * memory. Errors: a folder that holds no build throws, naming the folder and what is missing.
 */
export function loadWorkbenchAssets(folder: string): WorkbenchAssets {
  const { files, pathOf } = loadAssetFiles(folder, WORKBENCH_ASSETS_PATH);
  return {
    page: { styles: pathOf('styles'), app: pathOf('app'), reasoning: pathOf('reasoning') },
    files,
  };
}
