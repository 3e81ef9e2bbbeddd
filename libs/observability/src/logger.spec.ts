import { mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { poll } from "@carrel/testing";
import { expect, it } from "@jest/globals";
import { openLogFile } from "./logger.ts";

it("rotates a log above its limit, at startup and while running, and keeps three older files", async () => {
  const folder = mkdtempSync(join(tmpdir(), "carrel-log-file-"));
  const file = join(folder, "chat.log");
  writeFileSync(file, "of the start before\n".repeat(100));
  const log = openLogFile(file, { largestBytes: 1_000, checkMs: 20 });
  expect(openLogFile(file)).toBe(log);
  expect(readFileSync(`${file}.1`, "utf8")).toContain("of the start before");
  for (let round = 0; round < 400; round += 1) {
    log.write(`${String(round).padStart(3, "0")} ${"x".repeat(95)}\n`);
    await wait(1);
  }
  // The last line may be about to be rotated.
  await poll(() => statSync(file, { throwIfNoEntry: false })?.size ?? Infinity).toBeLessThanOrEqual(
    1_000,
  );
  log.end();
  await new Promise((closed) => log.once("close", closed));
  expect(readdirSync(folder).sort()).toEqual([
    "chat.log",
    "chat.log.1",
    "chat.log.2",
    "chat.log.3",
  ]);
  expect(statSync(file).size).toBeLessThan(20_000);
  // The retained files contain whole lines in order, up to the last one.
  const lines = [3, 2, 1, 0]
    .flatMap((age) =>
      readFileSync(age ? `${file}.${age}` : file, "utf8")
        .split("\n")
        .filter(Boolean),
    )
    .map((line) => Number(line.slice(0, 3)));
  expect(lines.at(-1)).toBe(399);
  expect(lines).toEqual(Array.from({ length: lines.length }, (_, n) => lines[0]! + n));
  rmSync(folder, { recursive: true });
}, 90_000);
