import { InvalidJsonError, parseStrictJson } from '@platform/strict-json';
import { VALUES_MAX } from '../rules/limits.ts';

/** A JSON body that has arrived, of at most `valuesMax` keys or list items, VALUES_MAX in one. */
export interface BodyTask {
  readonly bytes: Uint8Array;
  readonly valuesMax: number;
}

/** The value of a body, or what is wrong with it, in words for its sender. */
export type BodyReply = { readonly value: unknown } | { readonly problem: string };

/** Reads a JSON body. It knows nothing of requests, so that a thread can run it. */
export function decodeJson({ bytes, valuesMax }: BodyTask): BodyReply {
  try {
    return { value: parseStrictJson(bytes, { valuesMax, membersMax: VALUES_MAX }) };
  } catch (error) {
    if (error instanceof InvalidJsonError) return { problem: error.message };
    throw error;
  }
}
