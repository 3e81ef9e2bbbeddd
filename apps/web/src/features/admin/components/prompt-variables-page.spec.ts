import { expect, it } from "@jest/globals";
import "../../../../testing/texts.ts";
import { variableFaults } from "./prompt-variables-page.tsx";

const others = [{ key: "time" }, { key: "company" }];
it.each([
  ["", "x", "keyMissing", null],
  ["a b", "x", "keyCharacters", null],
  ["user.name", "x", "keyCharacters", null],
  ["ab", "x", "keyLength", null],
  ["company", "x", "keyTaken", null],
  ["time", "", "keyTaken", "valueMissing"],
  [" brand_2 ", "x", null, null],
])("a variable called %j with the value %j", (key, value, keyFault, valueFault) => {
  expect(variableFaults({ key, value, description: "" }, others)).toEqual({
    key: keyFault,
    value: valueFault,
  });
});
