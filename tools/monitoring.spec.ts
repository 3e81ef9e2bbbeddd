import { readFileSync } from "node:fs";
import { join } from "node:path";
import { metrics } from "@carrel/observability";
// Each registers its metrics: the gateway and all services, and what they load on demand.
import "@carrel/providers";
import "@carrel/standalone";
import { beforeAll, expect, it } from "@jest/globals";
import { root } from "./checkout.ts";

let scrape: string;
beforeAll(async () => {
  metrics.collectProcess();
  scrape = await metrics.render();
});

it.each(["alerts.yaml", "grafana/overview.json", "grafana/models.json"])(
  "every metric in deploy/monitoring/%s exists",
  (file) => {
    const text = readFileSync(join(root, "deploy/monitoring", file), "utf8");
    const names = new Set(text.match(/\b(?:carrel|nodejs|process)_[a-z0-9_]+/g));
    expect(names.size).toBeGreaterThan(5);
    const known = new Set(
      [...scrape.matchAll(/^# TYPE (\S+) (\S+)$/gm)].flatMap(([, name, type]) =>
        type === "histogram" ? [`${name}_bucket`, `${name}_count`, `${name}_sum`] : [name],
      ),
    );
    expect([...names].filter((name) => !known.has(name))).toEqual([]);
  },
);

it("every runbook that an alert names exists", () => {
  const text = readFileSync(join(root, "deploy/monitoring/alerts.yaml"), "utf8");
  const runbooks = text.match(/docs\/runbooks\/\S+/g)!;
  expect(runbooks).toHaveLength(text.match(/- alert:/g)!.length);
  for (const runbook of runbooks) expect(readFileSync(join(root, runbook), "utf8")).toMatch(/^# /);
});
