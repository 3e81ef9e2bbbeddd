import {
  collectDefaultMetrics,
  Counter,
  Gauge,
  Histogram,
  Registry,
  type Metric,
} from "prom-client";

/**
 * One registry per process: services in the same process share its metrics and are distinguished by
 * labels.
 */
const registry = new Registry();
let collecting = false;
const collectors = new Set<() => Promise<void>>();

function once<M extends Metric>(name: string, make: () => M): M {
  return (registry.getSingleMetric(name) as M | undefined) ?? make();
}

export const metrics = {
  counter: (name: string, help: string, labels: readonly string[] = []): Counter =>
    once(name, () => new Counter({ name, help, labelNames: [...labels], registers: [registry] })),
  gauge: (name: string, help: string, labels: readonly string[] = []): Gauge =>
    once(name, () => new Gauge({ name, help, labelNames: [...labels], registers: [registry] })),
  /** Buckets in seconds; 0.5 ms to 30 s by default. */
  histogram: (
    name: string,
    help: string,
    labels: readonly string[] = [],
    buckets = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
  ): Histogram =>
    once(
      name,
      () => new Histogram({ name, help, labelNames: [...labels], buckets, registers: [registry] }),
    ),
  /**
   * Adds process metrics (memory, event-loop lag, GC); called when the process first serves
   * /metrics.
   */
  collectProcess(): void {
    if (!collecting) collectDefaultMetrics({ register: registry });
    collecting = true;
  },
  /**
   * Runs before the metrics are rendered, for metrics whose values come from elsewhere; returns a
   * function that stops this.
   */
  beforeRender(collect: () => Promise<void>): () => void {
    collectors.add(collect);
    return () => collectors.delete(collect);
  },
  /** Prometheus text format. Metrics that can't be read within a second keep their last values. */
  async render(): Promise<string> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((done) => {
      timer = setTimeout(done, 1_000);
    });
    await Promise.race([Promise.allSettled([...collectors].map((collect) => collect())), late]);
    clearTimeout(timer);
    return registry.metrics();
  },
  contentType: registry.contentType,
};
