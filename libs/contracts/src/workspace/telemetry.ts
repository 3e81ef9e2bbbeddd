import { z } from "zod";
import { defineOperation, type Contracts } from "../operation.ts";

/** The setting that disables telemetry, as on the wire: `"true"` unless an admin turns it on. */
export const telemetryKey = "DisableTelemetry";

/** Everything that a report contains. The settings page shows it as it would be sent. */
export const telemetryReport = z.object({
  /** Random, generated for the first report; null before that. */
  instance: z.string().nullable(),
  mode: z.enum(["single-user", "multi-user"]),
  languageProvider: z.string(),
  embedder: z.string(),
  vectorStore: z.string(),
  workspaces: z.number().int(),
});
export type TelemetryReport = z.infer<typeof telemetryReport>;

/** Carrel-specific: where reports go, and what the next one contains. */
export const getTelemetry = defineOperation({
  name: "workspace.telemetry.get",
  service: "workspace",
  access: { who: "admin" },
  calls: ["auth"],
  routes: [
    { method: "GET", path: "/system/telemetry", summary: "Get what telemetry would report" },
  ],
  input: z.object({}),
  output: z.object({
    /** The operator's address; null if there is none, so nothing can be sent. */
    address: z.string().nullable(),
    report: telemetryReport,
  }),
});

export const telemetryContracts: Contracts = { operations: [getTelemetry] };
