/// <reference lib="dom" />
import type { Page } from 'playwright-core';

/** Height and width that a finger needs, in CSS pixels (WCAG 2.2, 2.5.5). */
const TARGET = 44;

/**
 * What a finger can press on the page as it stands and is smaller than 44 px, in words. Links in sentences
 * are as high as their line, which 2.5.5 allows.
 */
export async function smallTargets(page: Page): Promise<string[]> {
  return page.evaluate((least) => {
    const isInSentence = (link: Element) => {
      if (!getComputedStyle(link).display.startsWith('inline')) return false;
      let block = link.parentElement!;
      while (getComputedStyle(block).display.startsWith('inline')) block = block.parentElement!;
      return block.textContent.trim() !== link.textContent.trim();
    };
    const pressed = 'a[href], button, summary, select, textarea, input:not([type=hidden])';
    return (
      [...document.querySelectorAll(pressed)]
        .filter((element) =>
          element.checkVisibility({ contentVisibilityAuto: true, visibilityProperty: true }),
        )
        // Headings of tables sort on wide screens alone.
        .filter((element) => element.closest('thead') === null && element.closest('svg') === null)
        .filter((element) => !(element.matches('a, button.link') && isInSentence(element)))
        .map((element) => {
          // A press on the label of a box is one on the box.
          const box = element.matches('[type=checkbox], [type=radio]')
            ? ((element as HTMLInputElement).labels?.[0] ?? element)
            : element;
          const { width, height } = box.getBoundingClientRect();
          const name = [element.tagName.toLowerCase(), ...element.classList].join('.');
          return {
            name,
            text: (element.getAttribute('aria-label') ?? element.textContent).trim().slice(0, 40),
            width: Math.round(width),
            height: Math.round(height),
            size: Math.min(width, height),
          };
        })
        // Hidden visually: pressed through something else.
        .filter(({ size }) => size > 1 && size < least - 0.5)
        .map(({ name, text, width, height }) => `${name} “${text}” ${width} × ${height}`)
    );
  }, TARGET);
}
