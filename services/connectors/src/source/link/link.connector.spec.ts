import { describe, expect, it } from "@jest/globals";
import { buildLinkFilename, readLink, toUtf8 } from "../../connector/web-page.ts";
import { chooseHeaders } from "./link.connector.ts";

describe("link documents", () => {
  it("accept addresses the way people type them", () => {
    expect(readLink(" https://example.com/a ")).toBe("https://example.com/a");
    expect(readLink("example.com/a?b=1")).toBe("https://example.com/a?b=1");
    for (const bad of [
      "",
      "hello world",
      "ftp://example.com",
      "javascript:alert(1)",
      "file:///etc/passwd",
      "http://",
    ])
      expect(readLink(bad)).toBeNull();
  });
  it("get a file name derived from the URL", () => {
    expect(buildLinkFilename("https://example.com/docs/Über%20uns/", "text/html")).toBe(
      "example.com-docs-über-uns.html",
    );
    expect(buildLinkFilename("https://example.com/report.pdf", "application/pdf")).toBe(
      "example.com-report.pdf",
    );
    expect(buildLinkFilename("https://example.com/%zz", null)).toBe("example.com-zz.html");
  });
  it("are converted to UTF-8 from the header's charset", () => {
    const keeper = Buffer.from([0xf7, 0xd8, 0xc0, 0xce]);
    expect(toUtf8(keeper, "text/html; charset=KOI8-R").toString()).toBe("Вьюн");
    // The parser knows better than a server that states its default, and UTF-8 is never anything else.
    expect(toUtf8(keeper, "text/html; charset=ISO-8859-1")).toBe(keeper);
    const city = Buffer.from("Köln");
    expect(toUtf8(city, "text/html; charset=windows-1251")).toBe(city);
    expect(toUtf8(Buffer.from([0x89, 0x50]), "image/png; charset=latin1")).toEqual(
      Buffer.from([0x89, 0x50]),
    );
    expect(toUtf8(Buffer.from("x"), "text/html; charset=klingon").toString()).toBe("x");
  });
});

it("keeps only valid headers that callers may set", () => {
  expect(
    chooseHeaders({
      Authorization: "Bearer x",
      "X-A": "1",
      Host: "evil",
      "content-length": "9",
      "Proxy-Authorization": "y",
      "bad name": "z",
      "X-B": "a\r\nX-C: d",
      "Sec-Fetch-Site": "none",
    }),
  ).toEqual({ authorization: "Bearer x", "x-a": "1" });
});
