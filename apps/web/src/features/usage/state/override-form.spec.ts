import { describe, expect, it } from "@jest/globals";
import { faultsOf, fieldsOf, overrideOf } from "./override-form.ts";

const prices = { provider: "openai", model: "gpt-4.1", input: 2, cachedInput: 0, output: 8.5 };
const facts = {
  provider: "openai",
  model: "own",
  contextWindow: 8_192,
  vision: true,
  tools: false,
};
const fields = fieldsOf(prices, "anthropic");

describe("form of what an admin says of a model", () => {
  it("reads what it shows, without what is left empty", () => {
    expect(overrideOf(fields)).toEqual(prices);
    expect(overrideOf(fieldsOf(facts, "anthropic"))).toEqual(facts);
    expect(fieldsOf(null, "anthropic")).toMatchObject({ provider: "anthropic", model: "" });
  });

  it("accepts amounts from 0 to 10,000, and input only with output", () => {
    for (const input of ["0", " 10000 ", "0.05", ".5"])
      expect(faultsOf({ ...fields, input }, [])).toEqual({});
    for (const input of ["-1", "10000.1", "1e3", "free"])
      expect(faultsOf({ ...fields, input }, [])).toEqual({ input: "amount" });
    expect(faultsOf({ ...fields, input: "" }, [])).toEqual({ input: "both" });
    expect(faultsOf({ ...fields, output: "" }, [])).toEqual({ output: "both" });
  });

  it("accepts an output limit below the context window", () => {
    const of = (contextWindow: string, outputLimit: string) =>
      faultsOf({ ...fields, contextWindow, outputLimit }, []);
    expect(of("4096", "1000")).toEqual({});
    expect(of("255", "")).toEqual({ contextWindow: "window" });
    expect(of("4096", "4096")).toEqual({ outputLimit: "belowWindow" });
    expect(of("", "1.5")).toEqual({ outputLimit: "tokens" });
  });

  it("needs a model, once, and a value", () => {
    expect(faultsOf({ ...fields, model: " " }, [])).toEqual({ model: "model" });
    expect(faultsOf({ ...fields, model: " gpt-4.1 " }, [prices])).toEqual({ model: "repeated" });
    expect(faultsOf({ ...fields, provider: "azure" }, [prices])).toEqual({});
    expect(faultsOf({ ...fieldsOf(null, "openai"), model: "x" }, [])).toEqual({
      contextWindow: "nothing",
    });
  });
});
