import { readdirSync, readFileSync } from 'node:fs';

/** Clock ticks a second of `/proc`, on every Linux. */
const TICK_MICROS = 10_000;

/**
 * Processor time of the processes below this one by program, their ended children included. Linux alone
 * tells it; empty elsewhere.
 */
export function processorMicros(): ReadonlyMap<string, number> {
  const processes = new Map<number, { parent: number; program: string; ticks: number }>();
  for (const name of listProcesses()) {
    try {
      const stat = readFileSync(`/proc/${name}/stat`, 'utf8');
      const [, program = '', rest = ''] = /^\d+ \((.*)\) (.*)$/s.exec(stat) ?? [];
      const fields = rest.split(' ').map(Number);
      const ticks = fields.slice(11, 15).reduce((sum, one) => sum + one, 0);
      processes.set(Number(name), { parent: fields[1] as number, program, ticks });
    } catch {
      // It ended meanwhile.
    }
  }
  const isBelow = (id: number): boolean => {
    const parent = processes.get(id)?.parent;
    return parent !== undefined && (parent === process.pid || isBelow(parent));
  };
  const spent = new Map<string, number>();
  for (const [id, { program, ticks }] of processes) {
    if (isBelow(id) && program !== 'h2load')
      spent.set(program, (spent.get(program) ?? 0) + ticks * TICK_MICROS);
  }
  return spent;
}

function listProcesses(): string[] {
  try {
    return readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  } catch {
    return [];
  }
}
