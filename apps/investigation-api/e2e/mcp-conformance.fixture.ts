import type { McpServer, PromptMessage } from '@modelcontextprotocol/server';
import { completable, ResourceTemplate } from '@modelcontextprotocol/server';
import { z } from 'zod';

/** An image of one red pixel. */
const PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==';
/** A WAV file without samples. */
const WAV = 'UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQAAAAA=';

/**
 * The tools, resources and prompts that the official conformance suite calls by name, of the kinds this
 * service offers, put on a server instance of ours.
 */
export function registerConformanceFixtures(server: McpServer): void {
  const text = (line: string) => ({ content: [{ type: 'text' as const, text: line }] });
  const resource = { uri: 'test://embedded-resource', mimeType: 'text/plain', text: 'embedded' };

  server.registerTool('test_simple_text', { description: 'text' }, () =>
    text('This is a simple text response for testing.'),
  );
  server.registerTool('test_image_content', { description: 'image' }, () => ({
    content: [{ type: 'image', data: PNG, mimeType: 'image/png' }],
  }));
  server.registerTool('test_audio_content', { description: 'audio' }, () => ({
    content: [{ type: 'audio', data: WAV, mimeType: 'audio/wav' }],
  }));
  server.registerTool('test_embedded_resource', { description: 'resource' }, () => ({
    content: [{ type: 'resource', resource }],
  }));
  server.registerTool('test_multiple_content_types', { description: 'mixed' }, () => ({
    content: [
      { type: 'text', text: 'Multiple content types test:' },
      { type: 'image', data: PNG, mimeType: 'image/png' },
      { type: 'resource', resource: { ...resource, mimeType: 'application/json', text: '{}' } },
    ],
  }));
  server.registerTool('test_error_handling', { description: 'error' }, () => ({
    ...text('This tool intentionally returns an error for testing'),
    isError: true,
  }));
  server.registerTool('test_tool_with_progress', { description: 'progress' }, async (ctx) => {
    const progressToken = ctx.mcpReq._meta?.progressToken;
    for (const progress of [0, 50, 100]) {
      if (progressToken === undefined) break;
      const params = { progressToken, progress, total: 100 };
      await ctx.mcpReq.notify({ method: 'notifications/progress', params });
    }
    return text(String(progressToken));
  });
  server.registerTool(
    'json_schema_2020_12_tool',
    {
      description: 'schema',
      inputSchema: z
        .object({ name: z.string().optional(), address: z.object({ street: z.string() }).optional() })
        .meta({ id: 'address' }),
    },
    () => text('ok'),
  );

  server.registerResource('static-text', 'test://static-text', { mimeType: 'text/plain' }, (uri) => ({
    contents: [
      { uri: uri.href, mimeType: 'text/plain', text: 'This is the content of the static text resource.' },
    ],
  }));
  server.registerResource('static-binary', 'test://static-binary', { mimeType: 'image/png' }, (uri) => ({
    contents: [{ uri: uri.href, mimeType: 'image/png', blob: PNG }],
  }));
  server.registerResource(
    'template',
    new ResourceTemplate('test://template/{id}/data', { list: undefined }),
    { mimeType: 'application/json' },
    (uri, { id }) => ({
      contents: [
        { uri: uri.href, mimeType: 'application/json', text: JSON.stringify({ id, templateTest: true }) },
      ],
    }),
  );

  const user = (content: PromptMessage['content']): PromptMessage => ({ role: 'user', content });
  const says = (line: string) => user({ type: 'text', text: line });
  server.registerPrompt('test_simple_prompt', { description: 'simple' }, () => ({
    messages: [says('This is a simple prompt for testing.')],
  }));
  server.registerPrompt(
    'test_prompt_with_arguments',
    {
      description: 'arguments',
      argsSchema: z.object({
        arg1: completable(z.string(), (start) => ['paris', 'park'].filter((word) => word.startsWith(start))),
        arg2: z.string(),
      }),
    },
    ({ arg1, arg2 }) => ({ messages: [says(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`)] }),
  );
  server.registerPrompt(
    'test_prompt_with_embedded_resource',
    { description: 'resource', argsSchema: z.object({ resourceUri: z.string() }) },
    ({ resourceUri: uri }) => ({
      messages: [user({ type: 'resource', resource: { ...resource, uri } }), says('Please process it.')],
    }),
  );
  server.registerPrompt('test_prompt_with_image', { description: 'image' }, () => ({
    messages: [user({ type: 'image', data: PNG, mimeType: 'image/png' }), says('Please analyze it.')],
  }));
}
