import fc from 'fast-check';

/** What becomes of a good file: cut off anywhere, with up to 20 other bytes, or bytes that were never one. */
export const damaged = (good: Uint8Array): fc.Arbitrary<Uint8Array> =>
  fc.oneof(
    fc.nat(good.length).map((length) => good.slice(0, length)),
    fc
      .array(fc.tuple(fc.nat(good.length - 1), fc.nat(255)), { minLength: 1, maxLength: 20 })
      .map((changes) => {
        const copy = good.slice();
        for (const [at, byte] of changes) copy[at] = byte;
        return copy;
      }),
    fc.uint8Array({ maxLength: 500 }),
  );
