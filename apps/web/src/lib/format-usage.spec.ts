import { describe, expect, it } from "@jest/globals";
import { formatKnownCost } from "./format-usage.ts";

describe("a cost", () => {
  it("is an amount only where a price is known", () => {
    expect(formatKnownCost({ cost: null, unpriced: 3 })).toBeNull();
    // The rest of the usage has no price.
    expect(formatKnownCost({ cost: 0, unpriced: 1 })).toBeNull();
    expect(formatKnownCost({ cost: 0, unpriced: 0 })).toBe("$0.00");
    expect(formatKnownCost({ cost: 0.0032, unpriced: 4 })).toBe("$0.0032");
    for (const lang of ["ar", "fr"]) {
      document.documentElement.lang = lang;
      expect(formatKnownCost({ cost: 12.4, unpriced: 0 })).not.toContain("US");
    }
    document.documentElement.lang = "";
  });
});
