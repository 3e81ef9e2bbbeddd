import { describe, expect, it } from "@jest/globals";
import { isShortage } from "./lance-fault.ts";

describe("a fault of the machine", () => {
  it("includes a refused allocation, which says nothing about the table", () => {
    const refused = (allocate: () => unknown): unknown => {
      try {
        return allocate();
      } catch (error) {
        return error;
      }
    };
    expect(isShortage(refused(() => new ArrayBuffer(Number.MAX_SAFE_INTEGER)))).toBe(true);
    expect(isShortage(new Error("lance error: LanceError(IO): No space left on device"))).toBe(
      true,
    );
    expect(isShortage(new RangeError("Offset is outside the bounds of the DataView"))).toBe(false);
  });
});
