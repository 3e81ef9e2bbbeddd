import { AsyncLocalStorage } from "node:async_hooks";
import { createHmac, randomUUID } from "node:crypto";
import {
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  type Attributes,
  type Span,
} from "@opentelemetry/api";
import { context, formatTraceparent, parseTraceparent, recording } from "./trace.ts";

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

export interface SpanOptions {
  kind?: keyof typeof SpanKind;
  /** Only ids, names and numbers: never what people write, names they choose, or secrets. */
  attributes?: Attributes;
  /** Defaults to that of the surrounding work. */
  traceparent?: string | undefined;
}

/** A running span; ends once. */
export interface RunningSpan {
  /** To pass on to work within the span. */
  readonly traceparent: string;
  set(attributes: Attributes): void;
  /** Records a notable moment, such as the first token. */
  note(event: string): void;
  /** The error's name or code if the work failed; messages may contain content. */
  end(error?: string): void;
}

/** Null unless spans are recorded; costs nothing in that case. */
export function startSpan(name: string, options: SpanOptions = {}): RunningSpan | null {
  const { tracer } = recording;
  if (tracer === null) return null;
  const parent = parseTraceparent(options.traceparent ?? context.get()?.traceparent);
  const span: Span = tracer.startSpan(
    name,
    { kind: SpanKind[options.kind ?? "INTERNAL"], attributes: options.attributes ?? {} },
    parent === null ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, parent),
  );
  return {
    traceparent: formatTraceparent(span.spanContext()),
    set: (attributes) => span.setAttributes(attributes),
    note: (event) => span.addEvent(event),
    end: (error) => {
      if (error !== undefined) {
        span.setAttribute("error.type", error);
        span.setStatus({ code: SpanStatusCode.ERROR });
      }
      span.end();
    },
  };
}

/** Runs the work in a span; whatever the work starts belongs to it. */
export async function withSpan<T>(
  name: string,
  options: SpanOptions,
  work: (span: RunningSpan | null) => Promise<T>,
): Promise<T> {
  const span = startSpan(name, options);
  if (span === null) return work(null);
  let error: string | undefined;
  try {
    return await withinSpan(span, () => work(span));
  } catch (fault) {
    error = nameError(fault);
    throw fault;
  } finally {
    span.end(error);
  }
}

/** Runs the work with the span as the parent of whatever it starts. */
export function withinSpan<T>(span: RunningSpan, work: () => T): T {
  const current = context.get();
  // Shared, because it counts the requests of the whole work.
  if (current?.idempotencyKey !== undefined) current.nestedKeys ??= new Map();
  const requestId = current?.requestId ?? randomUUID();
  return context.run({ ...current, requestId, traceparent: span.traceparent }, work);
}

/**
 * Runs each step of a stream in the async context of this call: on its own, a generator's body runs
 * in the context of whoever asks for the next part.
 */
export function streamInContext<T>(stream: AsyncIterable<T>): AsyncIterable<T> {
  const inside = AsyncLocalStorage.snapshot();
  return {
    [Symbol.asyncIterator]: () => {
      const parts = inside(() => stream[Symbol.asyncIterator]());
      return {
        next: () => inside(() => parts.next()),
        return: (value: unknown) =>
          inside(() => parts.return?.(value) ?? Promise.resolve({ done: true as const, value })),
      };
    },
  };
}

const identifier = /^[\w.-]{1,64}$/;

/**
 * Returns a code or a class name: a message, or another program's code, may quote what a person
 * wrote.
 */
export function nameError(fault: unknown): string {
  const { code, kind, name } = (fault ?? {}) as { code?: unknown; kind?: unknown; name?: unknown };
  const isName = (text: unknown): text is string =>
    typeof text === "string" && identifier.test(text);
  return [code, kind, name].find(isName) ?? "Error";
}
