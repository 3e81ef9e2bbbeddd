import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { metrics } from "./metrics.ts";

export interface HealthReport {
  ok: boolean;
  checks: Record<string, string>;
}

/**
 * Liveness (the process responds, and nothing has failed that only a restart can fix) and readiness
 * (it was marked ready, and every check passes within 2 s).
 */
export class Health {
  private readonly checks = new Map<string, () => Promise<void>>();
  private readonly faults = new Map<string, string>();
  private readonly parts: Health[] = [];
  private ready = false;
  addCheck(name: string, check: () => Promise<void>): void {
    this.checks.set(name, check);
  }
  setReady(ready: boolean): void {
    this.ready = ready;
  }
  /** Reports a fault that only a restart can fix; null: it is fixed. */
  setFault(name: string, fault: string | null): void {
    if (fault === null) this.faults.delete(name);
    else this.faults.set(name, fault);
  }
  /** Liveness then includes that of another service in the same process. */
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
    const checks = Object.fromEntries([
      ["accepting", this.ready ? "ok" : "not accepting work"],
      ...results,
    ]);
    return { ok: Object.values(checks).every((state) => state === "ok"), checks };
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
