import axe, { type Result } from 'axe-core';
import type { Page } from 'playwright-core';

/**
 * What axe objects to in the part of the page that a selector names, as it stands: rule and place of each.
 * Every rule is asked unless `rules` names some. Only what is found leaves the page: what axe has to say
 * about all that passed is a megabyte.
 */
export async function axeViolations(page: Page, part = 'html', rules?: readonly string[]): Promise<string[]> {
  if (!(await page.evaluate('"axe" in window'))) await page.evaluate(axe.source);
  const options = { resultTypes: ['violations'], ...(rules && { runOnly: rules }) };
  const violations = await page.evaluate<Result[]>(
    `axe.run(${JSON.stringify(part)}, ${JSON.stringify(options)}).then(({ violations }) => violations)`,
  );
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 160)}`));
}
