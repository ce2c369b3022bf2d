import { accessSync, constants } from 'node:fs';
import type { Browser } from 'playwright-core';
import { aptInstall, findProgram } from './program.ts';
import { takeFirst } from './tier.ts';

const HOW_TO =
  'set CHROMIUM_PATH to a Chromium or Chrome, or install it: apt-get install chromium-headless-shell';
/**
 * The same browser without windows, which takes about half the processor time for a page. Debian has it as a
 * package of its own; its start script would outlive a signal meant for the browser, so the program is taken.
 */
const SHELL = 'chromium-headless-shell';
const SHELL_FOLDER = '/usr/lib/chromium';
const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

/**
 * Longest that a step of a browser may take, in milliseconds: half of what a test may, so that of a test that
 * hangs the step is named. playwright's own thirty seconds are a measure of the machine.
 */
export const STEP_MS_MAX = 300_000;

/**
 * Path of a Chromium to drive with playwright-core: `CHROMIUM_PATH`; a program on the machine;
 * `apt-get install` as root on Debian; npm `@sparticuz/chromium`, unpacked to the temporary folder. A
 * container offers nothing that a test could launch by path, so that tier does not exist here. A sandboxed or
 * root environment launches it with `--no-sandbox --no-zygote`. Prints which it took. Errors:
 * PartUnavailable, saying how to get one.
 */
export function findChromium(env: Record<string, string | undefined> = process.env): Promise<string> {
  return takeFirst<string>(
    'chromium',
    [
      { name: 'CHROMIUM_PATH', get: async () => executable(env['CHROMIUM_PATH']) },
      { name: 'program on this machine', get: async () => installed() },
      {
        name: `apt-get install ${SHELL}`,
        get: async () => ((await aptInstall(SHELL)) ? installed() : null),
      },
      { name: 'npm @sparticuz/chromium', get: fromNpm },
    ],
    HOW_TO,
  );
}

/**
 * A Chromium of its own, without a sandbox, which root could not have, and without what it would look up on
 * the network. A step of its pages may take STEP_MS_MAX.
 */
export async function startChromium(): Promise<Browser> {
  // Late: of the suites that use this library few drive a browser.
  const { chromium } = await import('playwright-core');
  const browser = await chromium.launch({
    executablePath: await findChromium(),
    timeout: STEP_MS_MAX,
    args: ['--no-sandbox', '--no-zygote', '--disable-gpu', '--disable-background-networking'],
  });
  browser.on('context', (context) => context.setDefaultTimeout(STEP_MS_MAX));
  return browser;
}

function installed(): string | null {
  return findProgram([SHELL], [SHELL_FOLDER]) ?? findProgram(NAMES);
}

function executable(file: string | undefined): string | null {
  if (!file) return null;
  accessSync(file, constants.X_OK);
  return file;
}

async function fromNpm(): Promise<string | null> {
  if (process.platform !== 'linux' || process.arch !== 'x64') return null;
  const { default: chromium } = await import('@sparticuz/chromium');
  return chromium.executablePath();
}
