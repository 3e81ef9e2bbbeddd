import { describe, expect, it } from "@jest/globals";
import { printableName, typedUsername } from "../user/user-fields.ts";
import { readTypedPassword } from "./user-login.ts";

const code = "0b2f1c9e-7d55-4a0e-9c58-2f7e6f0a1b2c";
describe("readTypedPassword", () => {
  it("takes the password as is, and the code from its field", () => {
    expect(readTypedPassword("correct horse", undefined)).toEqual([
      { password: "correct horse", code: null },
    ]);
    expect(readTypedPassword("correct horse", " ")).toEqual([
      { password: "correct horse", code: null },
    ]);
    expect(readTypedPassword("correct horse 123456", "654321")).toEqual([
      { password: "correct horse 123456", code: "654321" },
    ]);
  });
  it.each(["123456", code, code.toUpperCase(), code.replaceAll("-", "")])(
    "reads %s after a password and a space",
    (behind) => {
      expect(readTypedPassword(`correct horse ${behind}`, undefined)).toEqual([
        { password: `correct horse ${behind}`, code: null },
        { password: "correct horse", code: behind },
      ]);
    },
  );
  it.each(["123456", " 123456", "correct12345678", "horse 12345", "horse 1234567", ""])(
    "finds no code in %j",
    (password) => {
      expect(readTypedPassword(password, undefined)).toHaveLength(1);
    },
  );
});

describe("typedUsername", () => {
  it.each([
    [" Ada ", "ada"],
    ["ada@example.org", "ada@example.org"],
    ["", null],
    [undefined, null],
    ["ada\0", null],
    ["a\nb", null],
    ["\ud800", null],
  ])("%j is %j", (typed, name) => {
    expect(typedUsername(typed)).toBe(name);
  });
  it("is printable in the event log", () => {
    expect(printableName("ada\0\ud800")).toBe("ada\ufffd\ufffd");
  });
});
