/**
 * The Rust regex crate (npm `rregex`, WebAssembly), in instances with a memory of their own. The package's
 * allocator never reuses the 257 kB that compiling a class beyond ASCII takes, freed or not, so its memory
 * only grows; it is given back as a whole, once nothing refers to the instance or to what it compiled. The
 * package's own JavaScript makes one instance of a process, and reads its file with functions of Node: what
 * stands here in its place makes any number, wherever there is WebAssembly.
 */
export interface RegexCrate {
  readonly RRegex: new (pattern: string) => Regex;
  readonly RRegexSet: new (patterns: readonly string[]) => RegexCrateSet;
  escape(text: string): string;
  /** Bytes of its memory, lost ones included. */
  readonly bytes: number;
}

export interface Regex {
  /** Whether the pattern matches anywhere. */
  isMatch(text: string): boolean;
  free(): void;
}

export interface RegexCrateSet {
  /** Indexes of the patterns that match anywhere. */
  matches(text: string): number[];
}

/** `WebAssembly`, of which neither the types of Node nor those of ES say anything. */
declare const WebAssembly: {
  readonly Module: new (bytes: Uint8Array) => CrateModule;
  readonly Instance: new (module: CrateModule, imports: object) => { readonly exports: unknown };
  compile(bytes: ArrayBuffer): Promise<CrateModule>;
};

/** A `WebAssembly.Module`. */
export type CrateModule = object;

/** What the functions of the crate return: an address and a length, or an address and an error. */
type Pair = readonly [number, number];
type Made = readonly [at: number, error: number, isError: number];

interface CrateExports {
  readonly memory: { readonly buffer: ArrayBuffer };
  readonly __wbindgen_export_2: {
    get(index: number): unknown;
    set(index: number, value: unknown): void;
    grow(by: number): number;
  };
  __wbindgen_start(): void;
  __wbindgen_malloc(length: number, alignment: number): number;
  __wbindgen_free(at: number, length: number, alignment: number): void;
  __wbindgen_exn_store(index: number): void;
  __externref_table_alloc(): number;
  __externref_table_dealloc(index: number): void;
  __externref_drop_slice(at: number, length: number): void;
  escape(at: number, length: number): Pair;
  rregex_new(at: number, length: number): Made;
  rregex_isMatch(regex: number, at: number, length: number): number;
  __wbg_rregex_free(regex: number, unused: number): void;
  rregexset_new(patterns: readonly string[]): Made;
  rregexset_matches(set: number, at: number, length: number): Pair;
}

let compiled: CrateModule | null = null;

/** What `rregex.wasm` comes as: its bytes, the response that carries them, or the module made of them. */
export type CrateSource = ArrayBuffer | CrateResponse | CrateModule;
interface CrateResponse {
  readonly ok: boolean;
  readonly status: number;
  arrayBuffer(): Promise<ArrayBuffer>;
}

/** Loads the crate in a process that cannot read the package's file. Throws for a response without it. */
export async function loadRegexCrate(source: CrateSource): Promise<void> {
  if (source instanceof WebAssembly.Module) {
    compiled = source;
    return;
  }
  const response = 'arrayBuffer' in source ? source : null;
  if (response?.ok === false) throw new Error(`the regexes are not loaded: status ${response.status}`);
  compiled = await WebAssembly.compile(await (response?.arrayBuffer() ?? (source as ArrayBuffer)));
}

/** Compiles the crate from the package's file. Throws where there is no Node. */
function compileFromPackage(): CrateModule {
  const node = (globalThis as { process?: NodeJS.Process }).process?.getBuiltinModule;
  if (node === undefined)
    throw new Error('the regexes are not loaded: `await loadRegexes(fetch("/rregex.wasm"))` loads them');
  const entry = node('node:module')
    .createRequire(import.meta.url)
    .resolve('rregex');
  const file = node('node:path').join(entry, '../rregex.wasm');
  return new WebAssembly.Module(node('node:fs').readFileSync(file));
}

/** A fresh instance, which takes 1.5 MB. Throws where the crate is not loaded. */
export function openRegexCrate(): RegexCrate {
  compiled ??= compileFromPackage();
  const { imports, bind, write, read, made, listAt } = createGlue();
  const wasm = new WebAssembly.Instance(compiled, { wbg: imports }).exports as CrateExports;
  bind(wasm);
  wasm.__wbindgen_start();

  class RRegex implements Regex {
    #at: number;
    constructor(pattern: string) {
      this.#at = made(wasm.rregex_new(...write(pattern)));
    }
    isMatch(text: string): boolean {
      return wasm.rregex_isMatch(this.#at, ...write(text)) !== 0;
    }
    free(): void {
      wasm.__wbg_rregex_free(this.#at, 0);
      this.#at = 0;
    }
  }
  class RRegexSet implements RegexCrateSet {
    readonly #at: number;
    constructor(patterns: readonly string[]) {
      this.#at = made(wasm.rregexset_new(patterns));
    }
    matches(text: string): number[] {
      const [at, length] = wasm.rregexset_matches(this.#at, ...write(text));
      const found = listAt(at, length) as number[];
      wasm.__wbindgen_free(at, length * 4, 4);
      return found;
    }
  }
  return {
    RRegex,
    RRegexSet,
    escape(text) {
      const [at, length] = wasm.escape(...write(text));
      const escaped = read(at, length);
      wasm.__wbindgen_free(at, length, 1);
      return escaped;
    },
    get bytes() {
      return wasm.memory.buffer.byteLength;
    },
  };
}

const ENCODER = new TextEncoder();
const DECODER = new TextDecoder('utf-8', { ignoreBOM: true, fatal: true });

/**
 * What wasm-bindgen has its modules import, by the names that the pinned version of the package gives them:
 * with another version no instance comes about.
 */
function createGlue() {
  let wasm: CrateExports;
  let bytes = new Uint8Array();
  let words = new Uint32Array();
  /** The memory, of which all views end when it grows. */
  const memory = (): Uint8Array => {
    if (bytes.byteLength === 0) {
      bytes = new Uint8Array(wasm.memory.buffer);
      words = new Uint32Array(wasm.memory.buffer);
    }
    return bytes;
  };
  const read = (at: number, length: number) =>
    DECODER.decode(memory().subarray(at >>> 0, (at >>> 0) + length));

  /** Copies the text into the crate, which frees it: where it is and how long. */
  function write(text: string): [at: number, length: number] {
    const { length } = text;
    const at = wasm.__wbindgen_malloc(length, 1) >>> 0;
    const target = memory();
    for (let index = 0; index < length; index += 1) {
      const code = text.charCodeAt(index);
      if (code > 0x7f) {
        wasm.__wbindgen_free(at, length, 1);
        return writeEncoded(ENCODER.encode(text));
      }
      target[at + index] = code;
    }
    return [at, length];
  }
  function writeEncoded(encoded: Uint8Array): [at: number, length: number] {
    const at = wasm.__wbindgen_malloc(encoded.length, 1) >>> 0;
    memory().set(encoded, at);
    return [at, encoded.length];
  }

  /** The address of what was made. Throws the crate's reason not to. */
  function made([at, error, isError]: Made): number {
    if (isError === 0) return at >>> 0;
    const reason = wasm.__wbindgen_export_2.get(error);
    wasm.__externref_table_dealloc(error);
    throw reason;
  }

  function listAt(at: number, length: number): unknown[] {
    const list: unknown[] = [];
    memory();
    for (let word = at >>> 2, end = word + length; word < end; word += 1)
      list.push(wasm.__wbindgen_export_2.get(words[word] as number));
    wasm.__externref_drop_slice(at, length);
    return list;
  }

  /** The function, whose errors the crate takes from its table. */
  const caught =
    <Args extends unknown[]>(run: (...args: Args) => unknown) =>
    (...args: Args): unknown => {
      try {
        return run(...args);
      } catch (error) {
        const index = wasm.__externref_table_alloc();
        wasm.__wbindgen_export_2.set(index, error);
        return wasm.__wbindgen_exn_store(index);
      }
    };

  const imports = {
    __wbindgen_string_new: read,
    __wbindgen_number_new: (value: number) => value,
    __wbindgen_string_get(at: number, value: unknown) {
      const [text, length] = typeof value === 'string' ? write(value) : [0, 0];
      memory();
      words.set([text, length], at >>> 2);
    },
    __wbindgen_error_new: (at: number, length: number) => new Error(read(at, length)),
    __wbindgen_throw(at: number, length: number) {
      throw new Error(read(at, length));
    },
    __wbindgen_bigint_from_u64: (value: bigint) => BigInt.asUintN(64, value),
    __wbindgen_memory: () => wasm.memory,
    __wbindgen_init_externref_table() {
      const table = wasm.__wbindgen_export_2;
      const first = table.grow(4);
      table.set(0, undefined);
      for (const [index, value] of [undefined, null, true, false].entries()) table.set(first + index, value);
    },
    __wbg_set_3f1d0b984ed272ed(target: Record<string, unknown>, key: string, value: unknown) {
      target[key] = value;
    },
    __wbg_set_37837023f3d740e8(target: unknown[], index: number, value: unknown) {
      target[index >>> 0] = value;
    },
    __wbg_set_bb8cecf6a62b9f46: caught((target: object, key: string, value: unknown) =>
      Reflect.set(target, key, value),
    ),
    __wbg_push_737cfc8c1432c2c6: (target: unknown[], value: unknown) => target.push(value),
    __wbg_get_b9b93047fe3cf45b: (target: readonly unknown[], index: number) => target[index >>> 0],
    __wbg_length_e2d2a49132c1b256: (target: readonly unknown[]) => target.length,
    __wbg_from_2a5d3e218e67aa85: (target: Iterable<unknown>) => Array.from(target),
    __wbg_fromCodePoint_f37c25c172f2e8b5: caught((code: number) => String.fromCodePoint(code >>> 0)),
    __wbg_new_405e22f390576ce2: () => ({}),
    __wbg_new_78feb108b6472713: () => [],
    __wbg_new_a12002a7f91c75be: (given: ArrayBuffer) => new Uint8Array(given),
    __wbg_newwithbyteoffsetandlength_d97e637ebe145a9a: (given: ArrayBuffer, from: number, length: number) =>
      new Uint8Array(given, from >>> 0, length >>> 0),
    __wbg_buffer_609cc3eee51ed158: (given: Uint8Array) => given.buffer,
  };
  return { imports, bind: (exports: CrateExports) => (wasm = exports), read, write, made, listAt };
}
