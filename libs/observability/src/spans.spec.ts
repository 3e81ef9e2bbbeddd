import { startFakeOtlp, type FakeOtlp } from "@carrel/testing";
import { afterAll, beforeAll, expect, it } from "@jest/globals";
import {
  context,
  exportTraces,
  nextTraceparent,
  parseTraceparent,
  startSpan,
  streamInContext,
  withinSpan,
  withSpan,
} from "./index.ts";

let collector: FakeOtlp;
beforeAll(async () => {
  collector = await startFakeOtlp();
});
afterAll(() => collector.stop());

const settings = {
  OTEL_SDK_DISABLED: false,
  OTEL_TRACES_EXPORTER: "otlp" as const,
  OTEL_TRACES_SAMPLER_ARG: 1,
};
const traceparent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
const work = { requestId: "r", traceparent };
const words = "a person's words";
const key = Buffer.alloc(32, 1);

/** Exports what the work records. */
async function exporting(
  ratio: number,
  work: () => Promise<void>,
  by: Buffer = key,
): Promise<void> {
  process.env.OTEL_EXPORTER_OTLP_ENDPOINT = collector.url;
  const stop = exportTraces(
    { ...settings, OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_TRACES_SAMPLER_ARG: ratio },
    by,
  );
  try {
    await waitUntilRecording();
    await work();
  } finally {
    await stop();
    delete process.env.OTEL_EXPORTER_OTLP_ENDPOINT;
  }
}

it.each([
  ["no endpoint is set", settings],
  ["it is disabled", { ...settings, OTEL_EXPORTER_OTLP_ENDPOINT: "x", OTEL_SDK_DISABLED: true }],
  [
    "no exporter is chosen",
    { ...settings, OTEL_EXPORTER_OTLP_ENDPOINT: "x", OTEL_TRACES_EXPORTER: "none" as const },
  ],
])("records nothing if %s", async (_when, config) => {
  const stop = exportTraces(config, key);
  await withSpan("nothing", {}, (span) => {
    expect(span).toBeNull();
    return Promise.resolve();
  });
  await stop();
  expect(collector.spans).toEqual([]);
});

it("exports nested spans of the caller's trace, without messages of errors", async () => {
  await exporting(1, () =>
    context.run(work, () =>
      withSpan("outer", { kind: "SERVER", attributes: { "carrel.attempt": 2 } }, async (outer) => {
        // Messages to another service or a job belong to the span.
        expect(nextTraceparent(context.get()?.traceparent)).toBe(outer!.traceparent);
        const quoting = Object.assign(new RangeError(words), { code: words });
        await withSpan("inner", {}, () => Promise.reject(quoting)).catch(() => undefined);
        await readWithin("stream");
      }),
    ),
  );
  expect(collector.sent()).not.toContain(words);
  const spans = collector.spans.filter(({ name }) => name !== "probe");
  const [inner, first, second, stream, outer] = spans;
  expect(spans.map(({ name }) => name)).toEqual(["inner", "part 1", "part 2", "stream", "outer"]);
  const { traceId, spanId } = parseTraceparent(traceparent)!;
  expect(outer).toMatchObject({
    traceId,
    parentSpanId: spanId,
    attributes: { "carrel.attempt": 2 },
    resource: { "service.name": "carrel" },
  });
  const parentSpanId = outer!.spanId;
  expect(inner).toMatchObject({
    traceId,
    parentSpanId,
    attributes: { "error.type": "RangeError" },
    isFailed: true,
  });
  expect(stream).toMatchObject({ traceId, parentSpanId });
  for (const part of [first, second])
    expect(part).toMatchObject({ traceId, parentSpanId: stream!.spanId });
});

it("records a share of the traces, which clients can't choose by their ids or flags", async () => {
  // The SDK's sampler combines the blocks of an id by XOR, and would record all of these by itself.
  const ids = Array.from({ length: 255 }, (_, n) =>
    (n + 1).toString(16).padStart(2, "0").repeat(4),
  ).map((block) => `${block}${block}${block}${block}`);
  const recorded = async (by: Buffer, flags: string): Promise<string[]> => {
    const from = collector.spans.length;
    const record = (id: string) =>
      withSpan("chosen", { traceparent: `00-${id}-b7ad6b7169203331-${flags}` }, async () => {});
    await exporting(0.5, async () => void (await Promise.all(ids.map(record))), by);
    const spans = collector.spans.slice(from).filter(({ name }) => name === "chosen");
    return spans.map(({ traceId }) => traceId).toSorted();
  };
  const first = await recorded(key, "01");
  expect(first.length).toBeGreaterThan(64);
  expect(first.length).toBeLessThan(192);
  expect(await recorded(key, "00")).toEqual(first);
  expect(await recorded(Buffer.alloc(32, 2), "01")).not.toEqual(first);
});

/** Reads a stream whose parts have spans, from outside its span. */
async function readWithin(name: string): Promise<void> {
  async function* parts(): AsyncGenerator<number> {
    for (const part of [1, 2]) {
      await withSpan(`part ${part}`, {}, () => Promise.resolve());
      yield part;
    }
  }
  const span = startSpan(name)!;
  const read: number[] = [];
  for await (const part of withinSpan(span, () => streamInContext(parts()))) read.push(part);
  expect(read).toEqual([1, 2]);
  span.end();
}

/** The exporter is loaded in the background. */
async function waitUntilRecording(): Promise<void> {
  const isRecording = () => withSpan("probe", {}, (span) => Promise.resolve(span !== null));
  while (!(await isRecording())) await new Promise((done) => setImmediate(done));
}
