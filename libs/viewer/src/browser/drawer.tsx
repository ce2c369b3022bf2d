import { render } from 'preact';
import { ClaimDrawer } from '../components/claim-drawer.tsx';
import { claimFragment, readFragment } from '../format/fragments.ts';
import type { Model } from '../model.ts';
import { shownPane } from './tabs.ts';

/** Opens a claim's drawer whenever the address names the claim; closing it returns to the pane. */
export function startDrawer(getModel: () => Model): void {
  const dialog = document.getElementById('claim-drawer') as HTMLDialogElement;
  const claimOf = (fragment: string) =>
    getModel().claims.find((claim) => claimFragment(claim.id) === fragment);

  function followFragment(): void {
    const target = readFragment(location.hash.slice(1));
    const claim = target?.kind === 'claim' ? claimOf(target.id) : undefined;
    if (claim) {
      render(
        <ClaimDrawer key={claim.id} claim={claim} model={getModel()} close={() => dialog.close()} />,
        dialog,
      );
      dialog.scrollTop = 0;
      if (!dialog.open) dialog.showModal();
    } else if (dialog.open) dialog.close();
  }

  dialog.addEventListener('close', () => {
    if (readFragment(location.hash.slice(1))?.kind === 'claim')
      history.pushState(null, '', `#${shownPane()}`);
    render(null, dialog);
  });
  dialog.addEventListener('click', (event) => {
    if (event.target === dialog) dialog.close();
  });
  // Followed by hand, so that the browser does not also jump to the claim's record in the audit behind the
  // drawer.
  document.addEventListener('click', (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    const hash = (event.target as Element).closest('a')?.getAttribute('href') ?? '';
    const target = readFragment(hash.slice(1));
    if (target?.kind !== 'claim' || !claimOf(target.id)) return;
    event.preventDefault();
    history.pushState(null, '', hash);
    followFragment();
  });
  addEventListener('hashchange', followFragment);
  addEventListener('popstate', followFragment);
  followFragment();
}
