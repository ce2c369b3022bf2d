import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { initWasm, Resvg } from '@resvg/resvg-wasm';
import { IMAGE_FONT } from './share-image.tsx';

/** What `buildShareAssets` keeps in its folder for images. */
const RENDERER = 'image/resvg.wasm';
const FONTS = ['image/regular.ttf', 'image/semibold.ttf'];

/** Paints an SVG of `shareImage` as PNG. */
export type PaintImage = (svg: string) => Uint8Array<ArrayBuffer>;

/**
 * A painter with the renderer and the fonts of a build (`buildShareAssets`); it reads no other font and loads
 * nothing. One may be made per thread. Errors: a folder that holds no build throws.
 */
export async function createImagePainter(folder: string): Promise<PaintImage> {
  await initWasm(readFileSync(join(folder, RENDERER)));
  const fontBuffers = FONTS.map((name) => new Uint8Array(readFileSync(join(folder, name))));
  return (svg) => {
    const image = new Resvg(svg, { font: { fontBuffers, defaultFontFamily: IMAGE_FONT } });
    try {
      const pixels = image.render();
      try {
        return Uint8Array.from(pixels.asPng());
      } finally {
        pixels.free();
      }
    } finally {
      image.free();
    }
  };
}
