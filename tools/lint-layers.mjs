// The slices of each service and which of them each may import: for oxlint.config.ts.
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { http, redis } from "./lint-restrictions.mjs";

const root = join(import.meta.dirname, "..");

/**
 * The layers of a service, lowest first; each lists the folders of `src` (slices) in it. A slice
 * imports itself and slices of lower layers, never one in the same layer or above. The files
 * directly in `src` (module, configuration, database) compose the slices and may import all of
 * them. ARCHITECTURE.md lists the folders without a Nest module.
 */
const layers = {
  auth: [
    ["database"],
    ["access", "event-log", "secret"],
    ["throttle", "user"],
    ["key", "one-time-code", "recovery-code", "sign-in-token"],
    ["session"],
    ["credential", "password"],
    ["account", "invite", "mode", "openid", "recovery", "second-factor"],
    ["sign-in"],
  ],
  chat: [
    ["database", "replica"],
    ["event-log", "owner", "setting", "thread", "webhook"],
    ["credential", "mcp", "usage"],
    ["flow"],
    ["local-model", "model", "schedule", "turn"],
    ["skill-permission", "skill-setup"],
    ["budget", "memory", "prompt", "retrieval"],
    ["attachment", "dictation", "inspection", "speech"],
    ["answer", "plugin"],
    ["agent"],
    ["flow-run", "generation"],
    ["invocation", "share", "widget"],
    ["export", "search", "title", "trash"],
    ["deletion", "record", "schedule-run"],
  ],
  connectors: [
    ["connector", "database"],
    ["repository"],
    ["source"],
    ["registry"],
    ["connection"],
    ["run", "hub"],
    ["management"],
  ],
  "sync-worker": [["database", "setting"], ["watch"], ["worker"], ["management"]],
  ingest: [
    ["database", "parsing"],
    ["work-pool"],
    ["setting", "blob", "usage", "webhook"],
    ["transcription"],
    ["document"],
    ["chunking"],
    ["embedding"],
    ["index"],
    ["revision"],
    ["intake"],
    ["parsed-file", "reranking", "context"],
    ["library", "passage"],
    ["workspace-document"],
  ],
  workspace: [
    ["database"],
    ["access", "event-chain"],
    ["user", "workspace"],
    ["event", "member", "notice", "picture"],
    ["preference", "webhook"],
    ["preset", "prompt-history", "setting", "suggestion", "variable", "widget"],
    ["agent-setting", "audit", "lifecycle", "prompt", "provider", "system-preference"],
    ["membership"],
  ],
};

export const layerRules = Object.entries(layers).flatMap(([service, ordered]) => {
  const src = join(root, "services", service, "src");
  const folders = readdirSync(src, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name);
  const missing = folders.filter((folder) => !ordered.flat().includes(folder));
  const gone = ordered.flat().filter((folder) => !folders.includes(folder));
  if (missing.length + gone.length > 0)
    throw new Error(
      `Layers of ${service} in tools/lint-layers.mjs: add ${missing.join(", ") || "nothing"}, remove ${gone.join(", ") || "nothing"}.`,
    );
  return ordered.flatMap((slices, level) =>
    slices.map((slice) => {
      const above = ordered
        .slice(level)
        .flat()
        .filter((other) => other !== slice);
      const patterns = [
        ...(above.length === 0
          ? []
          : [
              {
                regex: `^(\\.\\./)+(${above.join("|")})/`,
                message: `${slice} is below or beside this slice of ${service} (see the layers in tools/lint-layers.mjs).`,
              },
            ]),
        {
          regex: "^(\\.\\./)+[^/]+\\.module\\.ts$",
          message: "The service's module imports its slices, never the other way round.",
        },
      ];
      return {
        files: [`services/${service}/src/${slice}/**/*.ts`],
        rules: {
          "no-restricted-imports": ["error", { patterns: [...redis, ...http, ...patterns] }],
        },
      };
    }),
  );
});
