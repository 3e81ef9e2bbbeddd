import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { metrics } from "./metrics.ts";

export interface HealthReport {
  ok: boolean;
  checks: Record<string, string>;
  /** What doesn't work or soon won't, by what it concerns; absent if nothing is known. */
  degraded?: Conditions;
}

/**
 * `disk-low`: little space is left; `disk-full`: nothing can be written; `unreachable`: no answer;
 * `backup-old`: the last backup is too long ago.
 */
export type Condition = "disk-low" | "disk-full" | "unreachable" | "backup-old";
/** By what they concern: `postgresql`, `redis`, `vector store`, `backup` or a folder's name. */
export type Conditions = Record<string, Condition>;

const reachable = metrics.gauge(
  "carrel_store_reachable",
  "Whether this process reaches a store (1) or not (0)",
  ["store"],
);

/**
 * Liveness (the process responds, and nothing has failed that only a restart can fix) and readiness
 * (it was marked ready, and every check passes within 2 s).
 */
export class Health {
  private readonly checks = new Map<string, () => Promise<void>>();
  private readonly faults = new Map<string, string>();
  private readonly parts: Health[] = [];
  private readonly sources: (() => Conditions)[] = [];
  private ready = false;
  addCheck(name: string, check: () => Promise<void>): void {
    this.checks.set(name, check);
  }
  /** Conditions make readiness neither fail nor wait: a service that can't write still answers. */
  addConditions(source: () => Conditions): void {
    this.sources.push(source);
  }
  get conditions(): Conditions {
    const known = [...this.sources.map((read) => read()), ...this.parts.map((p) => p.conditions)];
    return Object.assign({}, ...known) as Conditions;
  }
  setReady(ready: boolean): void {
    this.ready = ready;
  }
  /** Reports a fault that only a restart can fix; null: it is fixed. */
  setFault(name: string, fault: string | null): void {
    if (fault === null) this.faults.delete(name);
    else this.faults.set(name, fault);
  }
  /** Liveness and readiness then include those of another service in the same process. */
  include(part: Health): void {
    this.parts.push(part);
  }
  livez(): HealthReport {
    const checks = Object.assign(
      Object.fromEntries(this.faults),
      ...this.parts.map((part) => part.livez().checks),
    ) as Record<string, string>;
    return { ok: Object.keys(checks).length === 0, checks };
  }
  async readyz(): Promise<HealthReport> {
    const parts = Promise.all(this.parts.map((part) => part.readyz()));
    const results = await Promise.all(
      [...this.checks].map(async ([name, check]) => {
        let timer: NodeJS.Timeout | undefined;
        try {
          await Promise.race([
            check(),
            new Promise<never>((_, reject) => {
              timer = setTimeout(() => reject(new Error("no response within 2 s")), 2_000);
            }),
          ]);
          return [name, "ok"] as const;
        } catch (error) {
          return [name, error instanceof Error ? error.message : String(error)] as const;
        } finally {
          clearTimeout(timer);
        }
      }),
    );
    for (const [store, state] of results) reachable.set({ store }, state === "ok" ? 1 : 0);
    const checks: Record<string, string> = Object.fromEntries([
      ["accepting", this.ready ? "ok" : "not accepting work"],
      ...results,
    ]);
    // Services in one process have checks of the same names: one that fails is shown before one that passes.
    for (const part of await parts)
      for (const [name, state] of Object.entries(part.checks))
        if ((checks[name] ?? "ok") === "ok") checks[name] = state;
    const { conditions } = this;
    return {
      ok: Object.values(checks).every((state) => state === "ok"),
      checks,
      ...(Object.keys(conditions).length > 0 && { degraded: conditions }),
    };
  }
}

/** Serves /livez, /readyz (503 when not ready) and /metrics; port 0 picks a free one. */
export async function serveHealth(
  health: Health,
  options: { host: string; port: number },
): Promise<{ port: number; close(): Promise<void> }> {
  metrics.collectProcess();
  const server: Server = createServer((request, response) => {
    const path = (request.url ?? "").split("?")[0];
    const json = (status: number, body: unknown): void => {
      response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
    };
    if (path === "/livez") {
      const report = health.livez();
      json(report.ok ? 200 : 503, report);
    } else if (path === "/readyz")
      void health.readyz().then((report) => json(report.ok ? 200 : 503, report));
    else if (path === "/metrics")
      metrics.render().then(
        (text) => response.writeHead(200, { "content-type": metrics.contentType }).end(text),
        () => json(500, { error: "metrics failed" }),
      );
    else json(404, { error: "not found" });
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject).listen(options.port, options.host, resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
