import { z } from "zod";
import { refusedKey } from "../error-reply.ts";
import { defineOperation, type Contracts } from "../operation.ts";

/*
 * Operations found only in the developer API (wire-contract 9). Its other routes are declared with
 * the operations they call.
 */

export const checkApiKey = defineOperation({
  name: "gateway.developer.auth",
  service: "gateway",
  access: { who: "key", scope: "read", restrictedKeys: true },
  errors: refusedKey,
  mount: "custom",
  routes: [{ method: "GET", path: "/v1/auth", summary: "Check whether the API key is valid" }],
  input: z.object({}),
  output: z.object({ authenticated: z.boolean() }),
});

/**
 * wire-contract 9.1, there without a key: the settings as environment variables, secrets masked.
 * DISABLED unless the environment enables it.
 */
export const dumpSettings = defineOperation({
  name: "gateway.developer-system.env-dump",
  service: "gateway",
  access: { who: "key", scope: "admin" },
  errors: { ...refusedKey, DISABLED: { status: 403, kind: "json", body: { error: "$message" } } },
  mount: "custom",
  routes: [
    {
      method: "GET",
      path: "/v1/system/env-dump",
      summary: "Get the settings as environment variables; secrets are masked",
    },
  ],
  input: z.object({}),
  output: z.void(),
  success: { status: 200, kind: "text" },
});

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

/** Channel on which processes tell gateways their conditions, at least every ten seconds. */
export const conditionsChannel = "system-conditions";

/** Carrel-specific: what an administrator should know about disks, stores and backups. */
export const getSystemConditions = defineOperation({
  name: "gateway.system.conditions",
  service: "gateway",
  access: { who: "admin" },
  mount: "custom",
  routes: [
    {
      method: "GET",
      path: "/system/conditions",
      summary: "List what is degraded: full disks, unreachable stores, old backups",
    },
  ],
  input: z.object({}),
  output: z.object({
    conditions: z.array(
      z.object({
        /** A store (`postgresql`, `redis`), a folder (`originals`, `index`, …) or `backup`. */
        place: z.string(),
        condition: z.enum(["disk-low", "disk-full", "unreachable", "backup-old"]),
      }),
    ),
  }),
});

export const systemContracts: Contracts = {
  operations: [ping, getInstanceState, getMetrics, getSystemConditions, dumpSettings, checkApiKey],
};
