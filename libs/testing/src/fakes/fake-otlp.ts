import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";

/** A span as exported by OTLP over HTTP, in JSON. */
export interface ReceivedSpan {
  traceId: string;
  spanId: string;
  /** Empty or missing for the first span of a trace. */
  parentSpanId?: string;
  name: string;
  attributes: Record<string, string | number>;
  /** Names of noted moments. */
  events: string[];
  isFailed: boolean;
  /** Attributes of the process: `service.name` and others. */
  resource: Record<string, string | number>;
}

type Attributes = { key: string; value: Record<string, string | number> }[];
interface Export {
  resourceSpans: {
    resource: { attributes: Attributes };
    scopeSpans: {
      spans: (Pick<ReceivedSpan, "traceId" | "spanId" | "parentSpanId" | "name"> & {
        attributes: Attributes;
        events?: { name: string }[];
        status?: { code?: number };
      })[];
    }[];
  }[];
}

export interface FakeOtlp {
  url: string;
  spans: ReceivedSpan[];
  /** Everything that was sent, as text. */
  sent(): string;
  stop(): Promise<void>;
}

const read = (attributes: Attributes): Record<string, string | number> =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]!]));

/**
 * A collector: the receiving end of OTLP over HTTP with JSON (OpenTelemetry's specification 1.9).
 */
export async function startFakeOtlp(): Promise<FakeOtlp> {
  const spans: ReceivedSpan[] = [];
  const bodies: string[] = [];
  const server = createServer((request, response) => {
    void buffer(request).then((body) => {
      if (request.url !== "/v1/traces") return response.writeHead(404).end();
      bodies.push(body.toString());
      for (const { resource, scopeSpans } of (JSON.parse(bodies.at(-1)!) as Export).resourceSpans)
        for (const { attributes, events = [], status, ...span } of scopeSpans.flatMap(
          (scope) => scope.spans,
        ))
          spans.push({
            ...span,
            attributes: read(attributes),
            events: events.map(({ name }) => name),
            isFailed: status?.code === 2,
            resource: read(resource.attributes),
          });
      return response.writeHead(200, { "content-type": "application/json" }).end("{}");
    });
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    sent: () => bodies.join("\n"),
    stop: () =>
      new Promise((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
}
