import { RunClock } from "./run-clock.ts";

describe("the time that a run takes", () => {
  it("stands still while a person is asked, however many calls ask at once", async () => {
    let now = 1_000;
    const clock = new RunClock(() => now);
    now += 10;
    const { promise: first, resolve: endFirst } = Promise.withResolvers<string>();
    const { promise: second, reject: endSecond } = Promise.withResolvers<never>();
    const waits = [clock.pauseDuring(() => first), clock.pauseDuring(() => second)];
    now += 500;
    expect(clock.milliseconds).toBe(10);
    endFirst("yes");
    expect(await waits[0]).toBe("yes");
    now += 500;
    expect(clock.milliseconds).toBe(10);
    endSecond(new Error("stopped"));
    await expect(waits[1]).rejects.toThrow("stopped");
    now += 5;
    expect(clock.milliseconds).toBe(15);
  });
});
