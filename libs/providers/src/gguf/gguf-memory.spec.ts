import { describe, expect, it } from "@jest/globals";
import { freeMemory } from "./gguf-memory.ts";
import { bestOf, canMeasure, planMeasurement } from "./local-speed.ts";

const megabyte = 1024 * 1024;

const memoryWith = (files: Record<string, string>): number =>
  freeMemory((path) => {
    const content = files[path];
    if (content === undefined) throw new Error("ENOENT");
    return content;
  });

const host = { "/proc/meminfo": "MemTotal: 9000 kB\nMemAvailable:    8000000 kB\n" };
const container = {
  ...host,
  "/sys/fs/cgroup/memory.max": `${4_000 * megabyte}\n`,
  "/sys/fs/cgroup/memory.current": `${3_500 * megabyte}\n`,
};

describe("free memory", () => {
  it("is what the machine has without a limit", () => {
    expect(memoryWith(host)).toBe(8_000_000 * 1024);
    expect(memoryWith({ ...container, "/sys/fs/cgroup/memory.max": "max\n" })).toBe(
      8_000_000 * 1024,
    );
  });

  it("counts the container's cached files, such as a model just downloaded", () => {
    expect(memoryWith(container)).toBe(500 * megabyte);
    const stat = `anon 1\ninactive_file ${2_000 * megabyte}\nactive_file ${100 * megabyte}\n`;
    expect(memoryWith({ ...container, "/sys/fs/cgroup/memory.stat": stat })).toBe(2_600 * megabyte);
  });

  it("is more than nothing on other systems", () => {
    expect(memoryWith({})).toBeGreaterThan(0);
  });
});

describe("the speed test", () => {
  it("takes the same memory on machines with many cores", () => {
    for (const threads of [1, 2, 16, 128]) {
      const { measuring, copiedBytes } = planMeasurement(threads);
      expect(measuring * copiedBytes * 2).toBeLessThanOrEqual(256 * megabyte);
      expect(copiedBytes).toBeGreaterThanOrEqual(8 * megabyte);
    }
  });

  it("keeps the best figures, because other work may have slowed it", () => {
    expect(
      bestOf({ bandwidth: 4e9, arithmetic: 1e9 }, { bandwidth: 2e9, arithmetic: 3e9 }),
    ).toEqual({ bandwidth: 4e9, arithmetic: 3e9 });
  });

  it("is left out while memory is short", () => {
    expect(canMeasure(300 * megabyte)).toBe(false);
    expect(canMeasure(3_000 * megabyte)).toBe(true);
  });
});
