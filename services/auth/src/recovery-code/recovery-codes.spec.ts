import { describe, expect, it } from "@jest/globals";
import { normaliseRecoveryCode } from "./recovery-codes.ts";

describe("normaliseRecoveryCode", () => {
  it.each([
    ["0b2f1c9e-7d55-4a0e-9c58-2f7e6f0a1b2c", "0b2f1c9e7d554a0e9c582f7e6f0a1b2c"],
    [" 0B2F1C9E 7D55 4A0E 9C58 2F7E6F0A1B2C\n", "0b2f1c9e7d554a0e9c582f7e6f0a1b2c"],
    ["0b2f1c9e\u20137d55\u20114a0e9c582f7e6f0a1b2c", "0b2f1c9e7d554a0e9c582f7e6f0a1b2c"],
    ["0b2f1c9e-7d55", null],
    ["123456", null],
    ["", null],
  ])("%j is %j", (typed, normal) => {
    expect(normaliseRecoveryCode(typed)).toBe(normal);
  });
});
