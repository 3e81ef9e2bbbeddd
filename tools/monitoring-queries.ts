import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./checkout.ts";

/** A query of an alert or a panel, with the labels that texts show of its result. */
export interface Query {
  /** Name of the alert or panel. */
  name: string;
  expression: string;
  shown: string[];
}

const folder = join(root, "deploy/monitoring");

export function readAlerts(): Query[] {
  const [, ...alerts] = readFileSync(join(folder, "alerts.yaml"), "utf8").split("- alert: ");
  return alerts.map((alert) => ({
    name: alert.slice(0, alert.indexOf("\n")),
    expression: /expr:(.*?)\n {8}(?:for|labels):/s.exec(alert)![1]!,
    shown: [...alert.matchAll(/\$labels\.(\w+)/g)].map(([, label]) => label!),
  }));
}

interface Dashboard {
  panels: { title: string; targets?: { expr: string; legendFormat?: string }[] }[];
}

export const readDashboards = (): Query[] =>
  ["overview", "models"].flatMap((name) => {
    const text = readFileSync(join(folder, `grafana/${name}.json`), "utf8");
    return (JSON.parse(text) as Dashboard).panels.flatMap(({ title, targets = [] }) =>
      targets.map(({ expr, legendFormat = "" }) => ({
        name: `${name}: ${title}`,
        expression: expr,
        shown: [...legendFormat.matchAll(/\{\{(\w+)\}\}/g)].map(([, label]) => label!),
      })),
    );
  });

export interface MetricUse {
  metric: string;
  labels: string[];
}

/** What Prometheus adds to every series. */
const added = new Set(["job", "instance"]);

/** The metrics of a query, each with the labels that it is selected, grouped and shown by. */
export function listUses({ expression, shown }: Query): MetricUse[] {
  const grouped = [...expression.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, labels]) =>
    labels!.split(",").map((label) => label.trim()),
  );
  const pattern = /\b((?:carrel|nodejs|process)_[a-z0-9_]+)(?:\{([^}]*)\})?/g;
  return [...expression.matchAll(pattern)].map(([, metric, selector = ""]) => ({
    metric: metric!,
    labels: [
      ...new Set([
        ...[...selector.matchAll(/(\w+)\s*(?:=~|!~|!=|=)/g)].map(([, label]) => label!),
        ...grouped,
        ...shown,
      ]),
    ].filter((label) => !added.has(label)),
  }));
}

/** Each sample's labels by metric, in Prometheus' text format. */
export function readSamples(scrape: string): Map<string, Set<string>> {
  const samples = new Map<string, Set<string>>();
  for (const [, metric, labels = ""] of scrape.matchAll(/^([a-z]\w*)(?:\{(.*)\})? \S+$/gim))
    samples.set(
      metric!,
      new Set([
        ...(samples.get(metric!) ?? []),
        ...[...labels.matchAll(/(\w+)="/g)].map(([, label]) => label!),
      ]),
    );
  return samples;
}
