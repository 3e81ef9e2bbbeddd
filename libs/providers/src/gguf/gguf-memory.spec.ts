import { describe, expect, it, jest } from "@jest/globals";
import { freeMemory } from "./gguf-memory.ts";
import { planMeasurement, SpeedTest } from "./local-speed.ts";

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

  it("keeps the best figures, is repeated after ten minutes, and survives a failure", async () => {
    let minutes = 0;
    let result = Promise.resolve({ bandwidth: 4e9, arithmetic: 1e9 });
    const measure = jest.fn(() => result);
    const test = new SpeedTest({ measure, free: () => 3e9, now: () => minutes * 60_000 });
    expect(await Promise.all([test.read(), test.read()])).toEqual([await result, await result]);
    minutes = 9;
    await test.read();
    expect(measure).toHaveBeenCalledTimes(1);
    minutes = 10;
    result = Promise.resolve({ bandwidth: 2e9, arithmetic: 3e9 });
    // What is known comes at once.
    expect(await test.read()).toEqual({ bandwidth: 4e9, arithmetic: 1e9 });
    await result;
    expect(await test.read()).toEqual({ bandwidth: 4e9, arithmetic: 3e9 });
    minutes = 20;
    result = Promise.reject(new Error("no thread"));
    await test.read();
    expect(await test.read()).toEqual({ bandwidth: 4e9, arithmetic: 3e9 });
    expect(measure).toHaveBeenCalledTimes(3);
  });

  it("is left out while memory is short", async () => {
    const measure = jest.fn(() => Promise.resolve({ bandwidth: 4e9, arithmetic: 1e9 }));
    let free = 3e8;
    const test = new SpeedTest({ measure, free: () => free, now: () => 0 });
    expect(await test.read()).toBeNull();
    free = 3e9;
    expect(await test.read()).not.toBeNull();
  });
});
