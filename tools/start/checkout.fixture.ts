import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * A checkout of its own in a new folder, with the files of `root` that are not made from others and the
 * packages that are installed there. Returns its path.
 */
export function makeCheckout(root: string): string {
  const checkout = mkdtempSync(join(tmpdir(), 'checkout-'));
  const made = ['.git', ...readFileSync(join(root, '.gitignore'), 'utf8').split('\n')]
    .filter((line) => line !== '')
    .map((line) => `/${line.replace(/\/$/, '')}`);
  cpSync(root, checkout, {
    recursive: true,
    filter: (path) => !made.some((name) => path.endsWith(name)),
  });
  const packages = join(root, 'node_modules');
  mkdirSync(join(checkout, 'node_modules'));
  for (const name of readdirSync(packages)) {
    // The workspaces' own packages are links to the folders beside node_modules.
    if (name === '@platform')
      cpSync(join(packages, name), join(checkout, 'node_modules', name), {
        recursive: true,
        verbatimSymlinks: true,
      });
    else symlinkSync(join(packages, name), join(checkout, 'node_modules', name));
  }
  return checkout;
}
