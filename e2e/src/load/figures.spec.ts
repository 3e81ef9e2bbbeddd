import { expect, it } from "@jest/globals";
import { describeGrowth, usageOf, type Sample } from "./figures.ts";

const sample = (cpu: Record<string, number>): Sample => ({
  at: 0,
  cpu: new Map(Object.entries(cpu)),
  memory: new Map(),
  resident: new Map(),
  files: new Map(),
});

it("adds up the replicas of a service, per operation", () => {
  const before = sample({ "chat 1": 100, "chat 2": 50, postgres: 10 });
  const after = sample({ "chat 1": 300, "chat 2": 150, postgres: 30, k6: 40 });
  expect(Object.fromEntries(usageOf([before, after], 10))).toEqual({
    chat: 30,
    postgres: 2,
    k6: 4,
  });
});

it("compares numbers of replicas, without the tools and runs that measured nothing", () => {
  const one = new Map([
    ["chat", 10],
    ["k6", 99],
  ]);
  const two = new Map([
    ["chat", 12],
    ["postgres", 3],
  ]);
  const rows = (usage: Map<string, number>[]): string[][] =>
    describeGrowth([1, 2], usage)
      .split("\n")
      .map((row) => row.trim().split(/\s{2,}/));
  expect(rows([one, two])).toEqual([
    ["service", "1 each", "2 each", "growth"],
    ["chat", "10.00", "12.00", "1.20 ×"],
    ["postgres", "0.00", "3.00", "–"],
    ["all", "10.00", "15.00", "1.50 ×"],
  ]);
  expect(rows([one, new Map()])).toEqual([
    ["service", "1 each", "2 each", "growth"],
    ["chat", "10.00", "–", "–"],
    ["all", "10.00", "–", "–"],
  ]);
});
