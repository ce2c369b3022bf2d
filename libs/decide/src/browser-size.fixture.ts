import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';

/** What a browser loads of the library for the names that are imported. */
export interface BrowserBuild {
  readonly code: string;
  /** Bytes after compression by gzip. */
  readonly compressed: number;
  /** Files of the repository and packages that are in it. */
  readonly inputs: readonly string[];
}

/** Bundles the library for browsers as an application would. Errors: those of esbuild. */
export async function buildForBrowsers(names: readonly string[]): Promise<BrowserBuild> {
  const { outputFiles, metafile } = await build({
    stdin: {
      contents: `export { ${names.join(', ')} } from './index.ts';`,
      resolveDir: fileURLToPath(new URL('./', import.meta.url)),
    },
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'browser',
    write: false,
    metafile: true,
    logLevel: 'silent',
  });
  const code = outputFiles[0]?.text ?? '';
  return { code, compressed: gzipSync(code, { level: 9 }).length, inputs: Object.keys(metafile.inputs) };
}
