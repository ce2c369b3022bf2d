import { StringDecoder } from 'node:string_decoder';

/** One event of a stream (HTML standard, 9.2). */
export interface StreamEvent {
  /** Its lines as they came, with the empty line that ends it. */
  readonly text: string;
  readonly data: string;
  /** The last `id` line of the event; null when it has none. */
  readonly id: string | null;
}

/** The stream sent more than the bound without ending an event. */
export class EventTooLong extends Error {
  override readonly name = 'EventTooLong';
}

/** The events of a stream of bytes. A rest that no empty line ends is not an event. */
export async function* readEvents(
  stream: AsyncIterable<Buffer>,
  charactersMax: number,
): AsyncGenerator<StreamEvent> {
  const decoder = new StringDecoder('utf8');
  let rest = '';
  const refuseLonger = (length: number) => {
    if (length > charactersMax) throw new EventTooLong(`an event is longer than ${charactersMax} characters`);
  };
  for await (const chunk of stream) {
    rest += decoder.write(chunk);
    for (let end = endOfEvent(rest); end !== null; end = endOfEvent(rest)) {
      refuseLonger(end);
      yield readEvent(rest.slice(0, end));
      rest = rest.slice(end);
    }
    refuseLonger(rest.length);
  }
}

/** A line's end; a carriage return at the end of what has come may be half of one. */
const LINE_END = '(?:\\r\\n|\\n|\\r(?!\\n|$))';
const EMPTY_LINE = new RegExp(`${LINE_END}${LINE_END}|^${LINE_END}`);

function endOfEvent(text: string): number | null {
  const end = EMPTY_LINE.exec(text);
  return end === null ? null : end.index + end[0].length;
}

function readEvent(text: string): StreamEvent {
  const data: string[] = [];
  let id: string | null = null;
  for (const line of text.replace(/^\uFEFF/, '').split(/\r\n|\n|\r/)) {
    const [, field, value = ''] = /^([^:]*)(?:: ?(.*))?$/s.exec(line) ?? [];
    if (field === 'data') data.push(value);
    else if (field === 'id') id = value;
  }
  return { text, data: data.join('\n'), id };
}

/** The text of the event with another id and other data; its other lines stay as they are. */
export function withParts(event: StreamEvent, parts: { id: string | null; data: string }): string {
  if (parts.id === event.id && parts.data === event.data) return event.text;
  const others = event.text
    .split(/\r\n|\n|\r/)
    .filter((line) => line !== '' && !/^(?:id|data)(?::|$)/.test(line.replace(/^\uFEFF/, '')));
  const lines = [
    ...others,
    ...(parts.id === null ? [] : [`id: ${parts.id}`]),
    ...parts.data.split('\n').map((line) => `data: ${line}`),
  ];
  return `${lines.join('\n')}\n\n`;
}
