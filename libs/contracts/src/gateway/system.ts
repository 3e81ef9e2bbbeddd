import { z } from "zod";
import { defineOperation } from "../operation.ts";
import type { Contracts } from "../registry.ts";

export const ping = defineOperation({
  name: "gateway.ping",
  service: "gateway",
  access: { who: "public" },
  mount: "custom",
  routes: [{ method: "GET", path: "/ping", summary: "Check whether the instance is up" }],
  input: z.object({}),
  output: z.object({ online: z.literal(true) }),
});

/** wire-contract 2.2: existing clients show `appVersion`. Disk usage is not revealed. */
export const getInstanceState = defineOperation({
  name: "gateway.instance.state",
  service: "gateway",
  access: { who: "public" },
  mount: "custom",
  routes: [
    { method: "GET", path: "/utils/metrics", summary: "Get the version and mode of the instance" },
  ],
  input: z.object({}),
  output: z.object({
    online: z.literal(true),
    version: z.string(),
    mode: z.enum(["multi-user", "single-user"]),
    vectorDB: z.string(),
    storage: z.object({ current: z.null(), capacity: z.null() }),
    appVersion: z.string(),
  }),
});

/**
 * Carrel-specific: metrics of the gateway process (in standalone, of all services) as Prometheus
 * text.
 */
export const getMetrics = defineOperation({
  name: "gateway.metrics.get",
  service: "gateway",
  access: { who: "admin" },
  mount: "custom",
  routes: [
    {
      method: "GET",
      path: "/metrics",
      summary: "Get process metrics in Prometheus text format",
    },
  ],
  input: z.object({}),
  output: z.void(),
  success: { status: 200, kind: "text" },
});

export const systemContracts: Contracts = {
  operations: [ping, getInstanceState, getMetrics],
};
