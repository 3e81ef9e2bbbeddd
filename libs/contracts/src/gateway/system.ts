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
  operations: [ping, getMetrics],
};
