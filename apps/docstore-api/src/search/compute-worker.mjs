// Runs in a worker thread, because the caller's input decides how long the work takes.
import { parentPort } from 'node:worker_threads';
import { RRegex } from 'rregex';
import { nextOfRust, nextOfScript, snippetsOf } from './snippets.mjs';
import { mergeThreeWays } from './three-way-merge.mjs';

/** @type {{ pattern: string, regex: RRegex } | null} */
let compiled = null;

const tasks = {
  /**
   * Which of `texts` the pattern matches. The last pattern is kept compiled: a scan asks for it page after
   * page.
   */
  match({ pattern, texts }) {
    const regex = compile(pattern);
    return texts.map((text) => regex.isMatch(text));
  },

  /** The lines of each of `texts` on which matches begin, the first `max` of each. */
  snippets({ pattern, engine, isFolded, texts, max }) {
    if (engine === 'rust') {
      const regex = compile(pattern);
      return texts.map((text) => snippetsOf(text, nextOfRust(text, regex), max));
    }
    const regex = new RegExp(pattern, 'gv');
    return texts.map((text) => snippetsOf(text, nextOfScript(text, regex, isFolded), max));
  },

  /** Texts that every match is sure to hold, from the pattern's syntax tree. */
  literals({ pattern }) {
    const regex = new RRegex(pattern);
    try {
      return sureLiterals(regex.syntax().kind);
    } finally {
      regex.free();
    }
  },

  merge: ({ base, mine, current }) => mergeThreeWays(base, mine, current),
};

function compile(pattern) {
  if (compiled?.pattern !== pattern) {
    compiled?.regex.free();
    compiled = null;
    compiled = { pattern, regex: new RRegex(pattern) };
  }
  return compiled.regex;
}

/** Literal texts of a syntax tree that stand in every match: those of sequences, captures and `x+`. */
function sureLiterals(kind) {
  const [value] = kind['@values'] ?? [];
  switch (kind['@variant']) {
    case 'Literal':
      return [literalText(value['@values'][0])].filter((text) => text !== null);
    case 'Capture':
      return sureLiterals(value.sub.kind);
    case 'Repetition':
      return value.min > 0 ? sureLiterals(value.sub.kind) : [];
    case 'Concat':
      return value.flatMap((part) => sureLiterals(part.kind));
    default:
      return [];
  }
}

/** A literal's bytes as text; null when they are a piece of a character. */
function literalText(bytes) {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(Uint8Array.from(bytes));
  } catch {
    return null;
  }
}

parentPort.on('message', ({ task, input }) => {
  try {
    parentPort.postMessage({ reply: { value: tasks[task](input) } });
  } catch (error) {
    parentPort.postMessage({ reply: { error: error instanceof Error ? error.message : String(error) } });
  }
});
