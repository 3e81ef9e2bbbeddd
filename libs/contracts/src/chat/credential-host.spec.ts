import { describe, expect, it } from "@jest/globals";
import { isCredentialHost, readCredentialHost } from "./credential-host.ts";

describe("the host of a credential", () => {
  it.each([
    ["API.Example.com", "api.example.com"],
    [" api.example.com:8443 ", "api.example.com:8443"],
    ["api.example.com:443", "api.example.com"],
    ["bücher.example", "xn--bcher-kva.example"],
    ["*.example.com", "*.example.com"],
    ["localhost:3000", "localhost:3000"],
    ["127.1", "127.0.0.1"],
    ["[::1]:8080", "[::1]:8080"],
  ])("is read from %s", (text, host) => {
    expect(readCredentialHost(text)).toBe(host);
  });

  it.each([
    "",
    "*",
    "*.",
    "*.com",
    "*.10.0.0.1",
    "*.[::1]",
    "api.*.com",
    "*.*.example.com",
    "https://api.example.com",
    "api.example.com/v1",
    "user@api.example.com",
    "api.example.com?",
    "api example.com",
    "api.example.com.",
    "a\\b",
  ])("isn't %j", (text) => {
    expect(readCredentialHost(text)).toBeNull();
  });

  it.each([
    [["api.example.com"], "https://api.example.com/v1", true],
    [["api.example.com"], "https://api.example.com:8443/", true],
    [["api.example.com:8443"], "https://api.example.com:8443/", true],
    [["api.example.com:8443"], "https://api.example.com/", false],
    [["api.example.com"], "https://api.example.com.evil.test/", false],
    [["api.example.com"], "https://evil-api.example.com/", false],
    [["api.example.com"], "https://api.example.com./", false],
    [["api.example.com"], "https://api.example.com@evil.test/", false],
    [["localhost:3000"], "http://localhost/", false],
    [["*.example.com"], "https://a.b.example.com/", true],
    [["*.example.com"], "https://example.com/", false],
    [["*.example.com"], "https://badexample.com/", false],
    [["*.example.com:8443"], "https://a.example.com:8443/", true],
    [["*.example.com:8443"], "https://a.example.com/", false],
  ])("%j is that of %s: %s", (hosts, url, expected) => {
    expect(isCredentialHost(hosts, new URL(url))).toBe(expected);
  });
});
