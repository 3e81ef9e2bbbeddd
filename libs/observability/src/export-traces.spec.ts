import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { afterAll, beforeAll, expect, it } from "@jest/globals";
import { context, exportTraces, nextTraceparent, parseTraceparent, withSpan } from "./index.ts";

interface ExportedSpan {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  attributes: { key: string; value: Record<string, unknown> }[];
  status: { code?: number; message?: string };
}
interface Export {
  resourceSpans: {
    resource: { attributes: { key: string; value: Record<string, unknown> }[] };
    scopeSpans: { spans: ExportedSpan[] }[];
  }[];
}

const received: { path: string | undefined; body: Export }[] = [];
let receiver: Server;
let endpoint: string;
beforeAll(async () => {
  receiver = createServer((request, response) => {
    void buffer(request).then((body) => {
      received.push({ path: request.url, body: JSON.parse(body.toString()) as Export });
      response.writeHead(200, { "content-type": "application/json" }).end("{}");
    });
  });
  await new Promise<void>((done) => receiver.listen(0, "127.0.0.1", done));
  endpoint = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`;
});
afterAll(() => new Promise((done) => receiver.close(done)));

const settings = {
  OTEL_SDK_DISABLED: false,
  OTEL_TRACES_EXPORTER: "otlp" as const,
  OTEL_TRACES_SAMPLER_ARG: 1,
};
const traceparent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
const work = { requestId: "r", traceparent };

it.each([
  ["no endpoint is set", settings],
  ["it is disabled", { ...settings, OTEL_EXPORTER_OTLP_ENDPOINT: "x", OTEL_SDK_DISABLED: true }],
  [
    "no exporter is chosen",
    { ...settings, OTEL_EXPORTER_OTLP_ENDPOINT: "x", OTEL_TRACES_EXPORTER: "none" as const },
  ],
])("records nothing if %s", async (_when, config) => {
  const stop = exportTraces(config);
  await withSpan("nothing", {}, (span) => {
    expect(span).toBeNull();
    return Promise.resolve();
  });
  await stop();
  expect(received).toEqual([]);
});

it("exports nested spans of the caller's trace, without messages of errors", async () => {
  process.env.OTEL_EXPORTER_OTLP_ENDPOINT = endpoint;
  const stop = exportTraces({ ...settings, OTEL_EXPORTER_OTLP_ENDPOINT: endpoint });
  try {
    await waitUntilRecording();
    await context.run(work, () =>
      withSpan("outer", { kind: "SERVER", attributes: { "carrel.attempt": 2 } }, async (outer) => {
        // What is sent to another service or a job belongs to the span.
        expect(nextTraceparent(context.get()?.traceparent)).toBe(outer!.traceparent);
        await withSpan("inner", {}, () => Promise.reject(new RangeError("a person's words"))).catch(
          () => undefined,
        );
      }),
    );
  } finally {
    await stop();
    delete process.env.OTEL_EXPORTER_OTLP_ENDPOINT;
  }
  expect(received.map(({ path }) => path)).toEqual(["/v1/traces"]);
  expect(JSON.stringify(received)).not.toContain("a person's words");
  const [{ resource, scopeSpans } = { resource: { attributes: [] }, scopeSpans: [] }] =
    received[0]!.body.resourceSpans;
  expect(resource.attributes).toContainEqual({
    key: "service.name",
    value: { stringValue: "carrel" },
  });
  const spans = scopeSpans.flatMap((scope) => scope.spans).filter(({ name }) => name !== "probe");
  const [inner, outer] = spans;
  expect(spans.map(({ name }) => name)).toEqual(["inner", "outer"]);
  expect(outer).toMatchObject({
    traceId: parseTraceparent(traceparent)!.traceId,
    parentSpanId: parseTraceparent(traceparent)!.spanId,
    attributes: [{ key: "carrel.attempt", value: { intValue: 2 } }],
  });
  expect(inner).toMatchObject({
    parentSpanId: outer!.spanId,
    traceId: outer!.traceId,
    attributes: [{ key: "error.type", value: { stringValue: "RangeError" } }],
    status: { code: 2 },
  });
});

/** The exporter is loaded in the background. */
async function waitUntilRecording(): Promise<void> {
  const isRecording = () => withSpan("probe", {}, (span) => Promise.resolve(span !== null));
  while (!(await isRecording())) await new Promise((done) => setImmediate(done));
}
