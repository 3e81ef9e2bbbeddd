import { describe, expect, it } from "@jest/globals";
import { ToolError } from "../tool.ts";
import { fileLimits, writeFileInThread } from "./file-thread.ts";
import type { FileJob } from "./write-file.ts";

const signal = new AbortController().signal;
const sheetOf = (rows: number, columns: number): FileJob => ({
  kind: "xlsx",
  sheets: [
    {
      name: "a",
      columns: Array.from({ length: columns }, (_, at) => ({ name: `c${at}` })),
      rows: Array.from({ length: rows }, () => Array<number>(columns).fill(1)),
    },
  ],
});

describe("files that are written in a thread", () => {
  it("don't keep others waiting", async () => {
    let longest = 0;
    let last = performance.now();
    const timer = setInterval(() => {
      longest = Math.max(longest, performance.now() - last);
      last = performance.now();
    }, 5);
    const { bytes, about } = await writeFileInThread(sheetOf(20_000, 5), signal);
    clearInterval(timer);
    expect(about).toBe("1 sheet, 20,000 rows");
    expect(Buffer.from(bytes.subarray(0, 2)).toString()).toBe("PK");
    expect(longest).toBeLessThan(1_000);
  }, 60_000);

  it("are refused with what the model has to change", async () => {
    await expect(writeFileInThread(sheetOf(50_001, 2), signal)).rejects.toThrow(
      new ToolError("The workbook would have 100,002 cells; at most 100,000 can be written."),
    );
  }, 60_000);

  it("are given up if they take too long or too much memory, or with the run", async () => {
    const work = sheetOf(20_000, 5);
    await expect(
      writeFileInThread(work, signal, { ...fileLimits, milliseconds: 1 }),
    ).rejects.toThrow("Creating the file takes too much time.");
    await expect(
      writeFileInThread(work, signal, { ...fileLimits, memoryMegabytes: 48 }),
    ).rejects.toThrow("Creating the file takes too much memory.");
    const stop = new AbortController();
    const stopped = writeFileInThread(work, stop.signal);
    stop.abort();
    await expect(stopped).rejects.toMatchObject({ name: "AbortError" });
  }, 60_000);

  it("wait for their turn", async () => {
    const jobs = Array.from({ length: 4 }, () => writeFileInThread(sheetOf(1, 1), signal));
    for (const { about } of await Promise.all(jobs)) expect(about).toBe("1 sheet, 1 row");
  }, 60_000);
});
