import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { describe, expect, it } from "@jest/globals";

const run = promisify(execFile);
const script = `import { restartWithAllocator } from ${JSON.stringify(new URL("./allocator.ts", import.meta.url).href)};
console.log(process.pid);
restartWithAllocator();
console.log(JSON.stringify([process.pid, process.execArgv.includes('--max-semi-space-size=8'), ...['MALLOC_ARENA_MAX', 'MALLOC_MMAP_THRESHOLD_', 'MALLOC_TRIM_THRESHOLD_', 'OTHER'].map((name) => process.env[name])]));`;
const start = async (environment: Record<string, string>): Promise<string[]> => {
  const { stdout } = await run(
    process.execPath,
    [
      "--max-semi-space-size=8",
      "--disable-warning=ExperimentalWarning",
      "--input-type=module",
      "--eval",
      script,
    ],
    { env: { PATH: process.env.PATH, OTHER: "kept", ...environment }, timeout: 60_000 },
  );
  return stdout.trim().split("\n");
};

describe("the allocator of a process started directly", () => {
  it("gets its settings in the same process, with its flags and environment", async () => {
    const lines = await start({});
    expect(new Set(lines.slice(0, -1)).size).toBe(1);
    const [pid, hasFlag, ...variables] = JSON.parse(lines.at(-1)!) as unknown[];
    expect([pid, hasFlag]).toEqual([Number(lines[0]), true]);
    expect(variables).toEqual([
      ...(process.platform === "linux" ? ["2", "131072", "131072"] : [null, null, null]),
      "kept",
    ]);
  });

  it("keeps existing settings", async () => {
    expect(JSON.parse((await start({ MALLOC_ARENA_MAX: "8" })).at(-1)!)).toContain("8");
    expect(
      await start({
        MALLOC_ARENA_MAX: "1",
        MALLOC_MMAP_THRESHOLD_: "65536",
        MALLOC_TRIM_THRESHOLD_: "65536",
      }),
    ).toHaveLength(2);
  });
});
