import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface CollectedSpan {
  readonly service: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly attributes: readonly { readonly key: string; readonly value: Record<string, unknown> }[];
}

/** A collector of OTLP/HTTP in JSON on loopback. */
export interface Collector {
  /** For OTEL_EXPORTER_OTLP_ENDPOINT. */
  readonly url: string;
  /** Every span received so far. */
  readonly spans: readonly CollectedSpan[];
  close(): void;
}

interface OtlpRequest {
  readonly resourceSpans: readonly {
    readonly resource: {
      readonly attributes: readonly { key: string; value: { stringValue?: string } }[];
    };
    readonly scopeSpans: readonly { readonly spans: readonly Omit<CollectedSpan, 'service'>[] }[];
  }[];
}

export async function startCollector(): Promise<Collector> {
  const spans: CollectedSpan[] = [];
  const server = createServer((req, res) => {
    const chunks: Buffer[] = [];
    req.on('data', (chunk: Buffer) => chunks.push(chunk));
    req.on('end', () => {
      const { resourceSpans } = JSON.parse(Buffer.concat(chunks).toString()) as OtlpRequest;
      for (const { resource, scopeSpans } of resourceSpans) {
        const name = resource.attributes.find(({ key }) => key === 'service.name')?.value.stringValue ?? '';
        for (const scope of scopeSpans)
          spans.push(...scope.spans.map((span) => ({ ...span, service: name })));
      }
      res.setHeader('Content-Type', 'application/json').end('{}');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
