import { describe, expect, it } from "@jest/globals";
import { refuseUsername } from "./user-fields.ts";

describe("refuseUsername", () => {
  it.each(["ab", "a_b-9", "9lives", "-_", "a".repeat(64)])("accepts %s", (name) =>
    expect(refuseUsername(name)).toBeNull(),
  );

  it.each([
    ["", /at least 2/],
    ["a", /at least 2/],
    ["a".repeat(65), /longer than 64/],
    ["Anna", /lowercase/],
    ["an na", /lowercase/],
    ["anna\n", /lowercase/],
    ["an\u0000na", /lowercase/],
    ["änne", /lowercase/],
    ["a.b", /lowercase/],
    ["a@b", /lowercase/],
  ])("refuses %j", (name, words) => expect(refuseUsername(name)?.message).toMatch(words));

  it("accepts an email address from an OpenID provider, but no control characters", () => {
    expect(refuseUsername("ada.l@example.org", { fromOpenId: true })).toBeNull();
    expect(refuseUsername("ada\u0007@example.org", { fromOpenId: true })?.message).toMatch(
      /lowercase/,
    );
    expect(refuseUsername("a", { fromOpenId: true })?.message).toMatch(/at least 2/);
  });
});
