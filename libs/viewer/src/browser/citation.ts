const COPIED_MS = 2000;

/** Lets the citation be copied, where the browser gives pages a clipboard (secure addresses only). */
export function startCitation(): void {
  const button = document.getElementById('copy-citation') as HTMLButtonElement;
  if (!('clipboard' in navigator)) return;
  const label = button.textContent;
  button.hidden = false;
  button.addEventListener('click', () => {
    const text = document.getElementById('citation-text')!.textContent;
    void navigator.clipboard.writeText(text).then(
      () => say(button, 'Copied', label),
      () => say(button, 'Could not copy: select the text', label),
    );
  });
}

function say(button: HTMLElement, text: string, label: string): void {
  button.textContent = text;
  setTimeout(() => {
    button.textContent = label;
  }, COPIED_MS);
}
