import { createHash } from 'node:crypto';
import { html, Html, productTokens } from '@platform/service-kit';
import type { AuthorizationRequest } from '../identity/authorization-request.ts';
import { isLoopback } from '../identity/oauth-client.ts';
import type { ClientScope } from '../authorization/scopes.ts';

/** A page of the sign-in: HTML and the policy that holds it to what it needs. */
export interface SignInPage {
  readonly status: number;
  readonly html: string;
  readonly policy: string;
}

/** What each scope lets a program do, as the person reads it who grants it. */
const WORDS: Readonly<Record<ClientScope, string>> = {
  investigations: 'Read, change, judge, publish and delete investigations that you may.',
  'investigations:read': 'Read investigations that you may read. It changes nothing.',
};

const STYLES = `${productTokens()}
*{box-sizing:border-box}
html{font:100%/1.55 var(--sans);color:var(--ink);background:var(--paper);overflow-wrap:anywhere}
body{margin:0;padding:var(--space-6) var(--space-4)}
main{max-width:26rem;margin:0 auto;padding:var(--space-5);background:var(--raised);border:1px solid var(--line);border-radius:var(--radius);box-shadow:var(--shadow)}
h1{margin:0 0 var(--space-4);font:600 var(--text-xl)/1.25 var(--serif);text-wrap:balance}
p,ul,dl{margin:0 0 var(--space-4)}
ul{padding-left:1.2em}
dt{font-size:var(--text-s);color:var(--ink-faint)}
dd{margin:0 0 var(--space-3)}
label{display:block;margin-bottom:var(--space-4);font-weight:600}
input,select{display:block;width:100%;min-height:2.75rem;margin-top:var(--space-1);padding:0 var(--space-3);font:inherit;color:inherit;background:var(--paper);border:1px solid var(--line-strong);border-radius:var(--radius)}
label.choice{display:flex;gap:var(--space-2);align-items:center;min-height:2.75rem;font-weight:400}
.choice input{width:1.25rem;min-height:1.25rem;margin:0}
button{width:100%;min-height:2.75rem;margin-bottom:var(--space-3);font:inherit;color:inherit;background:var(--raised);border:1px solid var(--line-strong);border-radius:var(--radius);cursor:pointer}
a{color:var(--link)}
button.primary{color:var(--paper);background:var(--link);border-color:var(--link)}
:focus-visible{outline:3px solid var(--focus);outline-offset:2px}
.note{font-size:var(--text-s);color:var(--ink-faint)}
[role=alert]{padding:var(--space-3);background:var(--mark-soft);border-left:3px solid var(--mark)}`;

/** One text, since the policy names the digest of all that stands in the element, spaces included. */
const STYLE_ELEMENT = new Html(`<style>${STYLES}</style>`);
const STYLE_SOURCE = `'sha256-${createHash('sha256').update(STYLES).digest('base64')}'`;

/** The sign-in form; it posts to the URL of the page. */
export function signInPage(
  { client, redirectUri }: AuthorizationRequest,
  form: {
    readonly csrf: string;
    readonly problem?: string;
    readonly status?: number;
    /** As it was typed before. */
    readonly username?: string;
  },
): SignInPage {
  const problem = form.problem === undefined ? null : html`<p role="alert">${form.problem}</p>`;
  // On what is still to be typed.
  const focus = (field: number) =>
    ((form.username ?? '') === '' ? 0 : 1) === field ? html`autofocus` : null;
  return page(
    form.status ?? 200,
    'Sign in',
    html`<h1>Sign in to connect “${client.name}”</h1>
      ${problem}
      <p>You see next what it asks for. It never sees your password.</p>
      <form method="post">
        <input type="hidden" name="csrf" value="${form.csrf}" />
        <label
          >User name
          <input name="username" value="${form.username ?? ''}" autocomplete="username" required ${focus(0)}
        /></label>
        <label
          >Password
          <input type="password" name="password" autocomplete="current-password" required ${focus(1)}
        /></label>
        <button class="primary" name="step" value="sign-in">Sign in</button>
      </form>
      <p class="note">Then you return to ${hostOf(redirectUri)}.</p>`,
    "'self'",
  );
}

/** The user says whether the program may do what it asks for, and in which tenant. */
export function consentPage(
  { client, redirectUri, scopes, resource }: AuthorizationRequest,
  form: {
    readonly csrf: string;
    readonly username: string;
    readonly tenants: readonly { readonly id: string; readonly name: string }[];
  },
): SignInPage {
  const [only, ...others] = form.tenants;
  const tenant =
    only !== undefined && others.length === 0
      ? html`<p>In the tenant <b>${only.name}</b>.</p>
          <input type="hidden" name="tenant" value="${only.id}" />`
      : html`<label
          >In the tenant
          <select name="tenant" required>
            ${form.tenants.map(({ id, name }) => html`<option value="${id}">${name}</option>`)}
          </select></label
        >`;
  const narrowing = scopes.includes('investigations')
    ? html`<label class="choice"
        ><input type="checkbox" name="read_only" /> Let it read, and change nothing</label
      >`
    : null;
  return page(
    200,
    'Allow access',
    html`<h1>Let “${client.name}” work for you?</h1>
      <dl>
        <dt>It calls itself</dt>
        <dd>“${client.name}”. Nobody has checked that.</dd>
        <dt>It gets access at</dt>
        <dd><b>${hostOf(redirectUri)}</b></dd>
        <dt>To</dt>
        <dd>${resource}</dd>
        <dt>As</dt>
        <dd>${form.username}</dd>
      </dl>
      <p>It may:</p>
      <ul>
        ${scopes.map((scope) => html`<li>${WORDS[scope]}</li>`)}
      </ul>
      <form method="post">
        <input type="hidden" name="csrf" value="${form.csrf}" />
        ${tenant} ${narrowing}
        <button class="primary" name="step" value="allow">Allow</button>
        <button name="step" value="deny" formnovalidate>Cancel</button>
      </form>
      <p class="note">Allow only what you started yourself. A new password ends the access.</p>`,
    `'self' ${sourceOf(redirectUri)}`,
  );
}

/**
 * The error page for requests that are not redirected to their program. A click may lead to `back`, an
 * address that anybody may have registered, so the page names its host.
 */
export function refusalPage(status: number, problem: string, back: string | null = null): SignInPage {
  return page(
    status,
    'Not possible',
    html`<h1>This program cannot be connected</h1>
      <p role="alert">${problem}</p>
      ${back === null ? null : html`<p><a href="${back}" rel="noreferrer">Return to ${hostOf(back)}</a></p>`}
      <p class="note">Close this page, and start again in the program that brought you here.</p>`,
    "'none'",
  );
}

function page(status: number, title: string, body: Html, formAction: string): SignInPage {
  const { text } = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <title>${title}</title>
        ${STYLE_ELEMENT}
      </head>
      <body>
        <main>${body}</main>
      </body>
    </html> `;
  const policy = `default-src 'none'; style-src ${STYLE_SOURCE}; form-action ${formAction}; base-uri 'none'; frame-ancestors 'none'`;
  return { status, html: text, policy };
}

/** The host of the program, or “a program on this device” for a loopback address. */
function hostOf(redirectUri: string): string {
  const { host } = new URL(redirectUri);
  return isLoopback(redirectUri) ? `a program on this device (${host})` : host;
}

/**
 * Browsers hold `form-action` against the addresses that a form is led on to, too. No source can name an IPv6
 * address.
 */
function sourceOf(redirectUri: string): string {
  const { origin, hostname } = new URL(redirectUri);
  return hostname.startsWith('[') ? 'http:' : origin;
}
