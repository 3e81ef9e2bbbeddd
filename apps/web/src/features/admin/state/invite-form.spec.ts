import { describe, expect, it } from "@jest/globals";
import { linksAsText, parseInvitees } from "./invite-form.ts";

describe("a pasted list of people to invite", () => {
  it.each([
    ["anna@example.org\nben@example.org\n", ["anna@example.org", "ben@example.org"]],
    ["anna@example.org, ben@example.org", ["anna@example.org", "ben@example.org"]],
    [
      "Anna Berg <anna@example.org>; Ben Ode <ben@example.org>",
      ["Anna Berg <anna@example.org>", "Ben Ode <ben@example.org>"],
    ],
    ['\r\n  Anna  \r\n\r\n"Ben"\r\nANNA\r\n', ["Anna", "Ben"]],
    ["", []],
    [" ;,\t\n", []],
  ])("%j", (text, labels) => {
    expect(parseInvitees(text).map(({ label }) => label)).toEqual(labels);
  });

  it("may have a role in the next column", () => {
    expect(parseInvitees("anna\tmanager\nben, Member\ncleo\nmanager")).toEqual([
      { label: "anna", role: "manager" },
      { label: "ben", role: "default" },
      { label: "cleo", role: null },
      // There is no name before the role.
      { label: "manager", role: null },
    ]);
  });

  it("comes back as a table that no spreadsheet runs", () => {
    const rows = [["=1+1", 'a "b", c', "https://x.example/y"]];
    expect(linksAsText(rows, "csv")).toBe(`'=1+1,"a ""b"", c",https://x.example/y`);
    expect(linksAsText(rows, "tsv")).toBe(`=1+1\ta "b", c\thttps://x.example/y`);
  });
});
