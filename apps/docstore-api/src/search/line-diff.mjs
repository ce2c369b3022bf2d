// Plain JavaScript: it runs in a worker thread as it stands.

/**
 * Edits after which a middle is no longer looked for: the furthest path so far splits the problem instead.
 */
const EDITS_MAX = 256;

/**
 * Regions in which two sequences differ, in order: `a.slice(aStart, aEnd)` became `b.slice(bStart, bEnd)`.
 * Linear space after E. W. Myers, "An O(ND) Difference Algorithm and Its Variations" (1986), section 4b, over
 * the elements that occur on both sides. The shortest script where it takes up to 256 edits between two
 * splits, a valid one beyond; the time is bounded by (|a| + |b|) × 256. Elements are whole numbers from 0,
 * few gaps between them.
 * @param {Int32Array} a
 * @param {Int32Array} b
 * @returns {import('./line-diff.d.mts').Hunk[]}
 */
export function diff(a, b) {
  const isChangedInA = new Uint8Array(a.length);
  const isChangedInB = new Uint8Array(b.length);
  const [aKept, bKept] = [occurringIn(a, b, isChangedInA), occurringIn(b, a, isChangedInB)];
  markChanges(
    aKept.map((at) => a[at]),
    bKept.map((at) => b[at]),
    (at) => (isChangedInA[aKept[at]] = 1),
    (at) => (isChangedInB[bKept[at]] = 1),
  );
  return hunksOf(isChangedInA, isChangedInB);
}

/** Indexes of the elements that the other sequence holds too; the others are marked as changed. */
function occurringIn(elements, others, isChanged) {
  const isKnown = new Uint8Array(Math.max(largest(elements), largest(others)) + 1);
  for (const other of others) isKnown[other] = 1;
  const kept = new Int32Array(elements.length);
  let count = 0;
  for (let at = 0; at < elements.length; at++) {
    if (isKnown[elements[at]] === 1) kept[count++] = at;
    else isChanged[at] = 1;
  }
  return kept.subarray(0, count);
}

function largest(numbers) {
  let max = -1;
  for (const number of numbers) if (number > max) max = number;
  return max;
}

/** Splits at a middle of an edit path again and again, until one side of a part is empty. */
function markChanges(a, b, changeA, changeB) {
  const forward = new Int32Array(a.length + b.length + 3);
  const backward = new Int32Array(a.length + b.length + 3);
  const parts = [[0, a.length, 0, b.length]];
  for (let part = parts.pop(); part !== undefined; part = parts.pop()) {
    let [aStart, aEnd, bStart, bEnd] = part;
    while (aStart < aEnd && bStart < bEnd && a[aStart] === b[bStart]) {
      aStart++;
      bStart++;
    }
    while (aStart < aEnd && bStart < bEnd && a[aEnd - 1] === b[bEnd - 1]) {
      aEnd--;
      bEnd--;
    }
    if (aStart === aEnd) for (let at = bStart; at < bEnd; at++) changeB(at);
    else if (bStart === bEnd) for (let at = aStart; at < aEnd; at++) changeA(at);
    else {
      const [x, y] = middle(a.subarray(aStart, aEnd), b.subarray(bStart, bEnd), forward, backward);
      parts.push([aStart, aStart + x, bStart, bStart + y], [aStart + x, aEnd, bStart + y, bEnd]);
    }
  }
}

/**
 * A point that a shortest edit path from (0, 0) to (|a|, |b|) passes, found from both ends at once. `forward`
 * and `backward` hold, for each diagonal x - y = k, how far a path of the edits so far gets; the backward
 * ones count from the end.
 */
function middle(a, b, forward, backward) {
  const [width, height] = [a.length, b.length];
  const delta = width - height;
  const zero = height + 1;
  const isOdd = delta % 2 !== 0;
  for (let edits = 0; ; edits++) {
    for (const paths of [forward, backward]) {
      if (edits <= height) paths[zero - edits - 1] = -1;
      if (edits <= width) paths[zero + edits + 1] = -1;
    }
    const first = -edits + 2 * Math.max(0, edits - height);
    const last = edits - 2 * Math.max(0, edits - width);
    for (let k = first; k <= last; k += 2) {
      let x = Math.max(forward[zero + k + 1], forward[zero + k - 1] + 1);
      while (x < width && x - k < height && a[x] === b[x - k]) x++;
      forward[zero + k] = x;
      const opposite = delta - k;
      const isReached = isOdd && Math.abs(opposite) < edits;
      if (isReached && x + backward[zero + opposite] >= width) return [x, x - k];
    }
    for (let k = first; k <= last; k += 2) {
      let x = Math.max(backward[zero + k + 1], backward[zero + k - 1] + 1);
      while (x < width && x - k < height && a[width - 1 - x] === b[height - 1 - x + k]) x++;
      backward[zero + k] = x;
      const opposite = delta - k;
      const isReached = !isOdd && Math.abs(opposite) <= edits;
      if (isReached && x + forward[zero + opposite] >= width) return [width - x, height - x + k];
    }
    if (edits === EDITS_MAX) return furthest(forward, zero, first, last);
  }
}

/** The point that is furthest along of those that the paths reached. */
function furthest(paths, zero, first, last) {
  let best = [0, 0];
  for (let k = first; k <= last; k += 2) {
    const x = paths[zero + k];
    if (x + x - k > best[0] + best[1]) best = [x, x - k];
  }
  return best;
}

function hunksOf(isChangedInA, isChangedInB) {
  const hunks = [];
  for (let a = 0, b = 0; a < isChangedInA.length || b < isChangedInB.length;) {
    const [aStart, bStart] = [a, b];
    while (isChangedInA[a]) a++;
    while (isChangedInB[b]) b++;
    if (a > aStart || b > bStart) hunks.push({ aStart, aEnd: a, bStart, bEnd: b });
    else {
      a++;
      b++;
    }
  }
  return hunks;
}
