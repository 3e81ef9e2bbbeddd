import { beforeAll, describe, expect, it } from "@jest/globals";
import i18next from "i18next";
import { linksAsText, parseInvitees } from "./invite-form.ts";

describe("a pasted list of people to invite", () => {
  beforeAll(() =>
    i18next.init({
      lng: "zh",
      resources: { zh: { admin: { users: { role: { default: "成员", manager: "主管" } } } } },
    }),
  );
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

  it("may be written as in the language of the interface", () => {
    expect(parseInvitees("李明，主管；anna، ben、成员\ncleo, manager")).toEqual([
      { label: "李明", role: "manager" },
      { label: "anna", role: null },
      { label: "ben", role: "default" },
      { label: "cleo", role: "manager" },
    ]);
  });

  it("comes back as a table that no spreadsheet runs", () => {
    const rows = [["=1+1", 'a "b", c', "https://x.example/y"]];
    expect(linksAsText(rows, "csv")).toBe(`'=1+1,"a ""b"", c",https://x.example/y`);
    expect(linksAsText(rows, "tsv")).toBe(`=1+1\ta "b", c\thttps://x.example/y`);
  });
});
