import { changedWidgetFields } from "@carrel/contracts";
import { describe, expect, it } from "@jest/globals";
import { mapWidgetToColumns } from "./widget.handler.ts";

// wire-contract 8.1: "empty → null (= any origin)".
describe("who may use a widget", () => {
  const site = "https://shop.example";
  const listed = { origins: [site], allowAnyOrigin: false };
  const any = { origins: [], allowAnyOrigin: true };
  const nobody = { origins: [], allowAnyOrigin: false };

  it.each<[what: string, isNew: boolean, fields: object, columns: object]>([
    ["made without a list", true, {}, any],
    ["made with an empty list", true, { allowlist_domains: "" }, any],
    ["made with null", true, { allowlist_domains: null }, any],
    ["made with a list", true, { allowlist_domains: site }, listed],
    ["made by our form", true, { allow_any_origin: false }, nobody],
    ["whose list is cleared", false, { allowlist_domains: " , " }, any],
    ["that gets a list", false, { allowlist_domains: [site, "nonsense://x"] }, listed],
    [
      "whose list our form clears",
      false,
      { allowlist_domains: [], allow_any_origin: false },
      nobody,
    ],
    ["that our form opens", false, { allowlist_domains: [], allow_any_origin: true }, any],
    ["that changes otherwise", false, { enabled: true }, { enabled: true }],
  ])("%s", (_what, isNew, fields, columns) => {
    expect(mapWidgetToColumns(changedWidgetFields.parse(fields), { isNew })).toEqual(columns);
  });

  it("isn't opened by a list in which nothing is a site", () => {
    const fields = changedWidgetFields.parse({ allowlist_domains: "https://*.example" });
    expect(() => mapWidgetToColumns(fields)).toThrow("Not a valid site address: https://*.example");
  });
});
