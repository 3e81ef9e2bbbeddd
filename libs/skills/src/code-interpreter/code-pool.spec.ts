import { afterAll, describe, expect, it } from "@jest/globals";
import { CodePool, type ProgramResult } from "./code-pool.ts";

const milliseconds = 300;
/** Far more than a stop takes, for busy machines. */
const longest = 15_000;
const pool = new CodePool({ milliseconds, memoryBytes: 32 * 1024 * 1024 });
const run = (code: string, signal = new AbortController().signal): Promise<ProgramResult> =>
  pool.run({ code, input: "", files: [] }, signal);

afterAll(() => pool.close());

describe("programs without end", () => {
  it.each([
    ["a loop", "print('so far'); for (;;);"],
    ["a loop that catches everything", "print('so far'); for (;;) try { for (;;); } catch {}"],
    ["a regular expression", "print('so far'); /(a+)+$/.test('a'.repeat(50) + 'b')"],
    ["another regular expression", "print('so far'); /(?:a|b)*c/.test('ab'.repeat(4e5))"],
    ["promises", "print('so far'); const f = () => Promise.resolve().then(f); f(); await f()"],
    ["sorting", "print('so far'); for (;;) Array.from({ length: 1e5 }, (_, n) => -n).sort()"],
    ["a generator", "print('so far'); function* g() { for (;;) yield 1 } [...g()].length"],
  ])("are stopped, and what they printed is kept: %s", async (_, code) => {
    const start = performance.now();
    const { outcome, printed, fault } = await run(code);
    if (outcome === "timed-out") expect(performance.now() - start).toBeLessThan(longest);
    else expect(fault?.message).toContain("out of memory");
    expect(printed).toBe("so far");
  });

  it("are stopped while their value is written", async () => {
    const { outcome } = await run("({ toJSON() { for (;;); } })");
    expect(outcome).not.toBe("done");
  });

  it("are ended with their thread if the engine can't stop them", async () => {
    // Steps of the engine that take seconds and never look at the clock.
    const start = performance.now();
    const { outcome } = await run(
      "let big = 2n ** 100_000n; for (let n = 0; n < 3; n++) big *= big; for (;;) big / (big >> 400_000n)",
    );
    expect(outcome).toBe("timed-out");
    expect(performance.now() - start).toBeLessThan(longest);
    expect((await run("1")).value).toBe("1");
  });
});
