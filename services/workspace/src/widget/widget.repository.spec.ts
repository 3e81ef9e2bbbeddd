import { describe, expect, it } from "@jest/globals";
import { isAllowed, readAllowlist } from "./widget.repository.ts";

describe("allowed origins", () => {
  it.each<[string | string[] | null, string[]]>([
    [null, []],
    ["", []],
    [" , ,", []],
    ["example.com, shop.example.com", ["https://example.com", "https://shop.example.com"]],
    ["HTTPS://Example.COM:443/path?x#y", ["https://example.com"]],
    ["http://localhost:8080, http://localhost:8080/", ["http://localhost:8080"]],
    ["bücher.example", ["https://xn--bcher-kva.example"]],
    ["https://*.example.com, *, a.example", ["https://a.example"]],
    ["https://a;sandbox, https://a%3bsandbox, http://[::1]:80", ["http://[::1]"]],
    ["javascript:alert(1), file:///etc, ftp://a.example, null, ht tp://x", ["https://null"]],
    [
      ["https://a.example", "b.example"],
      ["https://a.example", "https://b.example"],
    ],
  ])("%j become %j", (given, origins) => {
    expect(readAllowlist(given)).toEqual(origins);
  });

  it.each(["*", "https://*.example.com, *", ["javascript:alert(1)", " "], "*".repeat(20_000)])(
    "are refused if nothing of the list is valid, which would open the widget: %j",
    (given) => {
      expect(() => readAllowlist(given)).toThrow(/^Not a valid site address: .{1,200}$/);
    },
  );

  const visit = (origin: string | null, isOwnPage = false) => ({ origin, isOwnPage });
  const listed = { origins: ["https://a.example"], allowAnyOrigin: true };

  it("match exactly, even if any origin was allowed before there was a list", () => {
    expect(isAllowed(listed, visit("https://a.example"), false)).toBe(true);
    for (const origin of [
      null,
      "null",
      "",
      "http://a.example",
      "https://a.example:8443",
      "https://a.example.",
      "https://www.a.example",
      "https://a.example.evil.example",
      "https://A.example",
    ])
      expect(isAllowed(listed, visit(origin), false)).toBe(false);
    expect(isAllowed(listed, visit(null, true), false)).toBe(true);
  });

  it("are nobody in an empty list, unless any origin is allowed and no list required", () => {
    const empty = { origins: [], allowAnyOrigin: false };
    const open = { origins: [], allowAnyOrigin: true };
    for (const origin of ["https://a.example", "null", null]) {
      expect(isAllowed(empty, visit(origin), false)).toBe(false);
      expect(isAllowed(open, visit(origin), false)).toBe(true);
      expect(isAllowed(open, visit(origin), true)).toBe(false);
    }
  });
});
