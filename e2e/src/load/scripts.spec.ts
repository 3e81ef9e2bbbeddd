import { readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { expect, it } from "@jest/globals";
import { transformSync } from "@swc/core";
import { scripts } from "./scripts.ts";

const folder = resolve(import.meta.dirname, "../../k6");
const builtIn = new Set([
  "checks",
  "dropped_iterations",
  "http_req_duration",
  "http_req_failed",
  "iterations",
]);

interface Script {
  options: {
    scenarios: Record<string, { executor: string; exec?: string }>;
    thresholds: Record<string, string[]>;
  };
  default?: unknown;
  setup: unknown;
  teardown: unknown;
}

/** Runs a script's init code as k6 does, with its own metrics noted and without k6. */
function load(name: string): { script: Script; metrics: Set<string>; text: string } {
  const metrics = new Set<string>();
  const texts: string[] = [];
  class Metric {
    constructor(metric: string) {
      metrics.add(metric);
    }
  }
  const loaded = new Map<string, unknown>();
  const evaluate = (file: string): unknown => {
    if (loaded.has(file)) return loaded.get(file);
    const source = readFileSync(file, "utf8");
    texts.push(source);
    const { code } = transformSync(source, {
      filename: file,
      swcrc: false,
      jsc: { parser: { syntax: "typescript" }, target: "es2024" },
      module: { type: "commonjs" },
    });
    const exports = {};
    loaded.set(file, exports);
    const require = (from: string): unknown => {
      if (from.startsWith("./")) return evaluate(join(dirname(file), from));
      if (from === "k6/metrics") return { Rate: Metric, Trend: Metric, Counter: Metric };
      if (["k6", "k6/http", "k6/execution"].includes(from)) return {};
      throw new Error(`${file} imports ${from}, which k6 doesn't have`);
    };
    new Function("exports", "require", "__ENV", code)(exports, require, {});
    return exports;
  };
  return { script: evaluate(join(folder, `${name}.ts`)) as Script, metrics, text: texts.join() };
}

it.each(Object.keys(scripts))("%s can be run by k6 and has thresholds", (name) => {
  const { script, metrics, text } = load(name);
  expect(typeof script.setup).toBe("function");
  expect(typeof script.teardown).toBe("function");
  const scenarios = Object.values(script.options.scenarios);
  expect(scenarios.length).toBeGreaterThan(0);
  for (const { exec = "default" } of scenarios)
    expect([exec, typeof (script as unknown as Record<string, unknown>)[exec]]).toEqual([
      exec,
      "function",
    ]);
  const thresholds = Object.entries(script.options.thresholds);
  expect(thresholds.length).toBeGreaterThan(2);
  for (const [where, limits] of thresholds) {
    const [, metric, tag] = /^(\w+)(?:\{name:(.+)\})?$/.exec(where)!;
    // k6 accepts thresholds of requests that the script never makes.
    expect([metric, builtIn.has(metric!) || metrics.has(metric!)]).toEqual([metric, true]);
    if (tag !== undefined) expect(text).toContain(`"${tag}"`);
    for (const limit of limits) expect(limit).toMatch(/^(rate|count|p\(95\))(==|<|>)\d+(\.\d+)?$/);
  }
});
