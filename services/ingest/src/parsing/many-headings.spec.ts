import { expect, it } from "@jest/globals";
import { parse } from "../../test/parse.ts";
import { splitWindow } from "../work-pool/split-window.ts";
import { joinCells } from "./write-table.ts";

const cpuSeconds = (work: () => void): number => {
  const before = process.threadCpuUsage();
  work();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1e6;
};

it("keeps 10,000 headings of a file, and the text of all", async () => {
  const parsed = await parse("headings.md", "# a\n".repeat(12_000));
  expect(parsed.headings).toHaveLength(10_000);
  expect(parsed.text).toHaveLength(4 * 12_000 - 1);
});

it("finds the headings above each of 40,000 in linear time", () => {
  const headings = Array.from({ length: 40_000 }, (_, n) => ({
    start: 2 * n,
    level: n === 5 ? 1 : 2,
    title: "a",
  }));
  const task = { text: "a\n".repeat(2_000), offset: 76_000, title: "t", pages: [] };
  const chunking = { size: 1_000, overlap: 0 };
  const split = () => splitWindow({ ...task, headings, chunking, language: "en" });
  expect(split()[0]!.headingPath).toEqual(["a", "a"]);
  // Quadratic time would be 1 s.
  expect(cpuSeconds(split)).toBeLessThan(0.7);
});

it("joins cells without the empty ones at the end, in linear time", () => {
  expect(joinCells(["", "a", "", "b", "", ""])).toBe(" | a |  | b");
  expect(joinCells(["", ""])).toBe("");
  // Quadratic time would be over a minute.
  const wide = [...Array<string>(100_000).fill(""), "b"];
  expect(cpuSeconds(() => joinCells(wide))).toBeLessThan(0.3);
});
