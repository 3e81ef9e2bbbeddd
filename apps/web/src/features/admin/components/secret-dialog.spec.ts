import { expect, it } from "@jest/globals";
import { isMasked, maskCode } from "./secret-dialog.tsx";

it.each([
  ["K7P2WXM-101AQZR-T4N8VBC-E6D3HJY", "*******-*******-*******-***3HJY", false],
  [
    "*******-*******-*******-***3HJY (only admins can copy it)",
    "*******-*******-*******-***3HJY",
    true,
  ],
  ["carrel-K7P2WXM-101AQZR-T4N8VBC-E6D3HJY", "carrel-*******-*******-*******-***3HJY", false],
  [
    "brx-*******-*******-*******-***6JGY (shown only when created)",
    "brx-*******-*******-*******-***6JGY",
    true,
  ],
])("%s is shown as %s", (code, shown, masked) => {
  expect(maskCode(code)).toBe(shown);
  expect(isMasked(code)).toBe(masked);
});
