/** Packages that open files of their own as they run, and so are installed and not bundled. */
export const IMPORTED: readonly string[];
/** Bundles an app into `outdir`; see bundle.mjs. */
export function bundle(
  from: URL,
  entryPoints: Readonly<Record<string, string>>,
  outdir: string,
): Promise<void>;
