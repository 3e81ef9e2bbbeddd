import {
  poll,
  type Deployment,
  type FakeLlm,
  type FakeOtlp,
  type ReceivedSpan,
} from "@carrel/testing";
import { beforeAll, describe, expect, it } from "@jest/globals";
import {
  listUses,
  readAlerts,
  readDashboards,
  readSamples,
} from "../../tools/monitoring-queries.ts";
import { Api, parseFrames } from "./api.ts";

/** The environment of processes that are observed. */
export const observed = (collector: FakeOtlp): Record<string, string> => ({
  OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
  OTEL_BSP_SCHEDULE_DELAY: "200",
  CARREL_LOG_LEVEL: "debug",
});

/** The metrics of all processes that are running. */
export const readMetrics = async (deployment: Deployment): Promise<string> =>
  (
    await Promise.all(
      deployment.running.map(async ({ health }) => (await fetch(`${health}/metrics`)).text()),
    )
  ).join("\n");

export function testObservation(
  deployment: () => Deployment,
  collector: () => FakeOtlp,
  llm: () => FakeLlm,
): void {
  describe("what operators see of a question", () => {
    const traceId = "5b8aa5a2d2c872e8321cf37308d69df2";
    const click = "051581bf3cb55c13";
    const words = "the secret word Larkspur";
    const gateway = () => new Api(deployment().named("gateway")[0]!.url);
    const traced = { traceparent: `00-${traceId}-${click}-01` };

    beforeAll(async () => {
      const api = gateway();
      const { slug } = await api.makeWorkspace("Observed");
      await api.upload("upload-and-embed", slug, "pump.txt", `A pump was named with ${words}.`);
      llm().next({ status: 503 });
      llm().behave({ reply: "Larkspur [1]." });
      const reply = await api.call(
        "POST",
        `/workspace/${slug}/stream-chat`,
        { message: `What was named with ${words}?` },
        traced,
      );
      const text = parseFrames(reply.text).map((f) => ("textResponse" in f ? f.textResponse : ""));
      expect(text.join("")).toContain("Larkspur");
      llm().behave({ status: 401 });
      await api.ask(slug, "Is the key accepted?");
      llm().behave({});
      // A job removes the remaining index rows.
      await api.call("DELETE", `/workspace/${slug}/reset-vector-db`);
    });

    it("tells the app that traces are recorded", async () => {
      const setup = await gateway().json("GET", "/setup-complete");
      expect(setup).toMatchObject({ results: { TracingEnabled: true } });
    });

    it("is one trace from the click to the model's tokens and the index's chunks", async () => {
      const spans = () => collector().spans.filter((span) => span.traceId === traceId);
      const parentOf = (span: ReceivedSpan) =>
        spans().find((each) => each.spanId === span.parentSpanId);
      /** Span names from the named span (below `above`, if given) up to the browser's request. */
      const path = (name: string, above?: string): string[] => {
        let span = spans().find(
          (each) => each.name === name && (above === undefined || parentOf(each)?.name === above),
        );
        const names: string[] = [];
        for (; span; span = parentOf(span)) {
          names.push(span.name);
          if (span.parentSpanId === click) names.push("click");
        }
        return names;
      };
      const question = ["chat.generation.start", "gateway.generation.stream", "click"];
      await poll(() => path("gateway.generation.stream")).toEqual(question.slice(1));
      await poll(() => path("provider request", "model answer")).toEqual([
        "provider request",
        "model answer",
        ...question,
      ]);
      await poll(() => path("search chunks")).toEqual([
        "search chunks",
        "ingest.passage.search",
        ...question,
      ]);
      await poll(() => path("provider request", "embed query")).toEqual([
        "provider request",
        "embed query",
        "search chunks",
        "ingest.passage.search",
        ...question,
      ]);
      expect(spans().find(({ name }) => name === "search chunks")!.attributes).toMatchObject({
        "carrel.chunks.text": 1,
        "carrel.chunks.published": 1,
        "carrel.passages": 1,
      });
      expect(spans().find(({ name }) => name === "model answer")).toMatchObject({
        events: ["first token"],
        attributes: { "gen_ai.usage.output_tokens": expect.any(Number) },
      });
      expect(collector().sent()).not.toContain("Larkspur");
    });

    it("is found by its trace id in the logs of all processes that took part", async () => {
      const services = (): string[] =>
        deployment().deployed.flatMap(({ log }) =>
          log()
            .split("\n")
            .filter((line) => line.includes(`"traceId":"${traceId}"`))
            .map((line) => (JSON.parse(line) as { service: string }).service),
        );
      await poll(() => [...new Set(services())].toSorted()).toEqual(
        expect.arrayContaining(["chat", "gateway", "ingest"]),
      );
      for (const { log } of deployment().deployed) expect(log()).not.toContain("Larkspur");
    });

    it("moves every metric, with every label, that alerts and dashboards use", async () => {
      const missing = async (): Promise<string[]> => {
        const samples = readSamples(await readMetrics(deployment()));
        return [...readAlerts(), ...readDashboards()].flatMap((query) =>
          listUses(query).flatMap(({ metric, labels }) =>
            samples.has(metric)
              ? labels
                  .filter((label) => !samples.get(metric)!.has(label))
                  .map((label) => `${query.name}: ${metric}{${label}}`)
              : [`${query.name}: ${metric}`],
          ),
        );
      };
      await poll(missing).toEqual([]);
      // Prometheus sets these itself, and would rename a metric's own.
      const samples = readSamples(await readMetrics(deployment()));
      const clashing = [...samples].filter(
        ([, labels]) => labels.has("job") || labels.has("instance"),
      );
      expect(clashing.map(([metric]) => metric)).toEqual([]);
    });
  });
}
