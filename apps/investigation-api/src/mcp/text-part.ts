import { z } from 'zod';

/** Arguments of tools on a long text, which they return part by part. */
export const PART_ARGUMENTS = {
  offset: z.int().min(0).nullish().describe('Characters to pass over: `next_offset` of the part before.'),
  limit: z.int().min(1).nullish().describe('Characters of the part; about 6,000 unless given.'),
};

/** Where a part stands in its text. */
export const PART_FIELDS = {
  offset: z.int().describe('Characters before this part.'),
  next_offset: z.int().nullable().describe('Where the next part begins; null = this is the last.'),
  length: z.int().describe('Characters of the whole.'),
};

/** Bytes of UTF-8 of a part whose length is not given: with what is told of it, 2,000 tokens. */
const PART_BYTES = 6_000;

export interface TextPart {
  readonly part: string;
  readonly offset: number;
  readonly next_offset: number | null;
  readonly length: number;
}

/** A part of a text, counted in code points, as the positions of quotes are. Pure. */
export function partOf(
  text: string,
  {
    offset,
    limit,
  }: { readonly offset?: number | null | undefined; readonly limit?: number | null | undefined },
): TextPart {
  const from = offset ?? 0;
  let length = 0;
  let bytes = 0;
  let [start, end, endsAt] = [text.length, text.length, null as number | null];
  for (let index = 0; index < text.length; length += 1) {
    const point = text.codePointAt(index)!;
    if (length === from) start = index;
    if (length >= from && endsAt === null) {
      bytes += writtenLength(point);
      if (length > from && (limit == null ? bytes > PART_BYTES : length - from >= limit))
        [end, endsAt] = [index, length];
    }
    index += point > 0xffff ? 2 : 1;
  }
  return { part: text.slice(start, end), offset: from, next_offset: endsAt, length };
}

/** Bytes of a code point as JSON in UTF-8. */
function writtenLength(point: number): number {
  if (point < 0x20 || point === 0x22 || point === 0x5c) return 2;
  if (point < 0x80) return 1;
  if (point < 0x800) return 2;
  return point > 0xffff ? 4 : 3;
}

/** How to read on behind a part, in words; empty where it is the last. */
export const nextPartLines = ({ next_offset: next, length }: Omit<TextPart, 'part'>): string[] =>
  next === null ? [] : [`This is not all of its ${length} characters: ask again with offset ${next}.`];
