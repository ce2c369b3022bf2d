import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { requestContext } from '@platform/authz-client';
import { axeViolations, killOnExit, startChromium } from '@platform/testing';
import { covers } from '@platform/testing/covers';
import { eventually } from '@platform/testing/eventually';
import type { Browser, BrowserContext, Page, Route } from 'playwright-core';
import { PLATFORM, policy, startAuthority, type Authority } from './guard.fixture.ts';

const LOOKS = process.env['CONSOLE_SCREENSHOTS'];
const SCREENS = ['try', 'policies', 'search', 'audit', 'usage'];
/** A name wider than a phone, which every screen has in its header. */
const SECOND = `second-${'domain-'.repeat(7)}`.slice(0, 50);
const PUBLISHED = `allowed: policy \`publishers\` of domain \`${SECOND}\` allows it`;
/** What a screen shows once it has asked the service. */
const SHOWN: Readonly<Record<string, string | RegExp>> = {
  policies: /^Version \d+$/,
  audit: 'Page 1',
  usage: '10,000,000',
};

describe('platform console', () => {
  let authority: Authority;
  let command: ChildProcess;
  let link: string;
  let origin: string;
  /** Of the console's page, once its link was opened. */
  let home: string;
  let browser: Browser;
  let context: BrowserContext;
  let page: Page;
  const problems: string[] = [];

  beforeAll(async () => {
    authority = await startAuthority();
    const { agent, domainId } = authority;
    const object = `svc://${domainId}/docs/plan`;
    await authority.put([policy('readers', 'FIXED', { subject: agent.id, action: 'read', object })]);
    await authority.clients.resources.putResources(
      { tenantId: authority.tenantId, domainId, resources: [{ object, attributes: new Map() }] },
      authority.owner,
    );
    await addSecondDomain();
    ({ command, link } = await startConsole(authority.owner.token));
    origin = new URL(link).origin;
    browser = await startChromium();
    context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
    page = await context.newPage();
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) problems.push(message.text());
    });
    page.on('pageerror', (error) => problems.push(String(error)));
    page.on('request', (sent) => {
      if (!sent.url().startsWith(origin) && !/^(?:data|blob):/.test(sent.url())) problems.push(sent.url());
    });
    await page.goto(link);
    await page.getByRole('heading', { level: 1 }).waitFor();
    home = new URL(page.url()).pathname;
  });
  afterAll(async () => {
    await browser?.close();
    command?.kill();
    await authority?.stop();
  });

  /** A console with a credential, and the link that opens its page. */
  async function startConsole(token: string) {
    const started = spawn(process.execPath, [PLATFORM, 'console'], {
      env: { PATH: process.env['PATH'], PLATFORM_ADDRESS: authority.address, PLATFORM_TOKEN: token },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    killOnExit(started);
    const [said] = (await once(started.stdout, 'data')) as [Buffer];
    return { command: started, link: /http:\S+/.exec(said.toString())?.[0] ?? '' };
  }

  /** A domain of 60 policies that match nobody, before the one that lets the agent publish its plan. */
  async function addSecondDomain(): Promise<void> {
    const { clients, tenantId, owner, agent } = authority;
    const second = { tenantId, name: SECOND, superiorDomainIds: [] };
    const { id: domainId } = await clients.domains.createDomain(second, owner);
    const object = `svc://${domainId}/docs/plan`;
    const idle = Array.from({ length: 60 }, (_, index) =>
      policy(`idle-${index}`, 'FIXED', { subject: 'nobody', action: 'read', object }),
    );
    const publishers = policy('publishers', 'FIXED', { subject: agent.id, action: 'publish', object });
    const { policies } = await clients.domains.getDomainPolicies({ tenantId, domainId }, owner);
    await clients.domains.putDomainPolicies(
      { tenantId, domainId, policies: [...policies, ...idle, publishers] },
      owner,
    );
  }
  const choose = (domain: string) => page.getByRole('combobox', { name: 'Domain' }).selectOption(domain);

  /** What the console responds to a request of no browser; a path without a slash is below its page. */
  function ask(path: string, headers: Record<string, string>, method = 'POST', body = '{}') {
    return new Promise<{ status: number; text: string }>((resolve, reject) => {
      const at = path.startsWith('/') ? path : home + path;
      const sent = request(`${origin}${at}`, { method, headers }, (response) => {
        let text = '';
        response.on('data', (chunk: Buffer) => (text += chunk.toString()));
        response.on('end', () => resolve({ status: response.statusCode!, text }));
      });
      sent.on('error', reject);
      sent.end(method === 'GET' ? undefined : body);
    });
  }
  const cookieOf = async () => {
    const [kept] = await context.cookies();
    return `${kept?.name}=${kept?.value}`;
  };
  const open = async (screen: string) => {
    await page.goto(`${origin}${home}#${screen}`);
    await page.getByRole('heading', { level: 1 }).waitFor();
  };

  /** What axe objects to and what scrolls sideways, in light and dark, narrow and wide; a picture of each. */
  async function inspect(name: string): Promise<string[]> {
    const found: string[] = [];
    for (const colorScheme of ['light', 'dark'] as const) {
      for (const width of [390, 1440]) {
        const shown = `${name} ${colorScheme} ${width}`;
        await page.emulateMedia({ colorScheme });
        await page.setViewportSize({ width, height: 900 });
        found.push(...(await axeViolations(page)).map((one) => `${shown}: ${one}`));
        const isWide = await page.evaluate('document.documentElement.scrollWidth > innerWidth');
        if (isWide) found.push(`${shown} scrolls sideways`);
        if (LOOKS)
          await page.screenshot({ path: `${LOOKS}/${name}-${colorScheme}-${width}.png`, fullPage: true });
      }
    }
    return found;
  }

  it('the link of the console opens once, and its cookie is for this page alone', async () => {
    covers('AUTHZ-CON.1');
    await eventually(() => page.url()).toBe(`${origin}${home}`);
    const [cookie] = await context.cookies();
    expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Strict', path: home });
    const elsewhere = await browser.newContext();
    const other = await elsewhere.newPage();
    expect((await other.goto(link))?.status()).toBe(403);
    expect((await other.goto(`${origin}${home}`))?.status()).toBe(403);
    await elsewhere.close();
    const held = 'JSON.stringify([document.cookie, localStorage, sessionStorage])';
    await eventually(() => page.evaluate(held)).toBe('["",{},{}]');
  });

  it('a server on another port that the same browser visits gets no cookie and learns no path', async () => {
    covers('AUTHZ-CON.1');
    const seen: (string | undefined)[] = [];
    const neighbor = createServer(({ headers }, response) => {
      seen.push(headers.cookie, headers.referer);
      response.setHeader('content-type', 'text/html').end('<title>neighbor</title>');
    });
    await once(neighbor.listen(0, '127.0.0.1'), 'listening');
    const at = `http://127.0.0.1:${(neighbor.address() as AddressInfo).port}`;
    const visiting = await context.newPage();
    await visiting.goto(`${origin}${home}`);
    for (const path of ['/', '/api/me', '/assets/x', `/${'x'.repeat(43)}/`]) {
      // As a link on the page would lead there.
      await visiting.evaluate(`location.href = ${JSON.stringify(at + path)}`);
      await visiting.waitForURL(at + path);
    }
    await visiting.close();
    neighbor.close();
    neighbor.closeAllConnections();
    expect(seen.length).toBeGreaterThanOrEqual(8);
    expect(seen.filter((one) => one?.includes('platform_console') || one?.includes(home))).toEqual([]);
  });

  it.each<[string, Record<string, string>, number]>([
    ['without the cookie', { cookie: '' }, 401],
    ['with a guessed cookie', { cookie: 'platform_console=x' }, 401],
    ['of another origin', { origin: 'http://evil.example' }, 403],
    ['of another port', { origin: 'http://127.0.0.1:1' }, 403],
    ['of the same port by another name of loopback', { origin: 'http://localhost:PORT' }, 403],
    ['of the same port by another scheme', { origin: 'https://127.0.0.1:PORT' }, 403],
    ['of a page without an origin of its own', { origin: 'null' }, 403],
    ['of another site, by the browser', { 'sec-fetch-site': 'same-site' }, 403],
    ['by a name that was made to lead here', { host: 'evil.example' }, 403],
    ['by another name of loopback', { host: 'localhost:PORT', origin: 'http://localhost:PORT' }, 403],
    ['as a form', { 'content-type': 'text/plain' }, 415],
  ])('a request %s is refused', async (_, headers, status) => {
    covers('AUTHZ-CON.1');
    const { port } = new URL(origin);
    const given = Object.entries(headers).map(([name, value]) => [name, value.replace('PORT', port)]);
    const sent = { origin, 'content-type': 'application/json', cookie: await cookieOf() };
    expect((await ask('api/me', { ...sent, ...Object.fromEntries(given) })).status).toBe(status);
  });

  it('operations lie below the secret path of the page alone', async () => {
    covers('AUTHZ-CON.1');
    const sent = { origin, 'content-type': 'application/json', cookie: await cookieOf() };
    expect((await ask('api/me', sent)).status).toBe(200);
    for (const path of ['/api/me', `/${'x'.repeat(43)}/api/me`, `${home.toLowerCase()}api/me`])
      expect((await ask(path, sent)).status).toBe(404);
  });

  it('a request without an origin is refused, and no response holds the credential', async () => {
    covers('AUTHZ-CON.1');
    const cookie = await cookieOf();
    const json = { 'content-type': 'application/json', cookie };
    expect((await ask('api/me', json)).status).toBe(403);
    const me = await ask('api/me', { ...json, origin });
    expect([me.status, me.text.includes(authority.owner.token)]).toEqual([200, false]);
    expect((await ask('', { cookie }, 'GET')).text).not.toContain(authority.owner.token);
  });

  it('a request that is tried names the policy that decides it', async () => {
    covers('AUTHZ-CON.2');
    await open('try');
    await page.getByLabel('Subject').fill(authority.agent.id);
    await page.getByLabel('Object').fill('docs/plan');
    await page.keyboard.press('Enter');
    await page.getByText('allowed: policy `readers` allows it').waitFor();
    await page.getByLabel('Action').fill('write');
    await page.keyboard.press('Enter');
    await page
      .getByText('denied: no policy allows it; nearest: policy `readers`, `action` does not match')
      .waitFor();
    await eventually(() => page.locator('.traces').innerText()).toContain(
      'does not match: “action” (“write”)',
    );
    await page.getByLabel('Object').fill('svc://nowhere/x');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').getByText('`object` must be').waitFor();
  });

  it('a request that an inverted policy does not match names the statement that does', async () => {
    covers('AUTHZ-V.16');
    const { agent, domainId } = authority;
    const object = `svc://${domainId}/docs/plan`;
    const readers = policy('readers', 'FIXED', { subject: agent.id, action: 'read', object });
    const turned = { ...policy('turned', 'GLOB', { action: '*' }), invert: true, deny: true };
    await authority.put([readers, turned]);
    await open('try');
    await page.getByLabel('Subject').fill(agent.id);
    await page.getByLabel('Action').fill('read');
    await page.getByLabel('Object').fill('docs/plan');
    await page.keyboard.press('Enter');
    await page.getByText('does not match: its statement does, and the policy is inverted').waitFor();
    await authority.put([readers]);
  });

  it('a request is tried in the domain chosen in the header, and its verdict goes with the fields it is about', async () => {
    covers('AUTHZ-CON.7');
    await open('try');
    await choose(SECOND);
    await page.getByLabel('Subject').fill(authority.agent.id);
    await page.getByLabel('Action').fill('publish');
    await page.getByLabel('Object').fill('docs/plan');
    await page.keyboard.press('Enter');
    const verdict = page.getByText(PUBLISHED);
    await verdict.waitFor();
    await page.getByLabel('Action').fill('delete');
    await eventually(() => verdict.count()).toBe(0);
    await page.keyboard.press('Enter');
    await page.getByText('denied: no policy allows it').waitFor();
    await page.getByLabel('Action').fill('publish');
    await page.keyboard.press('Enter');
    await verdict.waitFor();
    await choose('root');
    await eventually(() => verdict.count()).toBe(0);
    await page.getByRole('button', { name: 'Explain' }).click();
    await page.getByText('denied: no policy allows it').waitFor();
  });

  it('the domain that was chosen stays in the address, across a reload and other screens', async () => {
    covers('AUTHZ-CON.14');
    await open('try');
    const chosen = page.getByRole('combobox', { name: 'Domain' }).locator('option:checked');
    await choose(SECOND);
    await page.reload();
    await eventually(() => chosen.innerText()).toBe(SECOND);
    await page.getByRole('link', { name: 'Search' }).click();
    await page.getByRole('heading', { name: 'What may a subject do?' }).waitFor();
    await page.reload();
    await page.getByRole('heading', { name: 'What may a subject do?' }).waitFor();
    await eventually(() => chosen.innerText()).toBe(SECOND);
    await page.goBack();
    await page.getByRole('heading', { name: 'Try a request' }).waitFor();
    await eventually(() => chosen.innerText()).toBe(SECOND);
    // A domain that is not one of the tenant's is not chosen.
    await page.goto(`${origin}${home}#try/00000000-0000-4000-8000-000000000000`);
    await eventually(() => chosen.innerText()).toBe('root');
    await choose('root');
  });

  it('only the verdict of a long explanation is live, and its list begins with what matches', async () => {
    covers('AUTHZ-CON.8');
    await open('try');
    await choose(SECOND);
    await page.getByLabel('Subject').fill(authority.agent.id);
    await page.getByLabel('Action').fill('publish');
    await page.getByLabel('Object').fill('docs/plan');
    await page.keyboard.press('Enter');
    await eventually(() => page.getByRole('status').innerText()).toBe(PUBLISHED);
    const items = page.getByRole('list', { name: 'Policies' }).first().getByRole('listitem');
    await eventually(() => items.count()).toBe(50);
    await eventually(() => items.first().innerText()).toContain(
      `publishers of domain ${SECOND} allow matches`,
    );
    await page.getByText(/^and \d+ more$/).click();
    await page.getByText('idle-59').waitFor();
    await choose('root');
  });

  it('an attribute without a value is refused with what to write instead, in the first line and the second', async () => {
    covers('AUTHZ-CON.2', 'AUTHZ-CON.18');
    await open('try');
    await page.getByLabel('Object').fill('docs/plan');
    for (const attributes of ['owner', 'team=red\nowner']) {
      await page.getByLabel('Attributes').fill(attributes);
      await page.getByRole('button', { name: 'Explain' }).click();
      await page.getByRole('alert').getByText('attribute `owner` is not key=value: write').waitFor();
    }
  });

  it.each([
    ['try', 'Explain'],
    ['search', 'Search'],
  ])(
    'the screen %s says that policies know an account by its id and not by its name',
    async (screen, button) => {
      covers('AUTHZ-CON.16');
      await open(screen);
      await page.reload();
      await page.getByLabel('Subject').fill('alice');
      await page.getByLabel('Object').fill('docs/plan');
      await page.getByRole('button', { name: button, exact: true }).click();
      const note = page
        .getByRole('status')
        .getByText(`policies know accounts by id: ask about ${authority.owner.id}`);
      await note.waitFor();
      await page.getByLabel('Subject').fill(authority.owner.id);
      await page.getByRole('button', { name: button, exact: true }).click();
      await eventually(() => note.count()).toBe(0);
    },
  );

  it('the actions on an object are searched in the domain chosen in the header', async () => {
    covers('AUTHZ-CON.7');
    await open('search');
    await choose(SECOND);
    await page.getByLabel('Subject').fill(authority.agent.id);
    await page.getByLabel('Object').fill('docs/plan');
    await page.getByRole('button', { name: 'Search' }).click();
    const found = page.getByRole('list', { name: 'Found' });
    await eventually(() => found.innerText()).toBe('publish');
    await choose('root');
    await eventually(() => found.count()).toBe(0);
    await page.getByRole('button', { name: 'Search' }).click();
    await eventually(() => found.innerText()).toBe('read');
  });

  it('a slow response about the policies of one domain never becomes the text of another', async () => {
    covers('AUTHZ-CON.7');
    await readPolicies();
    const release = await hold('**/api/policies');
    const reading = page.waitForRequest('**/api/policies');
    await page.getByRole('button', { name: 'Read again' }).click();
    await reading;
    await choose(SECOND);
    await page.getByText(/^Version \d+$/).waitFor();
    const editor = page.getByLabel('Policy file');
    await eventually(() => editor.inputValue()).toContain('publishers');
    const late = page.waitForResponse('**/api/policies');
    release();
    await late;
    // The page draws what the response changed before its next frame but one.
    await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
    await eventually(() => editor.inputValue()).toContain('publishers');
    await choose('root');
  });

  it('policies are validated as one types, tested and saved', async () => {
    covers('AUTHZ-CON.3');
    await open('policies');
    const editor = page.getByLabel('Policy file');
    await page.getByText(/^Version \d+$/).waitFor();
    const before = await editor.inputValue();
    await editor.fill(`${before}  - { name: broken, engine: fixd, statements: [] }\n`);
    await page.getByText('This is no policy file.').waitFor();
    await page.getByRole('alert').getByText('policy `broken`: engine').waitFor();
    const added = warned('wide');
    const context = `subject: bob, action: write, object: 'svc://${authority.domainId}/x'`;
    const test = `tests:\n  - { name: bob writes, context: { ${context} }, expected: deny }\n`;
    await editor.fill(before + added + test);
    const finding = page.getByLabel('Findings').getByRole('button').first();
    await finding.waitFor();
    await finding.click();
    await eventually(() =>
      editor.evaluate((element: HTMLTextAreaElement) =>
        element.value.slice(element.selectionStart, element.selectionEnd),
      ),
    ).toContain('wide');
    covers('AUTHZ-A.23');
    const team = `  - { name: team, engine: fixed, statements: [{ rules: { action: write, user.team: blue } }] }\n`;
    const brings = `  - { name: blue writes, context: { ${context}, user.team: blue }, expected: allow }\n`;
    await editor.fill(before + team + test + brings);
    await page.getByRole('button', { name: 'Run tests' }).click();
    const tests = page.getByRole('list', { name: 'Tests' });
    await eventually(() => tests.getByRole('listitem').allInnerTexts()).toEqual([
      expect.stringMatching(/^passed bob writes; rules name `user\.team`, which this case does not bring/),
      'passed blue writes',
    ]);
    await editor.fill(before + test);
    await page.getByRole('button', { name: 'Run tests' }).click();
    await page.getByText('bob writes').last().waitFor();
    await eventually(() => page.getByRole('list', { name: 'Tests' }).innerText()).toContain(
      'passed bob writes',
    );
    await editor.fill(`${before}${test}# changed\n`);
    await page.getByText('An earlier text: 1 passed, 0 failed').waitFor();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText(/^Nothing changed: version \d+ stays\.$/).waitFor();
  });

  it('a set that may not be read cannot be saved over, and the page says so', async () => {
    covers('AUTHZ-CON.27');
    const own = await startConsole(authority.agent.token);
    const other = await (await browser.newContext()).newPage();
    await other.goto(own.link);
    await other.getByRole('heading', { level: 1 }).waitFor();
    await other.goto(`${new URL(own.link).origin}${new URL(other.url()).pathname}#policies`);
    const said = other.getByText('The stored set was not read, so nothing can be saved over it.');
    await said.waitFor();
    await other.getByLabel('Policy file').fill('policies: []\n');
    await eventually(() => other.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true);
    await other.context().close();
    own.command.kill();
  });

  it('the tests and comments of a saved file outlast other screens, domains and a reload, and are offered as a file', async () => {
    covers('AUTHZ-CON.13');
    const before = await readPolicies();
    const editor = page.getByLabel('Policy file');
    const test = `tests:\n  - { name: kept, context: { subject: bob, action: write }, expected: deny }\n`;
    const file = `# a comment\n${before}${warned('with-file')}${test}`;
    await editor.fill(file);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText(/^Saved as version \d+\.$/).waitFor();
    await page.getByText('Tests and comments are not stored by the service: they are kept').waitFor();
    const [saved] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download the file' }).click(),
    ]);
    expect(saved.suggestedFilename()).toBe('policies.yaml');
    await page.getByRole('link', { name: 'Audit' }).click();
    await page.getByRole('heading', { name: 'Audit' }).waitFor();
    await page.getByRole('link', { name: 'Policies' }).click();
    await eventually(() => editor.inputValue()).toBe(file);
    await choose(SECOND);
    await eventually(() => editor.inputValue()).toContain('publishers');
    await choose('root');
    await eventually(() => editor.inputValue()).toBe(file);
    await page.reload();
    await eventually(() => editor.inputValue()).toBe(file);
    await page.getByRole('button', { name: 'Read again' }).click();
    await eventually(() => editor.inputValue()).not.toContain('a comment');
    await page.getByRole('button', { name: 'Show the file' }).click();
    await eventually(() => editor.inputValue()).toBe(file);
    await authority.put([]);
    await page.reload();
    await page.getByText(/^The tests and comments of the file saved here belong to version \d+\.$/).waitFor();
    await eventually(() => editor.inputValue()).not.toContain('a comment');
  });

  it('what is said about a text is marked or gone once the text is another one', async () => {
    covers('AUTHZ-CON.9');
    const before = await readPolicies();
    const editor = page.getByLabel('Policy file');
    await editor.fill(before + warned('wide'));
    await page.getByLabel('Findings').getByRole('button').first().waitFor();
    const release = await hold('**/api/validate');
    await editor.fill(`${before}tests: no\n`);
    await page.getByText('Of an earlier text, until this one is validated:').waitFor();
    await page.getByRole('button', { name: 'Run tests' }).click();
    const problem = page.getByRole('alert').getByText(/^line \d+, column \d+: tests: /);
    await problem.waitFor();
    await editor.fill(before);
    await eventually(() => problem.count()).toBe(0);
    release();
    await page.getByText(/^\d+ polic(?:y|ies), valid\.$/).waitFor();
    await eventually(() => page.getByText('Of an earlier text').count()).toBe(0);
    await page.getByRole('button', { name: 'Show plan' }).click();
    await page.getByText('no difference').waitFor();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText(/^Nothing changed: version \d+ stays\.$/).waitFor();
    await eventually(() => page.getByRole('region', { name: 'Plan' }).count()).toBe(0);
  });

  /** Holds the console's next request of its server back until the function is called. */
  async function hold(asked: string): Promise<() => void> {
    let release = () => {};
    const held = new Promise<void>((resolve) => (release = resolve));
    const wait = async (route: Route) => {
      await held;
      await route.continue();
    };
    await page.route(asked, wait, { times: 1 });
    return release;
  }
  async function readPolicies(): Promise<string> {
    await open('policies');
    await page.getByRole('button', { name: 'Read again' }).click();
    await page.getByText(/^Version \d+$/).waitFor();
    return page.getByLabel('Policy file').inputValue();
  }
  const warned = (name: string) =>
    `  - { name: ${name}, engine: regex, statements: [{ rules: { object: docs } }] }\n`;

  it('a slow validation of what was saved meanwhile does not hide that it was saved', async () => {
    covers('AUTHZ-CON.3');
    const before = await readPolicies();
    const release = await hold('**/api/validate');
    const validating = page.waitForRequest('**/api/validate');
    await page.getByLabel('Policy file').fill(before + warned('late'));
    await validating;
    await page.getByRole('button', { name: 'Save' }).click();
    const saved = page.getByText(/Saved as version \d+\./);
    await saved.waitFor();
    release();
    // The findings come with what the validation says.
    await page.getByLabel('Findings').getByRole('button').first().waitFor();
    await eventually(() => saved.count()).toBe(1);
  });

  it('what is typed during a save is still to be saved', async () => {
    covers('AUTHZ-CON.3');
    const before = await readPolicies();
    const release = await hold('**/api/save');
    const saving = page.waitForRequest('**/api/save');
    await page.getByLabel('Policy file').fill(before + warned('first'));
    await page.getByRole('button', { name: 'Save' }).click();
    await saving;
    await page.getByLabel('Policy file').fill(before + warned('first') + warned('second'));
    release();
    await page.getByText(/^Version \d+, changed here$/).waitFor();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText(/^Version \d+$/).waitFor();
    expect(await readPolicies()).toContain('second');
  });

  it('a set that policies leave is saved only after a second click beside their names', async () => {
    covers('AUTHZ-CON.12');
    const before = await readPolicies();
    const editor = page.getByLabel('Policy file');
    await editor.fill(before + warned('one') + warned('other'));
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText(/^Saved as version \d+\.$/).waitFor();
    await editor.fill(before);
    await page.getByRole('button', { name: 'Save' }).click();
    const asked = page
      .getByRole('alert')
      .getByText('2 policies leave the set: `one`, `other`. Nothing is saved yet.');
    await asked.waitFor();
    // Another text may lose other policies.
    await editor.fill(before + warned('one'));
    await eventually(() => asked.count()).toBe(0);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('alert').getByText('1 policy leaves the set: `other`.').waitFor();
    expect(await readPolicies()).toContain('other');
    await editor.fill(before);
    await page.getByRole('button', { name: 'Save' }).click();
    await asked.waitFor();
    await page.getByRole('button', { name: 'Save all the same' }).click();
    await page.getByText(/^Saved as version \d+\.$/).waitFor();
    await eventually(() => asked.count()).toBe(0);
    expect(await readPolicies()).toBe(before);
  });

  it('a set that somebody else changed, and one that locks all out, are not saved', async () => {
    covers('AUTHZ-CON.3', 'AUTHZ-CON.15');
    await open('policies');
    await page.getByRole('button', { name: 'Read again' }).click();
    const editor = page.getByLabel('Policy file');
    const lead = page.getByText(/^Version \d+/);
    await lead.waitFor();
    await editor.fill(
      'policies:\n  - { name: none, engine: fixed, statements: [{ rules: { subject: nobody } }] }\n',
    );
    await page.getByText('This set would be refused.').waitFor();
    await eventually(() => page.getByLabel('Findings').innerText()).toMatch(
      /refused LOCKOUT: .*platform policies put --allow-lockout/,
    );
    await eventually(() => page.getByText(/^line 0/).count()).toBe(0);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('alert').getByText('not saved: ').waitFor();
    await eventually(() => page.getByRole('button', { name: 'Save all the same' }).count()).toBe(0);
    await page.getByRole('button', { name: 'Read again' }).click();
    await page.getByText(/^Version \d+$/).waitFor();
    await editor.fill(`# mine\n${await editor.inputValue()}`);
    await authority.put([]);
    await page.getByRole('button', { name: 'Save' }).click();
    const conflict = page.getByRole('alert').getByText('somebody else changed the policies');
    await conflict.waitFor();
    await page.getByRole('button', { name: 'Read again' }).click();
    await eventually(() => conflict.count()).toBe(0);
  });

  it('the plan says in words what saving would change, with a request that shows it, and saves nothing', async () => {
    covers('AUTHZ-CON.6');
    const before = await readPolicies();
    const version = await page.getByText(/^Version \d+$/).innerText();
    const editor = page.getByLabel('Policy file');
    const writers = `  - { name: writers, engine: fixed, statements: [{ rules: { subject: wendy, action: write, object: 'svc://${authority.domainId}/docs/plan' } }] }\n`;
    await editor.fill(before + writers);
    await page.getByLabel('with recorded checks').selectOption('of the last day');
    await page.getByRole('button', { name: 'Show plan' }).click();
    const plan = page.getByRole('region', { name: 'Plan' });
    await plan.getByText('1 statement changes decisions, 0 without effect, 0 not decided').waitFor();
    await eventually(() => plan.getByRole('listitem').allInnerTexts()).toEqual([
      expect.stringMatching(
        /^added writers .*wendy.*\nwendy write svc:.*: denied, as no policy allows it, then allowed by writers$/s,
      ),
      expect.stringMatching(/recorded checks: 0 lose, 0 gain$/),
    ]);
    await editor.fill(`${before}# nothing else\n`);
    await plan.getByText('What an earlier text would have changed').waitFor();
    await page.getByRole('button', { name: 'Show plan' }).click();
    await plan.getByText('no difference').waitFor();
    await page.getByRole('button', { name: 'Discard and read again' }).click();
    await page.getByText(version, { exact: true }).waitFor();
    await eventually(() => editor.inputValue()).toBe(before);
  });

  it('a plan counts the changes that it does not list among those that its fold has', async () => {
    covers('AUTHZ-CLI.74');
    const before = await readPolicies();
    const grants = Array.from({ length: 1_201 }, (_, n) => `{ rules: { subject: s${n} } }`);
    const many = `  - { name: many, engine: fixed, statements: [${grants.join(', ')}] }\n`;
    await page.getByLabel('Policy file').fill(before + many);
    await page.getByRole('button', { name: 'Show plan' }).click();
    const plan = page.getByRole('region', { name: 'Plan' });
    await plan.getByText('1201 statements change decisions, 0 without effect, 0 not decided').waitFor();
    await plan.getByText('and 1,151 more').click();
    await plan
      .getByText('not listed: 201 statements change decisions, 0 without effect, 0 not decided')
      .waitFor();
    await page.getByRole('button', { name: 'Discard and read again' }).click();
    await page.getByText(/^Version \d+$/).waitFor();
  });

  it('a text that is not saved outlasts a look at another screen', async () => {
    covers('AUTHZ-CON.3');
    const before = await readPolicies();
    await page.getByLabel('Policy file').fill(`# kept\n${before}`);
    await page.getByRole('link', { name: 'Audit' }).click();
    await page.getByRole('heading', { name: 'Audit' }).waitFor();
    await page.getByRole('link', { name: 'Policies' }).click();
    await page.getByText(/^Version \d+, changed here$/).waitFor();
    await eventually(() => page.getByLabel('Policy file').inputValue()).toBe(`# kept\n${before}`);
    await page.getByRole('button', { name: 'Discard and read again' }).click();
    await page.getByText(/^Version \d+$/).waitFor();
    await eventually(() => page.getByLabel('Policy file').inputValue()).toBe(before);
  });

  it('a set is edited, planned and saved by keyboard alone', async () => {
    covers('AUTHZ-CON.6');
    await readPolicies();
    await open('try');
    /** Presses the key until the control has the focus. */
    const tabTo = async (name: string, key = 'Tab') => {
      const focused = () =>
        page.evaluate<string>(
          `(({ activeElement: at }) => at.labels?.[0]?.innerText ?? at.innerText)(document)`,
        );
      for (let presses = 0; presses < 40; presses += 1) {
        await page.keyboard.press(key);
        if ((await focused()).trim() === name) return;
      }
      throw new Error(`the keyboard does not reach ${name}`);
    };
    await tabTo('Policies');
    await page.keyboard.press('Enter');
    await page.getByText(/^Version \d+$/).waitFor();
    // The heading of the screen has the focus, and the editor is next.
    await eventually(() => page.evaluate('document.activeElement.innerText')).toBe('Policies');
    await tabTo('Policy file (YAML), tests included');
    await page.keyboard.press('Control+End');
    await page.keyboard.type('# by keyboard\n');
    await tabTo('Show plan');
    await page.keyboard.press('Enter');
    await page.getByText('no difference').waitFor();
    await tabTo('Save', 'Shift+Tab');
    await page.keyboard.press('Enter');
    await page.getByText(/^Nothing changed: version \d+ stays\.$/).waitFor();
  });

  it('every control of every screen takes the focus visibly, in the order of the page, and lets go of it', async () => {
    covers('AUTHZ-CON.5');
    const found: unknown[] = [];
    for (const colorScheme of ['light', 'dark'] as const) {
      for (const width of [390, 1440]) {
        await page.emulateMedia({ colorScheme });
        await page.setViewportSize({ width, height: 900 });
        for (const screen of SCREENS) {
          await open(screen);
          // The screen is there when its heading has the focus, and what it shows when that has come.
          await eventually(() => page.evaluate('document.activeElement.tagName')).toBe('H1');
          if (SHOWN[screen] !== undefined) await page.getByText(SHOWN[screen]).first().waitFor();
          const controls = `[...document.querySelectorAll('a[href], button:enabled, input, select, textarea, [tabindex="0"]')]`;
          const count = await page.evaluate<number>(`${controls}.length`);
          await page.evaluate('document.body.tabIndex = -1; document.body.focus()');
          const visited: number[] = [];
          // Once more than there are controls: the last one lets the focus go.
          for (let press = 0; press <= count; press += 1) {
            await page.keyboard.press('Tab');
            const { at, isSeen } = await page.evaluate<{ at: number; isSeen: boolean }>(
              `(({ outlineStyle, outlineWidth }) => ({
                at: ${controls}.indexOf(document.activeElement),
                isSeen: outlineStyle !== 'none' && parseFloat(outlineWidth) >= 2,
              }))(getComputedStyle(document.activeElement))`,
            );
            if (press < count) visited.push(at);
            if (at >= 0 && !isSeen) found.push([screen, colorScheme, width, at, 'no outline']);
            if (press === count && at > 0) found.push([screen, colorScheme, width, 'a trap']);
          }
          await page.keyboard.press('Escape');
          if (visited.some((at, index) => at !== index)) found.push([screen, colorScheme, width, visited]);
        }
      }
    }
    expect(found).toEqual([]);
  });

  it('searches, audit, the state of its chain and quotas are shown', async () => {
    covers('AUTHZ-CON.4', 'AUTHZ-C.10');
    await open('search');
    await page.getByLabel('Subject').fill(authority.owner.id);
    await page.getByRole('button', { name: 'Search' }).click();
    await page.getByText(`svc://${authority.domainId}/docs/plan`).waitFor();
    await page.getByLabel('Object').fill('docs/plan');
    await page.getByRole('button', { name: 'Search' }).click();
    await page
      .getByRole('status')
      .getByText(/found|Nothing/)
      .waitFor();
    await open('audit');
    await page.getByText('PutDomainPolicies').first().waitFor();
    // A name, with the id under the pointer.
    await page.getByTitle(authority.owner.id).first().waitFor();
    await eventually(() => page.getByText(authority.owner.id, { exact: true }).count()).toBe(0);
    await page.getByTitle(`domains/${authority.domainId}/policies`).first().waitFor();
    await eventually(() =>
      page.getByTitle(`domains/${authority.domainId}/policies`).first().innerText(),
    ).toBe('domains/root/policies');
    await page.getByRole('button', { name: 'Verify the chain' }).click();
    await page.getByText('the chain holds').waitFor();
    await open('usage');
    await page.getByText('10,000,000').first().waitFor();
  });

  it('the audit says that it reads, turns no page meanwhile, and says when no row is left', async () => {
    covers('AUTHZ-CON.4');
    await open('audit');
    await page.getByText('Page 1').waitFor();
    const release = await hold('**/api/audit');
    await page.getByLabel('Subject').fill('"nobody of that name"');
    await page.getByRole('button', { name: 'Show' }).click();
    await page.getByText('Reading…').waitFor();
    for (const name of ['Newer', 'Older'])
      await eventually(() => page.getByRole('button', { name }).isDisabled()).toBe(true);
    release();
    await page.getByText('No rows for this filter.').waitFor();
    await eventually(() => page.getByText('Reading…').count()).toBe(0);
  });

  it('the subject of the audit is filtered by the name that the rows show, and by id', async () => {
    covers('AUTHZ-CON.10');
    await open('audit');
    const subjects = page.getByRole('cell').and(page.locator('[data-title="Subject"]'));
    for (const subject of ['alice', authority.owner.id]) {
      const answered = page.waitForResponse('**/api/audit');
      await page.getByLabel('Subject').fill(subject);
      await page.getByRole('button', { name: 'Show' }).click();
      await answered;
      await eventually(async () => new Set(await subjects.allInnerTexts())).toEqual(new Set(['alice']));
    }
  });

  it('the audit tells the name of an account as a text from the account, and finds the rows of both', async () => {
    covers('AUTHZ-CON.22');
    const { clients, domainId, owner } = authority;
    const object = `svc://${domainId}/docs/plan`;
    for (const subject of [owner.id, 'alice'])
      await clients.authorization.checkAuthorization(
        { context: requestContext({ subject, action: 'read', object }) },
        owner,
      );
    await open('audit');
    const subjects = page.getByRole('cell').and(page.locator('[data-title="Subject"]'));
    await page.getByLabel('Subject').fill('alice');
    await page.getByRole('button', { name: 'Show' }).click();
    await page.getByText('some checks name the text "alice"').waitFor();
    await page.getByLabel('Subject').fill('"alice"');
    await page.getByRole('button', { name: 'Show' }).click();
    await eventually(async () => new Set(await subjects.allInnerTexts())).toEqual(new Set(['"alice"']));
  });

  it('the audit of a name that no account has is an error, and of a text says so', async () => {
    covers('AUTHZ-CON.25');
    await open('audit');
    const show = async (subject: string) => {
      await page.getByLabel('Subject').fill(subject);
      await page.getByRole('button', { name: 'Show' }).click();
    };
    await show('nosuchuser');
    const nobody = 'no account that you may look up is or was called';
    await page.getByRole('alert').getByText(`${nobody} `).waitFor();
    await eventually(() => page.getByText('No rows for this filter.').count()).toBe(0);
    const { clients, domainId, owner } = authority;
    await clients.authorization.checkAuthorization(
      { context: requestContext({ subject: 'zoe', action: 'read', object: `svc://${domainId}/docs/plan` }) },
      owner,
    );
    await show('zoe');
    await page.getByText(`${nobody} \`zoe\`: these are rows about this text`).waitFor();
    // The subject did not ask.
    const asked = page.getByRole('cell').and(page.locator('[data-title="Asked by"]'));
    covers('AUTHZ-CLI.67');
    await eventually(() => asked.allInnerTexts()).toEqual(['alice']);
    await eventually(() => page.title()).toBe('Audit – platform console');
  });

  it('a search that finds nothing for a name that no account has says so', async () => {
    covers('AUTHZ-CON.26');
    await open('search');
    await page.getByLabel('Subject').fill('nosuchuser');
    await page.getByLabel('Action').fill('read');
    await page.getByLabel('Object').fill('');
    await page.getByRole('button', { name: 'Search', exact: true }).click();
    await page.getByRole('status').getByText('nothing found: no account that you may look up').waitFor();
  });

  it('a test that cannot be decided is named by its place and name', async () => {
    covers('AUTHZ-CON.20');
    await open('policies');
    const editor = page.getByLabel('Policy file');
    await page.getByText(/^Version \d+$/).waitFor();
    const before = await editor.inputValue();
    await editor.fill(
      `${before}tests:\n  - { name: weekend, context: { subject: bob, action: read, object: docs }, expected: deny }\n`,
    );
    await page.getByRole('button', { name: 'Run tests' }).click();
    await page.getByText(/^line \d+, column 5: test `weekend`: /).waitFor();
    await page.getByRole('button', { name: 'Discard and read again' }).click();
    await eventually(() => editor.inputValue()).not.toContain('weekend');
  });

  it('rows of a filter that a later one has overtaken are not shown', async () => {
    covers('AUTHZ-CON.4');
    await open('audit');
    await page.getByLabel('Subject').fill('');
    await page.getByRole('button', { name: 'Show' }).click();
    await page.getByText('Page 1').waitFor();
    const release = await hold('**/api/audit');
    const reading = page.waitForRequest('**/api/audit');
    await page.getByRole('button', { name: 'Show' }).click();
    await reading;
    await page.getByLabel('Subject').fill('"nobody of that name"');
    await page.getByRole('button', { name: 'Show' }).click();
    await page.getByText('No rows for this filter.').waitFor();
    const late = page.waitForResponse('**/api/audit');
    release();
    await late;
    await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
    await eventually(() => page.getByText('No rows for this filter.').count()).toBe(1);
  });

  it('a save ends the message of a validation that had no response', async () => {
    covers('AUTHZ-CON.19');
    await open('policies');
    const editor = page.getByLabel('Policy file');
    await eventually(() => editor.inputValue()).toContain('policies');
    const refusal = { status: 409, json: { error: { message: 'no response' } } };
    await page.route('**/api/validate', (route) => route.fulfill(refusal), { times: 1 });
    await editor.fill(`${await editor.inputValue()}\n# a comment\n`);
    await page.getByText('Not validated.').waitFor();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText(/^(Saved as|Nothing changed)/).waitFor();
    await eventually(() => page.locator('.problem').count()).toBe(0);
  });

  it('a search of the actions on an object says that it does not use the action', async () => {
    covers('AUTHZ-CON.23');
    await open('search');
    const note = page.getByText('not used: all actions on the object are listed');
    await eventually(() => note.count()).toBe(0);
    await page.getByLabel('Object').fill('docs/plan');
    await note.waitFor();
  });

  it('an attribute may hold spaces, and lines of a policy file are not wrapped', async () => {
    covers('AUTHZ-CON.4', 'AUTHZ-CON.21');
    await open('try');
    await page.getByLabel('Object').fill('docs/plan');
    await page.getByLabel('Attributes').fill('team = red fish\n\n role=reader ');
    const asked = page.waitForRequest('**/api/explain');
    await page.getByRole('button', { name: 'Explain' }).click();
    expect(((await asked).postDataJSON() as { attributes: string[] }).attributes).toEqual([
      'team=red fish',
      'role=reader',
    ]);
    await open('policies');
    const wrapping = () =>
      page.getByLabel('Policy file').evaluate((editor) => getComputedStyle(editor).whiteSpace);
    await eventually(wrapping).toBe('pre');
  });

  it('a policy of a superior domain is shown with the name of that domain', async () => {
    covers('AUTHZ-CLI.53');
    const { clients, tenantId, domainId: rootId, owner } = authority;
    const below = { tenantId, name: 'below', superiorDomainIds: [rootId] };
    const { id: domainId } = await clients.domains.createDomain(below, owner);
    const policies = [policy('starter', 'FIXED', { subject: 'nobody' })];
    await clients.domains.putDomainPolicies({ tenantId, domainId, policies }, owner);
    await open('try');
    await page.getByLabel('Object').fill(`svc://${domainId}/docs/plan`);
    await page.keyboard.press('Enter');
    for (const name of ['below', 'root'])
      await page
        .getByRole('listitem')
        .filter({ hasText: `starter of domain ${name} allow` })
        .waitFor();
  });

  it('every screen is free of what axe objects to, in light and dark, narrow and wide', async () => {
    covers('AUTHZ-CON.5');
    const found: string[] = [];
    for (const screen of SCREENS) {
      await open(screen);
      if (SHOWN[screen] !== undefined) await page.getByText(SHOWN[screen]).first().waitFor();
      found.push(...(await inspect(screen)));
    }
    expect(found).toEqual([]);
  });

  it('a verdict, what is found and what a request is refused for are accessible, in light and dark, narrow and wide', async () => {
    covers('AUTHZ-CON.5');
    const found: string[] = [];
    const object = `svc://${authority.domainId}/docs/plan`;
    await authority.put([
      policy('readers', 'FIXED', { subject: authority.agent.id, action: 'read', object }),
    ]);
    await open('try');
    await page.getByLabel('Subject').fill(authority.agent.id);
    await page.getByLabel('Object').fill('docs/plan');
    for (const [action, verdict] of [
      ['read', 'allowed'],
      ['write', 'denied'],
    ] as const) {
      await page.getByLabel('Action').fill(action);
      await page.keyboard.press('Enter');
      await page.getByText(`${verdict}: `).waitFor();
      found.push(...(await inspect(`try-${verdict}`)));
    }
    await page.getByLabel('Object').fill('svc://nowhere/x');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').getByText('`object` must be').waitFor();
    found.push(...(await inspect('try-error')));
    await open('search');
    await page.getByRole('button', { name: 'Search' }).click();
    await page.getByText(/found/).waitFor();
    found.push(...(await inspect('search-found')));
    await open('audit');
    await page.getByLabel('Subject').fill('"nobody of that name"');
    await page.getByRole('button', { name: 'Show' }).click();
    await page.getByText('No rows for this filter.').waitFor();
    found.push(...(await inspect('audit-empty')));
    expect(found).toEqual([]);
  });

  it('a plan, its refusals and a set that somebody else changed are accessible, in light and dark, narrow and wide', async () => {
    covers('AUTHZ-CON.5');
    const found: string[] = [];
    const before = await readPolicies();
    const editor = page.getByLabel('Policy file');
    const plan = page.getByRole('region', { name: 'Plan' });
    const show = page.getByRole('button', { name: 'Show plan' });
    const object = `svc://${authority.domainId}/docs/plan`;
    await editor.fill(
      `${before.replace(/^ {2}- name: readers\n(?: {3}.*\n)*/m, '')}  - { name: writers, engine: fixed, statements: [{ rules: { subject: wendy, action: write, object: '${object}' } }] }
  - { name: nightly export, engine: regex, statements: [{ rules: { subject: '^(night|day)-shift$', object: 'export' } }] }
  - { name: again, engine: regex, statements: [{ rules: { subject: '^(day|night)-shift$', object: 'export' } }] }
  - { name: wendy again, engine: fixed, statements: [{ rules: { subject: wendy, action: write, object: '${object}', team: red } }] }
`,
    );
    await page.getByLabel('with recorded checks').selectOption('of the last day');
    await show.click();
    await plan.getByText(/statements? changes? decisions/).waitFor();
    await page.getByLabel('Findings').getByRole('button').first().waitFor();
    found.push(...(await inspect('policies-plan')));
    await editor.fill(`${await editor.inputValue()}# more\n`);
    await plan.getByText('What an earlier text would have changed').waitFor();
    found.push(...(await inspect('policies-plan-earlier')));
    await editor.fill(`${before}  - { name: broken, engine: fixd, statements: [] }\n`);
    await show.click();
    await page.getByRole('alert').getByText('policy `broken`: engine').waitFor();
    await page.getByText('This is no policy file.').waitFor();
    found.push(...(await inspect('policies-plan-refused')));
    await editor.fill(
      `${before}  - { name: unclosed, engine: regex, statements: [{ rules: { action: '(' } }] }\n`,
    );
    await show.click();
    await page.getByText('This set would be refused.').waitFor();
    await page.getByRole('alert').getByText('unclosed group').waitFor();
    found.push(...(await inspect('policies-plan-invalid')));
    await editor.fill(
      'policies:\n  - { name: none, engine: fixed, statements: [{ rules: { subject: nobody } }] }\n',
    );
    await page.getByText('This set would be refused.').waitFor();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('alert').getByText('not saved: ').waitFor();
    found.push(...(await inspect('policies-lockout')));
    await page.getByRole('button', { name: 'Discard and read again' }).click();
    await page.getByText(/^Version \d+$/).waitFor();
    await editor.fill(`# mine\n${await editor.inputValue()}`);
    await authority.put([policy('elsewhere', 'FIXED', { subject: 'bob', action: 'read' })]);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('alert').getByText('somebody else changed the policies').waitFor();
    found.push(...(await inspect('policies-conflict')));
    await page.getByRole('button', { name: 'Discard and read again' }).click();
    await page.getByText(/^Version \d+$/).waitFor();
    expect(found).toEqual([]);
  });

  it('nothing comes from outside, and the browser has nothing to complain of', () => {
    covers('AUTHZ-CON.5');
    expect(problems.filter((text) => !/status of 40[039]|status of 409/.test(text))).toEqual([]);
  });

  it('a session that ended, a service that does not respond and a console that ended are said on every screen', async () => {
    covers('AUTHZ-CON.5', 'AUTHZ-CON.11');
    const found: string[] = [];
    const unsaved = `# unsaved\n${await readPolicies()}`;
    const look = async (state: string, words: string | RegExp) => {
      await page.getByRole('link', { name: 'Policies' }).click();
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByRole('alert').getByText(words).waitFor();
      await eventually(() => page.getByText('This is no policy file.').count()).toBe(0);
      await eventually(() => page.getByText(/^Version *(?:,|$)/).count()).toBe(0);
      found.push(...(await inspect(`policies-${state}`)));
      for (const screen of ['audit', 'usage']) {
        await page.evaluate(`location.hash = '${screen}'`);
        await page.getByRole('alert').getByText(words).waitFor();
        found.push(...(await inspect(`${screen}-${state}`)));
      }
    };
    await page.getByLabel('Policy file').fill(unsaved);
    await authority.clients.sessions.logout({ userId: authority.owner.id }, authority.owner);
    await look('ended', /^your session has ended/);
    authority.service.process.kill('SIGKILL');
    await look('unreachable', /no response from/);
    command.kill();
    await once(command, 'exit');
    await look('closed', 'the console has ended');
    await page.getByRole('link', { name: 'Policies' }).click();
    await eventually(() => page.getByLabel('Policy file').inputValue()).toBe(unsaved);
    expect(found).toEqual([]);
  });
});
