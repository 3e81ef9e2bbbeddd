import { z } from "zod";
import { defineOperation } from "../operation.ts";
import type { Contracts } from "../registry.ts";

export const ping = defineOperation({
  name: "gateway.ping",
  service: "gateway",
  access: { who: "public" },
  http: { method: "GET", path: "/ping", mount: "custom", summary: "Whether the instance answers" },
  input: z.object({}),
  output: z.object({ online: z.literal(true) }),
});

/** Ours: figures of the gateway's process (in standalone: of everything), Prometheus text. */
export const getMetrics = defineOperation({
  name: "gateway.metrics.get",
  service: "gateway",
  access: { who: "admin" },
  http: {
    method: "GET",
    path: "/metrics",
    mount: "custom",
    summary: "Figures of the process in Prometheus text format",
  },
  input: z.object({}),
  output: z.void(),
  success: { status: 200, kind: "text" },
});

export const systemContracts: Contracts = {
  operations: [ping, getMetrics],
};
