import { describe, expect, it } from "@jest/globals";
import { hostForms, hostIn, splitHidden, withoutHidden } from "./safe-text.ts";

const shown = (text: string): string =>
  splitHidden(text)
    .map((part) => part.hidden ?? part.text)
    .join("|");

describe("text in which nothing is hidden", () => {
  it.each([
    ["plain text\n\twith lines", "plain text\n\twith lines"],
    ["a\r\nb", "a\nb"],
    ["invoice\u202efdp.exe", "invoice|U+202E|fdp.exe"],
    ["exam\u200bple.com", "exam|U+200B|ple.com"],
    ["a\u0000b\u001b[31m", "a|U+0000|b|U+001B|[31m"],
    ["a\u00a0b\u2003c", "a|U+00A0|b|U+2003|c"],
    ["a\u3164b\u{e0041}", "a|U+3164|b|U+E0041"],
    ["\u2066a\u2069", "U+2066|a|U+2069"],
    ["a\ufe01\u{e0100}", "a|U+FE01|U+E0100"],
    ["❤\ufe0f", "❤\ufe0f"],
    ["a\ufe0f", "a|U+FE0F"],
    ["שלום, ångström", "שלום, ångström"],
  ])("shows %j as %j", (text, expected) => expect(shown(text)).toBe(expected));

  it("is one line without hidden characters where there is no room", () => {
    expect(withoutHidden("a\u202eb\n\n c\u0007")).toBe("a b c");
  });
});

describe("hosts", () => {
  it.each([
    ["https://user@example.com:8080/path?q", "example.com"],
    ["https://example.com@evil.example/", "evil.example"],
    ["mail@example.com", "example.com"],
    ["files.example.com", "files.example.com"],
    ["files.example.com:443", "files.example.com"],
    ["postgres://db.example/sales", "db.example"],
    ["Dear all,\nsee example.com", null],
    ["/srv/files/report.txt", null],
    ["", null],
  ])("in %j", (text, host) => expect(hostIn(text)).toBe(host));

  // The pairs are from RFC 3492, section 7.1, and from names that were used for phishing.
  it.each([
    ["xn--80ak6aa92e.com", "аррӏе.com"],
    ["аррӏе.com", "аррӏе.com"],
    ["bücher.example", "bücher.example"],
    ["xn--bcher-kva.example", "bücher.example"],
    ["xn--ihqwcrb4cv8a8dqg056pqjye.example", "他们为什么不说中文.example"],
    ["xn--3B-ww4c5e180e575a65lsy2b.example", "3年b組金八先生.example"],
  ])("of %s are shown in both forms", (host, unicode) => {
    const forms = hostForms(host);
    expect(forms?.unicode).toBe(unicode);
    expect(forms?.ascii).toMatch(/^xn--/);
  });
  it("of ASCII letters have one form", () => {
    expect(hostForms("example.com")).toBeNull();
    expect(hostForms("10.0.0.1")).toBeNull();
  });
});
