import { readFragment } from '../format/fragments.ts';

/**
 * Brings the verdict that the address names into view, once its pane is shown, and opens what stands behind
 * it.
 */
export function startVerdictLinks(): void {
  addEventListener('hashchange', showVerdict);
  showVerdict();
}

function showVerdict(): void {
  const target = readFragment(location.hash.slice(1));
  const card = target?.kind === 'verdict' ? document.getElementById(target.id) : null;
  if (!card) return;
  card.querySelector('details')!.open = true;
  card.scrollIntoView({ block: 'start' });
}
