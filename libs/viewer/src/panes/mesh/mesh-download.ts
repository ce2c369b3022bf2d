/**
 * Properties that shapes and text take from the style sheet, which an image outside the page does not have.
 */
const SHAPE_PROPERTIES = ['fill', 'fill-opacity', 'stroke', 'stroke-width', 'stroke-dasharray'] as const;
const TEXT_PROPERTIES = [
  ...SHAPE_PROPERTIES,
  'font-family',
  'font-size',
  'font-weight',
  'font-style',
  'paint-order',
] as const;
const PNG_SCALE = 2;

/**
 * The drawing as SVG text that looks the same without the page: styles become attributes, the background is
 * filled.
 */
function standalone(svg: SVGSVGElement): string {
  const copy = svg.cloneNode(true) as SVGSVGElement;
  const originals = svg.querySelectorAll('*');
  copy.querySelectorAll('*').forEach((element, index) => {
    const style = getComputedStyle(originals[index]!);
    const isText = element instanceof SVGTextElement;
    if (isText || element instanceof SVGGeometryElement)
      for (const property of isText ? TEXT_PROPERTIES : SHAPE_PROPERTIES)
        element.setAttribute(property, style.getPropertyValue(property));
    if (style.opacity !== '1') element.setAttribute('opacity', style.opacity);
    element.removeAttribute('class');
    element.removeAttribute('href');
  });
  copy.removeAttribute('class');
  const { width, height } = svg.viewBox.baseVal;
  copy.setAttribute('xmlns', 'http://www.w3.org/2000/svg');
  copy.setAttribute('width', String(width));
  copy.setAttribute('height', String(height));
  const paper = document.createElementNS('http://www.w3.org/2000/svg', 'rect');
  paper.setAttribute('width', '100%');
  paper.setAttribute('height', '100%');
  paper.setAttribute('fill', getComputedStyle(document.documentElement).backgroundColor);
  copy.prepend(paper);
  return new XMLSerializer().serializeToString(copy);
}

/** Saves the drawing as a file. */
export function downloadSvg(svg: SVGSVGElement, name: string): void {
  save(new Blob([standalone(svg)], { type: 'image/svg+xml' }), `${name}.svg`);
}

/** Saves the drawing as pixels, twice as fine as it is shown. */
export async function downloadPng(svg: SVGSVGElement, name: string): Promise<void> {
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(standalone(svg))}`;
  await image.decode();
  const canvas = document.createElement('canvas');
  canvas.width = image.width * PNG_SCALE;
  canvas.height = image.height * PNG_SCALE;
  canvas.getContext('2d')!.drawImage(image, 0, 0, canvas.width, canvas.height);
  canvas.toBlob((blob) => blob && save(blob, `${name}.png`), 'image/png');
}

function save(blob: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href));
}
