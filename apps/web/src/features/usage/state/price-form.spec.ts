import { describe, expect, it } from "@jest/globals";
import { faultsOf, fieldsOf, priceOf } from "./price-form.ts";

const price = { provider: "openai", model: "gpt-4.1", input: 2, cachedInput: 0, output: 8.5 };
const fields = fieldsOf(price, "anthropic");

describe("form of a price", () => {
  it("reads what it shows", () => {
    expect(priceOf(fields)).toEqual(price);
    expect(fieldsOf(null, "anthropic")).toMatchObject({ provider: "anthropic", model: "" });
  });

  it("accepts amounts from 0 to 10,000", () => {
    for (const input of ["0", " 10000 ", "0.05", ".5"])
      expect(faultsOf({ ...fields, input }, [])).toEqual({});
    for (const input of ["", "-1", "10000.1", "1e3", "free"])
      expect(faultsOf({ ...fields, input }, [])).toEqual({ input: "amount" });
  });

  it("needs a model, once", () => {
    expect(faultsOf({ ...fields, model: " " }, [])).toEqual({ model: "model" });
    expect(faultsOf({ ...fields, model: " gpt-4.1 " }, [price])).toEqual({ model: "repeated" });
    expect(faultsOf({ ...fields, provider: "azure" }, [price])).toEqual({});
  });
});
