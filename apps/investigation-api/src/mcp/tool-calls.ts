import { Counter, type Registry } from 'prom-client';

/**
 * Called after every tool call with its outcome: `ok`, the kind of error, or `aborted` when the client no
 * longer waited for the response.
 */
export type CountToolCall = (tool: string, outcome: string) => void;

/**
 * `investigation_tool_calls_total{tool,outcome}`. Over HTTP a refused call is a result in a response of
 * status 200 (MCP, "Tools", error handling), so no other metric shows it.
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
