import { describe, expect, it } from "@jest/globals";
import { runWithFetch } from "../src/egress-error.ts";

const named =
  (name: string): typeof fetch =>
  () =>
    Promise.resolve(new Response(name));
const ask = async (): Promise<string> => (await globalThis.fetch("http://127.0.0.1:9/")).text();

describe("runWithFetch", () => {
  it("routes calls from the work, including later async ones, to its fetch and no others", async () => {
    const late = async (): Promise<string> => {
      await new Promise((resolve) => setTimeout(resolve, 5));
      return ask();
    };
    const [first, second] = await Promise.all([
      runWithFetch(named("first"), late),
      runWithFetch(named("second"), ask),
    ]);
    expect([first, second]).toEqual(["first", "second"]);
    await expect(ask()).rejects.toThrow();
    expect(await runWithFetch(named("outer"), () => runWithFetch(named("inner"), ask))).toBe(
      "inner",
    );
  });
});
