import { describe, expect, it } from "@jest/globals";
import { StatementBatches } from "./statement-batches.ts";

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Batches whose statements run until released. */
function hold(keyOf?: (input: string) => unknown) {
  const started: { inputs: readonly string[]; release: () => void }[] = [];
  const batches = new StatementBatches<string, string>({
    ...(keyOf && { keyOf }),
    run: (inputs) => {
      const { promise, resolve } = Promise.withResolvers<void>();
      started.push({ inputs, release: resolve });
      const outputs = inputs.map((input) => input.toUpperCase());
      return promise.then(() => ({ outputs }));
    },
  });
  return { batches, started };
}

describe("StatementBatches", () => {
  it("runs what arrives together, or while others run, with one statement", async () => {
    const { batches, started } = hold();
    const first = [batches.add("a"), batches.add("b")];
    await turn();
    const second = batches.add("c");
    await turn();
    const third = [batches.add("d"), batches.add("e")];
    await turn();
    expect(started.map(({ inputs }) => inputs)).toEqual([["a", "b"], ["c"]]);
    started[0]!.release();
    expect(await Promise.all(first)).toEqual(["A", "B"]);
    await turn();
    expect(started[2]!.inputs).toEqual(["d", "e"]);
    for (const { release } of started) release();
    expect(await Promise.all([second, ...third])).toEqual(["C", "D", "E"]);
  });

  it("keeps inputs with the same key apart, in their order", async () => {
    const { batches, started } = hold((input) => input[0]);
    const all = ["a1", "b1", "a2", "a3"].map((input) => batches.add(input));
    await turn();
    expect(started.map(({ inputs }) => inputs)).toEqual([["a1", "b1"], ["a2"]]);
    for (const { release } of started) release();
    await Promise.all(all.slice(0, 3));
    await turn();
    expect(started[2]!.inputs).toEqual(["a3"]);
    started[2]!.release();
    expect(await all[3]).toBe("A3");
  });

  it("waits for the end of a batch that has returned early", async () => {
    const ends: (() => void)[] = [];
    const batches = new StatementBatches<string, string>({
      concurrency: 1,
      run: (inputs) => {
        const { promise, resolve } = Promise.withResolvers<void>();
        ends.push(resolve);
        return Promise.resolve({ outputs: [...inputs], finished: promise });
      },
    });
    expect(await batches.add("a")).toBe("a");
    const second = batches.add("b");
    await turn();
    expect(ends).toHaveLength(1);
    ends[0]!();
    expect(await second).toBe("b");
    ends[1]!();
  });

  it("fails only the inputs at fault", async () => {
    const batches = new StatementBatches<string, string>({
      run: (inputs) =>
        inputs.includes("bad")
          ? Promise.reject(new Error("refused"))
          : Promise.resolve({ outputs: [...inputs] }),
    });
    const results = await Promise.allSettled(["a", "bad", "b"].map((input) => batches.add(input)));
    expect(results.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
  });
});
