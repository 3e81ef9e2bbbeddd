// What metrics and traces say about calls to a provider, and about requests that were repeated.
import { context, exportTraces, isTracing, metrics, withSpan } from "@carrel/observability";
import { createLanguageModel } from "@carrel/providers";
import { startFakeLlm, startFakeOtlp, waitFor, type FakeLlm, type FakeOtlp } from "@carrel/testing";
import { afterAll, beforeAll, beforeEach, expect, it } from "@jest/globals";

let fake: FakeLlm;
let collector: FakeOtlp;
let stopExport: () => Promise<void>;
beforeAll(async () => {
  [fake, collector] = await Promise.all([startFakeLlm(), startFakeOtlp()]);
  process.env.OTEL_EXPORTER_OTLP_ENDPOINT = collector.url;
  stopExport = exportTraces(
    {
      OTEL_SDK_DISABLED: false,
      OTEL_TRACES_EXPORTER: "otlp",
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_TRACES_SAMPLER_ARG: 1,
    },
    Buffer.alloc(32),
  );
  await waitFor(isTracing);
});
afterAll(async () => {
  delete process.env.OTEL_EXPORTER_OTLP_ENDPOINT;
  await fake.stop();
  await collector.stop();
});
beforeEach(() => fake.behave({}));

const settings = () => ({
  GenericOpenAiBasePath: `${fake.url}/v1`,
  GenericOpenAiModelPref: "m",
  GenericOpenAiTokenLimit: "8192",
});

it("gives a retry its own span under the model's, and counts it", async () => {
  const before = await countRetries();
  fake.next({ status: 503 });
  const model = createLanguageModel("generic-openai", settings());
  let text = "";
  await context.run({ requestId: "r" }, () =>
    withSpan("question", {}, async () => {
      const call = {
        system: "",
        temperature: null,
        messages: [{ role: "user" as const, content: "Hello" }],
      };
      for await (const part of model.stream({ ...call, signal: new AbortController().signal }))
        if (part.type === "text-delta") text += part.text;
    }),
  );
  expect(text).not.toBe("");
  await stopExport();
  const [first, second, answer, question] = collector.spans;
  expect(collector.spans.map(({ name }) => name)).toEqual([
    "provider request",
    "provider request",
    "model answer",
    "question",
  ]);
  expect(answer).toMatchObject({
    parentSpanId: question!.spanId,
    events: ["first token"],
    attributes: {
      "gen_ai.provider.name": "generic-openai",
      "gen_ai.usage.output_tokens": expect.any(Number),
    },
  });
  expect([first, second]).toMatchObject([
    { parentSpanId: answer!.spanId, isFailed: true, attributes: { "error.type": "server" } },
    {
      parentSpanId: answer!.spanId,
      isFailed: false,
      attributes: { "http.request.resend_count": 1 },
    },
  ]);
  expect(await countRetries()).toBe(before + 1);
});

/** Other tests of this process may have repeated requests too. */
async function countRetries(): Promise<number> {
  const labels = 'provider="generic-openai",kind="answer",reason="server"';
  const line = new RegExp(`^carrel_provider_retries_total\\{${labels}\\} (\\d+)$`, "m");
  return Number(line.exec(await metrics.render())?.[1] ?? 0);
}
