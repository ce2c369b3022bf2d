import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Where a page finds its files. Paths from the root of the site. */
export interface PageAssets {
  readonly styles: string;
  /** Runs before the first paint: tabs. */
  readonly early: string;
  /** Runs after it: drawer, search, and what panes do by themselves. */
  readonly main: string;
  /** Styles of the card for other sites. */
  readonly embed: string;
}

export interface AssetFile {
  /** Path from the root of the site; changes with the content, so it may be kept for ever. */
  readonly path: string;
  readonly contentType: string;
  readonly body: Buffer;
}

export interface ShareAssets {
  readonly page: PageAssets;
  readonly files: readonly AssetFile[];
  /** docs/how-it-judges.md: what `renderGuidePage` draws. */
  readonly guide: string;
}

/** Default place of the files on a site. */
export const ASSETS_PATH = '/assets/viewer/';
/** Response to a request for an asset: its name changes with its content. */
export const ASSET_CACHE_CONTROL = 'public, max-age=31536000, immutable';

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
};

/**
 * The hashed files of a build, once read and held in memory; `pathOf` gives the path of one by the start of
 * its name. Errors: `pathOf` throws for a file that the build lacks, naming the folder and what is missing.
 */
export function loadAssetFiles(
  folder: string,
  path: string,
): { readonly files: readonly AssetFile[]; readonly pathOf: (start: string) => string } {
  const names = readdirSync(folder).filter((name) => /-[A-Z0-9]{8}\.(js|css)$/.test(name));
  return {
    files: names.map((name) => ({
      path: path + name,
      contentType: CONTENT_TYPES[name.slice(name.lastIndexOf('.') + 1)]!,
      body: readFileSync(join(folder, name)),
    })),
    pathOf(start) {
      const name = names.find((entry) => entry.startsWith(`${start}-`));
      if (name === undefined) throw new Error(`no built ${start} in ${folder}: run its build`);
      return path + name;
    },
  };
}

/**
 * The files that `buildShareAssets` (@platform/viewer/build) wrote to `folder`, once read and held in memory.
 * Errors: a folder that holds no build throws, naming the folder and what is missing.
 */
export function loadShareAssets(folder: string): ShareAssets {
  const { files, pathOf } = loadAssetFiles(folder, ASSETS_PATH);
  return {
    page: { styles: pathOf('styles'), early: pathOf('early'), main: pathOf('main'), embed: pathOf('embed') },
    files,
    guide: readFileSync(join(folder, 'how-it-judges.md'), 'utf8'),
  };
}
