import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { describe, expect, it } from "@jest/globals";

const run = promisify(execFile);
/** Creates garbage, then prints the heap's size in MB: at once and after an idle period. */
const script = `import { trimWhenIdle } from ${JSON.stringify(new URL("./trim-when-idle.ts", import.meta.url).href)};
const heap = () => process.memoryUsage().heapUsed / 2 ** 20;
const leaveGarbage = () => {
  globalThis.kept = Array.from({ length: 1_000_000 }, (_, n) => ({ n }));
  const full = heap();
  globalThis.kept = null;
  return full;
};
const pause = (ms) => new Promise((done) => setTimeout(done, ms));
// A slow machine may take a while to look idle.
const trimmed = async (full) => {
  for (let looks = 0; looks < 40 && heap() > full / 2; looks++) await pause(500);
  return heap();
};
const figures = [];
const stop = trimWhenIdle(300);
for (let burst = 0; burst < 2; burst++) {
  const full = leaveGarbage();
  figures.push(full, await trimmed(full));
}
stop();
console.log(JSON.stringify([...figures, typeof gc]));`;

describe("trimWhenIdle", () => {
  it("frees the garbage of each burst of work in a process that then allocates nothing", async () => {
    const { stdout } = await run(
      process.execPath,
      ["--disable-warning=ExperimentalWarning", "--input-type=module", "--eval", script],
      { timeout: 60_000 },
    );
    const [first, afterFirst, second, afterSecond, gc] = JSON.parse(stdout) as number[];
    expect(first).toBeGreaterThan(20);
    expect(afterFirst).toBeLessThan(first! / 2);
    expect(second).toBeGreaterThan(20);
    expect(afterSecond).toBeLessThan(second! / 2);
    expect(gc).toBe("undefined");
  });
});
