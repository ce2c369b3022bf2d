/** Valid investigations and ways to spoil them, all from a seed. */

export type Random = () => number;

/** Mulberry32: small, fast, and the same everywhere. Numbers in [0, 1). */
export function seededRandom(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** A small investigation that uses every field there is. */
export const EVERYTHING = {
  research_question: 'What is so?',
  domain: 'finance',
  decay_half_life_days: 200,
  dependent_refresh_factor: 0.4,
  summary_mode: false,
  as_of: '2026-05-01T00:00:00Z',
  dependence: 'detected',
  actors: [
    {
      id: 'a1',
      name: 'One',
      source_type: 'Expert',
      base_reliability: 0.9,
      competence: { price: 0.8 },
      default_competence: 0.9,
    },
    { id: 'a2', name: 'Two', source_type: 'social media', base_reliability: 0.3, depends_on: ['a3'] },
    { id: 'a3', name: 'Three', source_type: 'Journalist' },
  ],
  subjects: [
    { id: 's1', name: 'S1', subject_type: 'company' },
    { id: 's2', name: 'S2', subject_type: 'event' },
  ],
  claims: [
    {
      id: 'c1',
      actor_id: 'a1',
      subject_id: 's1',
      predicate: 'price',
      value: '$99M',
      content: 'x',
      valence: 'Supports',
      claim_type: 'Factual',
      assertion_time: '2026-01-01T00:00:00Z',
      event_start_time: '2025',
      event_end_time: '2026-01',
      scope: 'retail',
      epistemic_status: 'theory',
      decay_half_life_days: 90,
      relationships: [{ relationship_type: 'complements', target_claim_id: 'c2' }],
      corroboration_events: [{ time: '2026-02-01T00:00:00Z', actor_id: 'a3', description: 'seen' }],
    },
    {
      id: 'c2',
      actor_id: 'a2',
      subject_id: 's1',
      predicate: 'price',
      value: '100M',
      content: 'y',
      scope: 'retail',
      claim_type: 'Causal',
    },
    {
      id: 'c3',
      actor_id: 'a3',
      subject_id: 's1',
      predicate: 'price',
      value: '5',
      content: 'z',
      scope: 'retail',
      valence: 'refutes',
    },
    {
      id: 'c4',
      actor_id: 'a3',
      subject_id: 's2',
      predicate: 'real',
      value: 'true',
      content: 'w',
      supersedes_claim_id: 'c5',
    },
    {
      id: 'c5',
      actor_id: 'a1',
      subject_id: 's2',
      predicate: 'real',
      value: 'no',
      content: 'v',
      epistemic_status: 'conjecture',
    },
    {
      id: 'm1',
      actor_id: 'a2',
      target_claim_id: 'c3',
      predicate: 'about',
      value: 'wrong',
      content: 'u',
      valence: 'Refutes',
    },
  ],
  evidence: [{ id: 'e1', claim_id: 'c2', content: 'paper', valence: 'Supports', weight: 2 }],
  inferences: [
    {
      id: 'i1',
      subject_id: 's2',
      predicate: 'real',
      premise_claim_ids: ['c1', 'c4'],
      rule_type: 'generalization',
      rule_param: 'c1',
    },
  ],
  distinctions: [
    {
      id: 'd1',
      argument_a: 'c1',
      argument_b: 'c3',
      feature: 'f',
      condition_a: 'if a',
      condition_b: 'if b',
      description: 'd',
    },
  ],
};

/** JSON texts that stand where something else belongs. */
const HOSTILE = [
  'null',
  'true',
  'false',
  '0',
  '-1',
  '1',
  '0.5',
  '1e308',
  '-1e308',
  '5e-324',
  '1e999',
  '-1e999',
  '1e-7',
  '""',
  '" "',
  '"0.9"',
  '" 7 "',
  '"1e999"',
  '"NaN"',
  '"Infinity"',
  '[]',
  '{}',
  '[[]]',
  '[null]',
  '[0]',
  '{"a":1}',
  '"c1"',
  '"a1"',
  '"s1"',
  '"m1"',
  '"toString"',
  '"__proto__"',
  '"constructor"',
  '"\\ud800"',
  '"\\udc00\\ud800"',
  '"\\u0000"',
  '"\\u202e"',
  '"ﬁ"',
  '"𝟙𝟘"',
  '"१२"',
  '"99999999999999999999T"',
  '"-0"',
  '"$1,000.50"',
  '"100%"',
  '"1.2.3"',
  '"2024-02-30"',
  '"2024-13-01T00:00:00Z"',
  '"0001-01-01T00:00:00Z"',
  '"9999-12-31T23:59:59Z"',
  '"2026-01-01T00:00:00+14:00"',
  '"2026-01-01T24:00:00Z"',
  '"+275760-09-13T00:00:00Z"',
  '"1969-12-31T23:59:60Z"',
  '"2024"',
  '"supports"',
  '"Refutes"',
  '"retracted"',
  '"superseded"',
  '"law"',
  '"supersedes"',
  '"Troll"',
  '"declared"',
  '"a_fortiori"',
  '"temporal_precedence"',
  '{"__proto__":{"polluted":1}}',
  '{"toString":1}',
  '{"id":"c1","id":"c2"}',
];

type Node = Record<string, unknown> | unknown[];
const pick = <T>(random: Random, list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;

/** A marker that survives JSON.stringify and is then replaced by raw text, which may be no JSON. */
const RAW = '\u0001raw:';

/**
 * One spoilt investigation, as the bytes of its text: mostly JSON with a few things wrong, now and then no
 * JSON.
 */
export function mutate(random: Random): Uint8Array {
  const value = structuredClone(EVERYTHING) as unknown as Record<string, unknown>;
  value.summary_mode = random() < 0.2;
  // Mostly one or two, so that a good part stays valid.
  const strikes = 1 + Math.floor(4 * random() ** 3);
  for (let strike = 0; strike < strikes; strike++) strikeOnce(value, random);
  const text = JSON.stringify(value).replaceAll(/"\\u0001raw:([^"]*)"/g, (_, raw: string) =>
    decodeURIComponent(raw),
  );
  const bytes = new TextEncoder().encode(text);
  return random() < 0.06 ? damage(bytes, random) : bytes;
}

function strikeOnce(root: Record<string, unknown>, random: Random): void {
  const nodes = nodesOf(root);
  const node = pick(random, nodes);
  const keys = Object.keys(node);
  const key = pick(random, keys.length > 0 ? keys : ['extra']);
  const set = (target: string, value: unknown) => ((node as Record<string, unknown>)[target] = value);
  const raw = (text: string) => RAW + encodeURIComponent(text);
  const kind = random();
  if (kind < 0.12) {
    if (Array.isArray(node)) node.splice(Number(key) || 0, 1);
    else delete node[key];
  } else if (kind < 0.55) set(key, raw(pick(random, HOSTILE)));
  else if (kind < 0.7) set(key, structuredClone(pick(random, Object.values(pick(random, nodes)))));
  else if (kind < 0.8 && Array.isArray(node))
    node.push(structuredClone(pick(random, node.length > 0 ? node : [null])));
  else if (kind < 0.85)
    set(pick(random, ['extra', 'toString', 'constructor', '']), raw(pick(random, HOSTILE)));
  else if (kind < 0.9) set(key, (random() - 0.5) * 10 ** (random() * 320));
  else if (kind < 0.9005) set(key, 'x'.repeat(2 ** 20));
  else if (kind < 0.905) set(key, raw('['.repeat(70) + ']'.repeat(70)));
  else set(key, pick(random, ['c1', 'c2', 'c3', 'c4', 'c5', 'm1', 'a1', 'a2', 'a3', 's1', 's2', 'e1']));
}

function nodesOf(value: unknown, found: Node[] = []): Node[] {
  if (typeof value === 'object' && value !== null) {
    found.push(value as Node);
    for (const child of Object.values(value)) nodesOf(child, found);
  }
  return found;
}

function damage(bytes: Uint8Array, random: Random): Uint8Array {
  const at = Math.floor(random() * bytes.length);
  const kind = random();
  if (kind < 0.3) return bytes.slice(0, at);
  if (kind < 0.7) {
    const damaged = bytes.slice();
    damaged[at] = Math.floor(random() * 256);
    return damaged;
  }
  const length = Math.floor(random() * 40);
  return new Uint8Array([...bytes.slice(0, at + length), ...bytes.slice(at)]);
}
