// Plain JavaScript: it runs in a worker thread as it stands.
import { diff } from './line-diff.mjs';

const LINE_BREAK = 0x0a;

/**
 * Merges `mine` and `current`, which were both made from `base`, line by line (diff3; Khanna, Kunal and
 * Pierce, "A Formal Investigation of Diff3", 2007). Changes that touch each other conflict unless they are
 * the same. Line numbers start at 1.
 * @param {string} base
 * @param {string} mine
 * @param {string} current
 * @returns {import('./merge.ts').MergeResult}
 */
export function mergeThreeWays(base, mine, current) {
  if (mine === base || mine === current) return clean(current);
  if (current === base) return clean(mine);
  const head = commonHead(base, mine, current);
  const tail = commonTail(base, mine, current, head);
  const number = createNumbering();
  const [o, a, b] = [base, mine, current].map((text) =>
    linesOf(text.slice(head, text.length - tail), number),
  );

  const conflicts = [];
  const merged = [base.slice(0, head)];
  const marked = [base.slice(0, head)];
  const firstLine = countLines(base.slice(0, head)) + 1;
  let at = 0;
  const keep = (text) => {
    merged.push(text);
    marked.push(text);
  };
  for (const { start, end, mineStart, mineEnd, currentStart, currentEnd, changedBy } of regions(o, a, b)) {
    keep(textOf(o, at, start));
    at = end;
    const [ofMine, ofCurrent] = [textOf(a, mineStart, mineEnd), textOf(b, currentStart, currentEnd)];
    if (changedBy === 'mine' || ofMine === ofCurrent) keep(ofMine);
    else if (changedBy === 'current') keep(ofCurrent);
    else {
      const ofBase = textOf(o, start, end);
      conflicts.push({
        base: withoutLastBreak(ofBase),
        mine: withoutLastBreak(ofMine),
        current: withoutLastBreak(ofCurrent),
        base_line: firstLine + start,
      });
      marked.push(`<<<<<<< mine\n${closed(ofMine)}=======\n${closed(ofCurrent)}>>>>>>> current\n`);
    }
  }
  keep(textOf(o, at, o.lines.length));
  keep(base.slice(base.length - tail));
  return { merged: merged.join(''), conflicts, marked: conflicts.length === 0 ? null : marked.join('') };
}

function clean(merged) {
  return { merged, conflicts: [], marked: null };
}

/**
 * The regions of base that a side changed, joined where they touch, with the lines that each side has in
 * their place.
 */
function* regions(o, a, b) {
  const [mine, current] = [diff(o.numbers, a.numbers), diff(o.numbers, b.numbers)];
  /** How far the lines of a side are shifted against base by the changes so far. */
  let [mineShift, currentShift] = [0, 0];
  for (let i = 0, j = 0; i < mine.length || j < current.length;) {
    const [first, second] = [mine[i]?.aStart ?? Infinity, current[j]?.aStart ?? Infinity];
    const start = Math.min(first, second);
    const [mineStart, currentStart] = [start + mineShift, start + currentShift];
    let end = start;
    const [i0, j0] = [i, j];
    for (let grown = true; grown;) {
      grown = false;
      for (; i < mine.length && mine[i].aStart <= end; i++, grown = true) {
        end = Math.max(end, mine[i].aEnd);
        mineShift = mine[i].bEnd - mine[i].aEnd;
      }
      for (; j < current.length && current[j].aStart <= end; j++, grown = true) {
        end = Math.max(end, current[j].aEnd);
        currentShift = current[j].bEnd - current[j].aEnd;
      }
    }
    yield {
      start,
      end,
      mineStart,
      mineEnd: end + mineShift,
      currentStart,
      currentEnd: end + currentShift,
      changedBy: j === j0 ? 'mine' : i === i0 ? 'current' : 'both',
    };
  }
}

/** Length of the whole lines that three texts begin with. UTF-16 units. */
function commonHead(a, b, c) {
  const longest = Math.min(a.length, b.length, c.length);
  let end = 0;
  for (let at = 0; at < longest; at++) {
    const unit = a.charCodeAt(at);
    if (unit !== b.charCodeAt(at) || unit !== c.charCodeAt(at)) break;
    if (unit === LINE_BREAK) end = at + 1;
  }
  return end;
}

/** Length of the whole lines that three texts end with, behind their first `head` units. */
function commonTail(a, b, c, head) {
  const longest = Math.min(a.length, b.length, c.length) - head;
  let end = 0;
  for (let back = 1; back <= longest; back++) {
    const unit = a.charCodeAt(a.length - back);
    if (unit !== b.charCodeAt(b.length - back) || unit !== c.charCodeAt(c.length - back)) break;
    // The units behind a line break are whole lines.
    if (unit === LINE_BREAK) end = back - 1;
  }
  return end;
}

/** Numbers for lines: the same for the same text. */
function createNumbering() {
  const numbers = new Map();
  return (line) => {
    let number = numbers.get(line);
    if (number === undefined) numbers.set(line, (number = numbers.size));
    return number;
  };
}

/** Lines with their breaks; text behind the last break is a line, too. */
function linesOf(text, number) {
  const lines = [];
  for (let start = 0; start < text.length;) {
    const lineBreak = text.indexOf('\n', start);
    const end = lineBreak === -1 ? text.length : lineBreak + 1;
    lines.push(text.slice(start, end));
    start = end;
  }
  return { lines, numbers: Int32Array.from(lines, number) };
}

function textOf({ lines }, start, end) {
  return lines.slice(start, end).join('');
}

function countLines(text) {
  let count = 0;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) count++;
  return count;
}

function withoutLastBreak(text) {
  return text.endsWith('\n') ? text.slice(0, -1) : text;
}

/** `text` ending in a line break, so that a marker can follow on a line of its own. */
function closed(text) {
  return text === '' || text.endsWith('\n') ? text : `${text}\n`;
}
