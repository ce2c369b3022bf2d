/**
 * The script of the guide, served as it stands: searches operations, runs examples with the visitor's token,
 * which it keeps in a variable alone, and writes what a form says into the code beside it.
 */
const all = (selector, within = document) => [...within.querySelectorAll(selector)];
const search = document.querySelector('#search');
const token = document.querySelector('#token');

for (const place of all('[data-origin]')) place.textContent = location.origin;

/** Opens what the address names, and the entries it lies in. */
function openTarget() {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (target === null) return;
  for (let part = target; part !== null; part = part.parentElement)
    if (part instanceof HTMLDetailsElement) part.open = true;
  target.scrollIntoView();
}
addEventListener('hashchange', openTarget);
document.addEventListener('click', (event) => {
  const link = event.target instanceof Element ? event.target.closest('a[href^="#"]') : null;
  if (link !== null && link.getAttribute('href') === location.hash) openTarget();
});
openTarget();

// --- search ---

function applySearch() {
  const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
  const found = new Set();
  for (const entry of all('.operation')) {
    entry.hidden = !words.every((word) => entry.dataset.words.includes(word));
    if (!entry.hidden) found.add(entry.id);
  }
  for (const section of all('#operations .group'))
    section.hidden = !all('.operation', section).some((entry) => !entry.hidden);
  for (const item of all('[data-entry]')) item.hidden = !found.has(item.dataset.entry);
  for (const group of all('.nav-group')) {
    group.hidden = !all('[data-entry]', group).some((item) => !item.hidden);
    if (words.length > 0) group.open = true;
  }
  document.body.classList.toggle('searching', words.length > 0);
  const count = document.querySelector('#search-count');
  if (words.length === 0) count.textContent = '';
  else if (found.size === 0) count.textContent = 'No operation has these words. Esc shows all.';
  else count.textContent = found.size === 1 ? '1 operation' : `${found.size} operations`;
}
search.addEventListener('input', applySearch);
search.addEventListener('keydown', (event) => {
  const [first] = all('.operation:not([hidden]) > summary');
  if (event.key === 'Escape') {
    search.value = '';
    applySearch();
  } else if ((event.key === 'Enter' || event.key === 'ArrowDown') && first !== undefined) {
    event.preventDefault();
    if (event.key === 'Enter') first.parentElement.open = true;
    first.focus();
    first.scrollIntoView({ block: 'center' });
  }
});
addEventListener('keydown', (event) => {
  const typing = event.target instanceof Element && event.target.matches('input, textarea');
  if (event.key !== '/' || typing || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  search.focus();
});

// --- what a form says, in the code beside it ---

const valueOf = (form, place, name) =>
  form.querySelector(`[data-in="${place}"][name="${name}"]`)?.value ?? '';
const encodePath = (value) => value.split('/').map(encodeURIComponent).join('/');

function queryOf(form) {
  const pairs = all('[data-in="query"]', form).filter(({ value }) => value !== '');
  const query = new URLSearchParams(pairs.map(({ name, value }) => [name, value])).toString();
  return query === '' ? '' : `?${query}`;
}

function slotText(form, slot) {
  const [place, name] = slot.dataset.slot.split(/:(.*)/s);
  if (place === 'query') return queryOf(form);
  if (place === 'path') {
    const value = valueOf(form, 'path', name);
    return value === '' ? name.toUpperCase() : encodePath(value);
  }
  if (place === 'header') return valueOf(form, 'header', name);
  const body = form.querySelector('[data-in="body"]').value;
  if (slot.dataset.quote === 'shell') return body.replaceAll("'", "'\\''");
  return slot.dataset.quote === 'json' ? body.replaceAll('\n', '\n  ') : JSON.stringify(body);
}

function showCode(form) {
  const example = form.closest('.example');
  for (const slot of all('[data-slot]', example)) slot.textContent = slotText(form, slot);
  for (const line of all('[data-line]', example))
    line.hidden = valueOf(form, 'header', line.dataset.line.split(/:(.*)/s)[1]) === '';
}

// --- running ---

/** Writes what a response tells into forms that ask for it: ids alone, and the version that a change needs. */
function fillFrom(path, response, json) {
  const told = new Map();
  if (json !== null && typeof json === 'object')
    for (const [name, value] of Object.entries(json)) if (typeof value === 'string') told.set(name, value);
  for (const form of all('form.run')) {
    for (const input of all('input', form)) {
      if (input.dataset.typed === 'yes') continue;
      // `id` says what it is of by the path before it.
      const isSame = form.dataset.path.startsWith(path.split('/{')[0]);
      const known =
        input.dataset.in === 'path' && /(^|_)id$/.test(input.name) && (input.name !== 'id' || isSame)
          ? told.get(input.name)
          : undefined;
      const etag = input.name === 'If-Match' && isSame ? response.headers.get('etag') : null;
      if ((known ?? etag ?? input.value) === input.value) continue;
      input.value = known ?? etag;
      showCode(form);
    }
  }
}

const SHOWN_HEADERS = ['etag', 'location', 'retry-after', 'x-check-id', 'x-request-id'];
const SHOWN_MAX = 100_000;

/** The event stream that each form shows, to be ended by its next run. */
const streams = new WeakMap();

/** Writes events as they come, until the service or the next run ends the stream. Keeps the last ones alone. */
async function showStream(response, lines, output) {
  let events = '';
  const head = [...lines, ''].join('\n').trim();
  output.textContent = head;
  output.hidden = false;
  try {
    for await (const part of response.body.pipeThrough(new TextDecoderStream())) {
      events = (events + part).slice(-SHOWN_MAX);
      output.textContent = `${head}\n\n${events}`.trim();
      output.scrollTop = output.scrollHeight;
    }
  } catch {
    // The next run ended it, or the connection did.
  }
}

async function run(form) {
  const { method, path, type } = form.dataset;
  const said = form.querySelector('.said');
  const output = form.querySelector('.output');
  const empty = all('[data-in="path"]', form).find(({ value }) => value === '');
  if (empty !== undefined) {
    said.textContent = `Fill in ${empty.name} first.`;
    empty.focus();
    return;
  }
  const url =
    path.replace(/\{(\w+)\}/g, (_all, name) => encodePath(valueOf(form, 'path', name))) + queryOf(form);
  const headers = new Headers();
  if (form.dataset.token === 'yes' && token.value.trim() !== '')
    headers.set('Authorization', `Bearer ${token.value.trim()}`);
  for (const { name, value } of all('[data-in="header"]', form)) if (value !== '') headers.set(name, value);
  if (type !== '') headers.set('Content-Type', type);
  const body = form.querySelector('[data-in="body"]')?.value;
  streams.get(form)?.abort();
  const stream = new AbortController();
  streams.set(form, stream);
  said.textContent = 'Running …';
  const startedAt = performance.now();
  try {
    const response = await fetch(url, {
      method: method.toUpperCase(),
      headers,
      signal: stream.signal,
      ...(body === undefined ? {} : { body }),
    });
    // Its text would be complete only when the service ends it.
    const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') ?? false;
    const text = isStream ? '' : await response.text();
    const duration = Math.round(performance.now() - startedAt);
    const isJson = response.headers.get('content-type')?.includes('json') ?? false;
    const json = isJson ? JSON.parse(text) : null;
    const lines = SHOWN_HEADERS.filter((name) => response.headers.has(name)).map(
      (name) => `${name}: ${response.headers.get(name)}`,
    );
    const shown = json === null ? text : JSON.stringify(json, null, 2);
    const cut =
      shown.length > SHOWN_MAX ? `${shown.slice(0, SHOWN_MAX)}\n… ${shown.length} characters in all` : shown;
    if (isStream) void showStream(response, lines, output);
    else {
      output.textContent = [...lines, '', cut].join('\n').trim() || 'The response has no body.';
      output.hidden = false;
    }
    const hint = response.status === 401 && token.value === '' ? ' Type your token first.' : '';
    said.textContent = `${response.status} ${response.statusText}, ${duration} ms.${hint}${isStream ? ' Events are shown as they come.' : ''}`;
    said.dataset.good = response.ok ? 'yes' : 'no';
    for (const row of all('[data-status]', form.closest('.operation')))
      row.classList.toggle('met', row.dataset.status === String(response.status));
    if (response.ok) fillFrom(path, response, json);
  } catch (error) {
    if (stream.signal.aborted) return;
    said.dataset.good = 'no';
    said.textContent = `The service did not respond: ${error.message}`;
  }
}

for (const form of all('form.run')) {
  form.addEventListener('input', ({ target }) => {
    target.dataset.typed = 'yes';
    showCode(form);
  });
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    void run(form);
  });
  form.querySelector('textarea')?.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    void run(form);
  });
}
document.querySelector('#token-form').addEventListener('submit', (event) => event.preventDefault());

async function copy(button) {
  await navigator.clipboard.writeText(button.closest('.code').querySelector('pre').innerText);
  button.textContent = 'Copied';
  setTimeout(() => (button.textContent = 'Copy'), 1_500);
}
document.addEventListener('click', (event) => {
  const button = event.target instanceof Element ? event.target.closest('.copy') : null;
  if (button !== null) void copy(button);
});
