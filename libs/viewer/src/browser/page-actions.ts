import { drawAll, drawPane } from './drawn-panes.tsx';

const COPIED_MS = 2000;

/**
 * Shows and starts the actions that need scripts: copy the link, the citation or the HTML to embed, print one
 * page or everything.
 */
export function startPageActions(): void {
  const url = document.querySelector<HTMLLinkElement>('link[rel=canonical]')!.href;
  const textIn = (id: string) => () => document.getElementById(id)!.textContent;
  // Browsers give a clipboard to pages at secure addresses only.
  if ('clipboard' in navigator) {
    copies('copy-link', () => url);
    copies('copy-citation', textIn('citation-text'));
    copies('copy-embed', textIn('embed-text'));
  }
  prints('print-page', false);
  prints('print-all', true);
}

function copies(id: string, textOf: () => string): void {
  const button = shown(id);
  const label = button.textContent;
  button.addEventListener('click', () => {
    void navigator.clipboard.writeText(textOf()).then(
      () => say(button, 'Copied', label),
      () => say(button, 'Could not copy: select the text', label),
    );
  });
}

function prints(id: string, isWhole: boolean): void {
  shown(id).addEventListener('click', () => {
    void (isWhole ? drawAll() : drawPane('overview')).then(() => {
      document.documentElement.classList.toggle('print-all', isWhole);
      print();
    });
  });
}

function shown(id: string): HTMLElement {
  const button = document.getElementById(id)!;
  button.hidden = false;
  return button;
}

function say(button: HTMLElement, text: string, label: string): void {
  button.textContent = text;
  setTimeout(() => {
    button.textContent = label;
  }, COPIED_MS);
}
