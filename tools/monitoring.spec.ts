import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { metrics } from "@carrel/observability";
// Each registers its metrics: the gateway and all services, and what they load on demand.
import "@carrel/providers";
import "@carrel/standalone";
import { beforeAll, describe, expect, it } from "@jest/globals";
import { root } from "./checkout.ts";
import { listUses, readAlerts, readDashboards } from "./monitoring-queries.ts";

/** Types of the known metrics, by name. */
let known: Map<string, string>;
beforeAll(async () => {
  metrics.collectProcess();
  const scrape = await metrics.render();
  known = new Map(
    [...scrape.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name, type]) => [name!, type!]),
  );
});

it.each([...readAlerts(), ...readDashboards()])("every metric of $name exists", (query) => {
  const uses = listUses(query);
  // Prometheus makes `up` itself.
  expect(uses.length > 0 || query.expression.includes("up{")).toBe(true);
  const names = [...known].flatMap(([name, type]) =>
    type === "histogram" ? [`${name}_bucket`, `${name}_count`, `${name}_sum`] : [name],
  );
  expect(uses.map(({ metric }) => metric).filter((name) => !names.includes(name))).toEqual([]);
});

describe("every alert", () => {
  const tests = readFileSync(join(root, "deploy/monitoring/alerts.test.yaml"), "utf8");

  it.each(readAlerts())("$name has a runbook and a test", ({ name }) => {
    const text = readFileSync(join(root, "deploy/monitoring/alerts.yaml"), "utf8");
    const alert = text.split("- alert: ").find((part) => part.startsWith(`${name}\n`))!;
    const [runbook] = /docs\/runbooks\/\S+/.exec(alert)!;
    expect(existsSync(join(root, runbook))).toBe(true);
    expect(tests).toContain(`alertname: ${name}\n`);
  });
});

it("docs/metrics.md lists every metric of ours", () => {
  const text = readFileSync(join(root, "docs/metrics.md"), "utf8");
  const listed = new Set([...text.matchAll(/`(carrel_\w+)`/g)].map(([, name]) => name));
  expect([...known.keys()].filter((name) => name.startsWith("carrel_")).toSorted()).toEqual(
    [...listed].toSorted(),
  );
});
