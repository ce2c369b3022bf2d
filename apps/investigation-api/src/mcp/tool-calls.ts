import { Counter, type Registry } from 'prom-client';

/**
 * Told of every call of a tool and how it ended: `ok`, the kind of error, or `aborted` when nobody waited for
 * the answer.
 */
export type CountToolCall = (tool: string, outcome: string) => void;

/**
 * `investigation_tool_calls_total{tool,outcome}`. Over HTTP a refused call is a result like any other, in an
 * answer of status 200 (MCP, "Tools", error handling), so that nothing else shows it.
 */
export function createToolCallCounter(registry: Registry): CountToolCall {
  const calls = new Counter({
    name: 'investigation_tool_calls_total',
    help: 'Calls of MCP tools over HTTP; outcome is ok, the kind of error, or aborted.',
    labelNames: ['tool', 'outcome'],
    registers: [registry],
  });
  return (tool, outcome) => calls.inc({ tool, outcome });
}
