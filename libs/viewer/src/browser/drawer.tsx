import { render } from 'preact';
import { ClaimDrawer } from '../components/claim-drawer.tsx';
import { claimFragment, readFragment } from '../format/fragments.ts';
import type { Model } from '../model.ts';
import { shownPane } from './tabs.ts';

/** Opens a claim's drawer whenever the address names the claim; closing it returns to the pane. */
export function startDrawer(getModel: () => Model | Promise<Model>): void {
  const dialog = document.getElementById('claim-drawer') as HTMLDialogElement;

  async function followFragment(): Promise<void> {
    const { hash } = location;
    const target = readFragment(hash.slice(1));
    const model = target?.kind === 'claim' ? await getModel() : null;
    if (location.hash !== hash) return;
    const claim =
      target?.kind === 'claim' ? model?.claims.find(({ id }) => claimFragment(id) === target.id) : undefined;
    if (model && claim) {
      render(<ClaimDrawer key={claim.id} claim={claim} model={model} close={() => dialog.close()} />, dialog);
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
    const url = new URL((event.target as Element).closest('a')?.getAttribute('href') ?? '', location.href);
    if (url.pathname !== location.pathname || readFragment(url.hash.slice(1))?.kind !== 'claim') return;
    event.preventDefault();
    history.pushState(null, '', url.hash);
    void followFragment();
  });
  const follow = () => void followFragment();
  addEventListener('hashchange', follow);
  addEventListener('popstate', follow);
  follow();
}
