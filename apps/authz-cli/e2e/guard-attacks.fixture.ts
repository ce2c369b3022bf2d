/**
 * What somebody sends who may `echo`, `read_file` below /desk and read file:///desk/plan, in order to have the
 * server do more. Each is one line as it goes over the wire.
 */
export interface Attack {
  readonly what: string;
  readonly line: string | Buffer;
}

const call = (name: unknown, given?: unknown, id: unknown = 7) =>
  JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: given } });
const read = (path: unknown) => call('read_file', { path });
const resource = (uri: unknown, method = 'resources/read') =>
  JSON.stringify({ jsonrpc: '2.0', id: 7, method, params: { uri } });
const DELETE = call('delete_all', {}, 8);
const params = (text: string) => `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":${text}}`;

export const ATTACKS: readonly Attack[] = [
  { what: 'a tool that is not permitted', line: call('delete_all', {}) },
  { what: 'a tool without arguments', line: call('delete_all') },
  { what: 'a resource that is not permitted', line: resource('file:///etc/passwd') },
  {
    what: 'a subscription to a resource that is not permitted',
    line: resource('file:///etc/passwd', 'resources/subscribe'),
  },
  {
    what: 'a stream of changes of a resource that is not permitted',
    line: '{"jsonrpc":"2.0","id":7,"method":"subscriptions/listen","params":{"notifications":{"resourceSubscriptions":["file:///etc/passwd"]}}}',
  },
  {
    what: 'a prompt that is not permitted',
    line: '{"jsonrpc":"2.0","id":7,"method":"prompts/get","params":{"name":"secret"}}',
  },
  {
    what: 'the completion of a prompt that is not permitted',
    line: '{"jsonrpc":"2.0","id":7,"method":"completion/complete","params":{"ref":{"type":"ref/prompt","name":"secret"},"argument":{"name":"a","value":""}}}',
  },
  {
    what: 'the completion of a reference of a new type',
    line: '{"jsonrpc":"2.0","id":7,"method":"completion/complete","params":{"ref":{"type":"ref/tool","name":"delete_all"},"argument":{"name":"a","value":""}}}',
  },
  { what: 'a list of messages', line: `[${DELETE}]` },
  { what: 'a list of a permitted and another message', line: `[${call('echo')},${DELETE}]` },
  { what: 'a list in a list', line: `[[${DELETE}]]` },
  { what: 'two names, the last not permitted', line: params('{"name":"echo","name":"delete_all"}') },
  { what: 'two names, the first not permitted', line: params('{"name":"delete_all","name":"echo"}') },
  { what: 'two names, one with an escape', line: params('{"name":"echo","n\\u0061me":"delete_all"}') },
  {
    what: 'two params',
    line: '{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"echo"},"params":{"name":"delete_all"}}',
  },
  {
    what: 'two methods',
    line: '{"jsonrpc":"2.0","id":7,"method":"ping","method":"tools/call","params":{"name":"delete_all"}}',
  },
  {
    what: 'a second method in another case',
    line: '{"jsonrpc":"2.0","id":7,"method":"ping","Method":"tools/call","params":{"name":"delete_all"}}',
  },
  {
    what: 'a second method with a long s',
    line: '{"jsonrpc":"2.0","id":7,"method":"ping","METHOD":"tools/call","param\u017f":{"name":"delete_all"}}',
  },
  {
    what: 'params with a long s beside params',
    line: '{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"echo"},"param\u017f":{"name":"delete_all"}}',
  },
  { what: 'a second name in another case', line: params('{"name":"echo","Name":"delete_all"}') },
  { what: 'a name in full-width letters as key', line: params('{"name":"echo","\uff4eame":"delete_all"}') },
  {
    what: 'arguments in another case',
    line: params('{"name":"read_file","Arguments":{"path":"/etc/passwd"}}'),
  },
  {
    what: 'arguments twice in another case',
    line: params('{"name":"read_file","arguments":{"path":"/desk/a"},"ARGUMENTS":{"path":"/etc/passwd"}}'),
  },
  {
    what: 'an argument twice',
    line: params('{"name":"read_file","arguments":{"path":"/desk/a","path":"/etc/passwd"}}'),
  },
  {
    what: 'an argument twice in another case',
    line: params('{"name":"read_file","arguments":{"path":"/desk/a","Path":"/etc/passwd"}}'),
  },
  {
    what: 'a call without an id',
    line: '{"jsonrpc":"2.0","method":"tools/call","params":{"name":"delete_all"}}',
  },
  { what: 'a call with the id null', line: call('delete_all', {}, null) },
  { what: 'a permitted call with an id that is an object', line: call('delete_all', {}, { a: 1 }) },
  { what: 'a call with a fraction as id', line: call('delete_all', {}, 1.5) },
  {
    what: 'a call that is also a response',
    line: '{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"delete_all"},"result":{}}',
  },
  {
    what: 'a response with params',
    line: '{"jsonrpc":"2.0","id":7,"result":{},"params":{"name":"delete_all"}}',
  },
  {
    what: 'a method with a space',
    line: '{"jsonrpc":"2.0","id":7,"method":"tools/call ","params":{"name":"delete_all"}}',
  },
  {
    what: 'a method in full-width letters',
    line: '{"jsonrpc":"2.0","id":7,"method":"\uff54ools/call","params":{"name":"delete_all"}}',
  },
  {
    what: 'a method with an unseen character',
    line: '{"jsonrpc":"2.0","id":7,"method":"tools\u200b/call","params":{"name":"delete_all"}}',
  },
  {
    what: 'a method as a notification',
    line: '{"jsonrpc":"2.0","id":7,"method":"notifications/initialized","params":{"name":"delete_all","Method":"tools/call"}}',
  },
  {
    what: 'a message out of the middle of another, by carriage returns',
    line: `{"jsonrpc":"2.0","id":7,"method":"ping","params":{"a":\r${DELETE}\r}}`,
  },
  {
    what: 'a message out of a text, by line separators',
    line: `{"jsonrpc":"2.0","id":7,"method":"ping","params":{"a":"\u2028${DELETE.replaceAll('"', '\\"')}\u2028"}}`,
  },
  {
    what: 'a message out of a text, by the next line character',
    line: `{"jsonrpc":"2.0","id":7,"method":"ping","params":{"a":\u0085${DELETE}\u0085}}`,
  },
  { what: 'two messages on one line', line: `${call('echo')} ${DELETE}` },
  { what: 'a byte order mark', line: `\ufeff${DELETE}` },
  {
    what: 'ill-formed UTF-8',
    line: Buffer.from([
      ...Buffer.from(
        '{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"delete_all\xff'.slice(0, -1),
      ),
      0xff,
      ...Buffer.from('"}}'),
    ]),
  },
  {
    what: 'a key that JSON does not have in the envelope',
    line: '{"jsonrpc":"2.0","id":7,"method":"ping","batch":[{"method":"tools/call"}]}',
  },
  {
    what: 'another version of JSON-RPC',
    line: '{"jsonrpc":"1.0","id":7,"method":"tools/call","params":{"name":"delete_all"}}',
  },
  { what: 'params as a list', line: params('["delete_all"]') },
  { what: 'a name that is a list', line: call(['delete_all'], {}) },
  { what: 'a name in full-width letters', line: call('\uff44elete_all', {}) },
  { what: 'a name with an unseen character', line: call('delete\u200b_all', {}) },
  { what: 'a name with a soft hyphen', line: call('delete\u00ad_all', {}) },
  { what: 'a name with a space behind', line: call('delete_all ', {}) },
  { what: 'a name with a Cyrillic letter', line: call('d\u0435lete_all', {}) },
  {
    what: 'a name with a lone surrogate',
    line: '{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"echo\\ud800"}}',
  },
  { what: 'a name that climbs to another', line: call('echo/../delete_all', {}) },
  { what: 'a name with a slash', line: call('files/read', {}) },
  { what: 'a name with an escape', line: call('delete%5Fall', {}) },
  { what: 'a name that leaves its place in the object', line: call('../tools/echo', {}) },
  { what: 'a name that begins as a permitted one', line: call('read_file2', { path: '/desk/a' }) },
  { what: 'a name of 300 characters', line: call('echo'.repeat(75), {}) },
  { what: 'a path elsewhere', line: read('/etc/passwd') },
  { what: 'a path that climbs', line: read('/desk/../etc/passwd') },
  { what: 'a path that climbs by an escape', line: read('/desk/%2e%2e/etc/passwd') },
  { what: 'a path that climbs by an escape of an escape', line: read('/desk/%252e%252e/etc/passwd') },
  { what: 'a path that climbs by an escaped separator', line: read('/desk/..%2f..%2fetc/passwd') },
  { what: 'a path that climbs by backslashes', line: read('/desk/..\\..\\etc\\passwd') },
  { what: 'a path that climbs by full-width dots', line: read('/desk/\uff0e\uff0e/etc/passwd') },
  { what: 'a path that climbs by unseen characters', line: read('/desk/.\u200b./etc/passwd') },
  { what: 'a list of paths of which one is permitted', line: read(['/desk/a', '/etc/passwd']) },
  { what: 'a list in a list of paths', line: read([['/desk/a'], ['/etc/passwd']]) },
  { what: 'a path in an object', line: read({ path: '/desk/a' }) },
  { what: 'a path under a key with a dot', line: call('read_file', { 'mcp.arg.path': '/desk/a' }) },
  { what: 'an attribute that claims to be another subject', line: call('delete_all', { subject: 'root' }) },
  { what: 'a path of no kind', line: read(null) },
  { what: 'a number that readers round', line: params('{"name":"echo","arguments":{"n":9007199254740993}}') },
  { what: 'a number without end', line: params('{"name":"echo","arguments":{"n":1e999}}') },
  { what: 'an argument too large for a check', line: call('echo', { text: 'x'.repeat(5_000) }) },
  {
    what: 'more arguments than a check takes',
    line: call('echo', Object.fromEntries(Array.from({ length: 60 }, (_, i) => [`a${i}`, 1]))),
  },
  {
    what: 'more combinations than are asked for',
    line: call('echo', { a: Array.from({ length: 65 }, (_, i) => i) }),
  },
  { what: 'a message nested deeply', line: call('echo', JSON.parse(`${'['.repeat(60)}${']'.repeat(60)}`)) },
  { what: 'a message above the bound', line: call('delete_all', { text: 'x'.repeat(70_000) }) },
  { what: 'a resource that climbs', line: resource('file:///desk/../etc/passwd') },
  { what: 'a resource that climbs by an escape', line: resource('file:///desk/%2e%2e/etc/passwd') },
  { what: 'a resource with an escaped separator', line: resource('file:///desk%2Fplan') },
  { what: 'a resource in another case', line: resource('FILE:///desk/plan') },
  { what: 'a resource with an empty segment', line: resource('file:////etc/passwd') },
  { what: 'a resource by a needless escape', line: resource('file:///desk/pl%61n') },
  {
    what: 'a method that MCP does not name',
    line: '{"jsonrpc":"2.0","id":7,"method":"tools/execute","params":{"name":"delete_all"}}',
  },
  {
    what: "another caller's task",
    line: '{"jsonrpc":"2.0","id":7,"method":"tasks/result","params":{"taskId":"1"}}',
  },
  {
    what: 'a notification that MCP does not name',
    line: '{"jsonrpc":"2.0","method":"notifications/run","params":{"name":"delete_all"}}',
  },
];
