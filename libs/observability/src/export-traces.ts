import { createHmac } from "node:crypto";
import { recording } from "./trace.ts";

/** Settings from `OTEL_*` variables; the exporter reads the others itself. */
export interface TraceExport {
  OTEL_SDK_DISABLED: boolean;
  OTEL_TRACES_EXPORTER: "otlp" | "none";
  OTEL_EXPORTER_OTLP_ENDPOINT?: string | undefined;
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT?: string | undefined;
  OTEL_TRACES_SAMPLER_ARG: number;
}

/** When stopping, how long to wait for the last spans to be sent. */
const flushMs = 2_000;

/**
 * Exports spans by OTLP over HTTP if an endpoint is set. Otherwise loads nothing. Returns a
 * function that sends the remaining spans and stops. `key` decides which traces are recorded; it is
 * the same in every process of the instance.
 */
export function exportTraces(config: TraceExport, key: Buffer): () => Promise<void> {
  const isOn =
    !config.OTEL_SDK_DISABLED &&
    config.OTEL_TRACES_EXPORTER === "otlp" &&
    (config.OTEL_EXPORTER_OTLP_ENDPOINT ?? config.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT) !== undefined;
  if (!isOn) return () => Promise.resolve();
  const started = start(config.OTEL_TRACES_SAMPLER_ARG, key);
  return async () => {
    recording.tracer = null;
    const shutdown = started.then((provider) => provider.shutdown()).catch(() => undefined);
    const late = new Promise<void>((done) => setTimeout(done, flushMs).unref());
    await Promise.race([shutdown, late]);
  };
}

async function start(ratio: number, key: Buffer) {
  const [sdk, { OTLPTraceExporter }, resources] = await Promise.all([
    import("@opentelemetry/sdk-trace"),
    import("@opentelemetry/exporter-trace-otlp-http"),
    import("@opentelemetry/resources"),
  ]);
  const share = new sdk.TraceIdRatioBasedSampler(ratio);
  const provider = new sdk.TracerProvider({
    resource: resources.resourceFromAttributes({ "service.name": "carrel" }).merge(
      resources.detectResources({
        detectors: [resources.envDetector, resources.serviceInstanceIdDetector],
      }),
    ),
    // Decides by the trace's id, so that all processes record the same traces. Clients choose ids
    // and flags: the flag is ignored, and the key keeps them from choosing an id that is recorded.
    sampler: {
      shouldSample: (parent, traceId) =>
        share.shouldSample(parent, ratio === 1 ? traceId : keyedId(traceId, key)),
      toString: () => `keyed ${share.toString()}`,
    },
    spanProcessors: [new sdk.BatchSpanProcessor({ exporter: new OTLPTraceExporter() })],
  });
  recording.tracer = provider.getTracer("carrel");
  return provider;
}

const keyedId = (traceId: string, key: Buffer): string =>
  createHmac("sha256", key).update(traceId).digest("hex").slice(0, traceId.length);
