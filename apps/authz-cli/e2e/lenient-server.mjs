/**
 * An MCP server on stdin and stdout that reads as leniently as any: it ends lines where Python's readers do,
 * takes lists of messages, keys in any case, the last of two equal keys, calls without an id, and names in
 * any Unicode form. It notes in the file EXECUTED whatever it does of what it is sent, before it responds.
 */
import { appendFileSync } from 'node:fs';

const EXECUTED = process.env.EXECUTED;
const TOOLS = ['echo', 'read_file', 'delete_all', 'files/read', 'slow', 'ask', 'environment'];
const plain = (text) =>
  String(text)
    .normalize('NFKC')
    .replace(/\p{Cf}/gu, '')
    .trim();
const HARMLESS = new Set(['ping', 'initialize', 'notifications/initialized', 'notifications/cancelled']);
const waiting = new Map();
let nextId = 1;

function lenient(value) {
  if (Array.isArray(value)) return value.map(lenient);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [plain(key).toLowerCase(), lenient(item)]),
  );
}

function send(message) {
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
}

const listOf = {
  'tools/list': () => ({
    tools: TOOLS.map((name) => ({ name, inputSchema: { type: 'object', maximum: 12 } })),
  }),
  'resources/list': () => ({
    resources: ['file:///desk/plan', 'file:///etc/passwd'].map((uri) => ({ uri, name: uri })),
  }),
  'resources/templates/list': () => ({
    resourceTemplates: [{ uriTemplate: 'file:///desk/{name}', name: 'work' }],
  }),
  'prompts/list': () => ({ prompts: [{ name: 'greet' }, { name: 'secret' }] }),
};

async function call(id, name, given) {
  const text = (line) => ({ content: [{ type: 'text', text: line }] });
  if (name === 'environment') return text(JSON.stringify(process.env));
  if (name === 'ask') {
    const ask = `server-${nextId++}`;
    send({ id: ask, method: 'elicitation/create', params: { message: 'who?' } });
    const { result } = await new Promise((resolve) => waiting.set(ask, resolve));
    return text(`the client says ${JSON.stringify(result)}`);
  }
  if (name === 'slow') {
    send({ method: 'notifications/progress', params: { progressToken: given.token, progress: 1 } });
    return new Promise((resolve) => waiting.set(id, () => resolve(text('cancelled'))));
  }
  return text(`executed ${name}`);
}

async function take(sent) {
  if (Array.isArray(sent)) return Promise.all(sent.map(take));
  const { id, method, params = {}, result } = lenient(sent);
  const name = plain(method ?? '');
  if (name === '') return void waiting.get(id)?.({ result });
  if (!HARMLESS.has(name) && listOf[name] === undefined) {
    const what = params.name ?? params.uri ?? '';
    const done = { method: name, name: plain(what), arguments: params.arguments ?? {}, id };
    appendFileSync(EXECUTED, `${JSON.stringify(done)}\n`);
  }
  if (name === 'notifications/cancelled') return void waiting.get(params.requestid)?.({});
  if (name === 'tools/call') {
    const answer = await call(id, plain(params.name), params.arguments ?? {});
    return send({ id, result: answer });
  }
  if (id === undefined) return;
  send({ id, result: listOf[name]?.() ?? {} });
}

let rest = '';
process.stdin.setEncoding('utf8');
process.stdin.on('data', (chunk) => {
  const lines = (rest + chunk).split(/\r\n|[\n\r\v\f\u0085\u2028\u2029]/);
  rest = lines.pop();
  for (const line of lines) {
    try {
      void take(JSON.parse(line));
    } catch {
      // Not a message.
    }
  }
});
process.stdin.on('end', () => process.exit(0));
