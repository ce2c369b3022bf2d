import type { Residual } from './residual.ts';

/** Values by residual: nodes and marks, not identity. */
export class ResidualMap<T> {
  readonly #entries = new Map<number, { residual: Residual; value: T }[]>();

  get(residual: Residual): T | undefined {
    return this.#entries.get(hashOf(residual))?.find((entry) => isSame(entry.residual, residual))?.value;
  }

  set(residual: Residual, value: T): void {
    const hash = hashOf(residual);
    const alike = this.#entries.get(hash);
    if (alike === undefined) this.#entries.set(hash, [{ residual, value }]);
    else alike.push({ residual, value });
  }
}

function hashOf({ nodes, blocked }: Residual): number {
  let hash = nodes.length;
  for (let k = 0; k < nodes.length; k++) {
    hash = Math.imul(hash ^ (2 * nodes[k]! + blocked[k]!), 0x9e3779b1);
    hash ^= hash >>> 15;
  }
  return hash;
}

function isSame(a: Residual, b: Residual): boolean {
  if (a.nodes.length !== b.nodes.length) return false;
  for (let k = 0; k < a.nodes.length; k++) {
    if (a.nodes[k] !== b.nodes[k] || a.blocked[k] !== b.blocked[k]) return false;
  }
  return true;
}
