import { describe, expect, it } from "@jest/globals";
import { isCorsAllowed, isForeign, isOwnHost } from "./origin-rules.ts";

const settings = {
  publicUrl: "https://carrel.example.org",
  corsOrigins: ["https://intranet.example.org"],
  listenHost: "127.0.0.1",
};
const request = (
  origin: string | undefined,
  fetchSite?: string,
  host = "localhost:3001",
  path = "/api/workspaces",
): Parameters<typeof isForeign>[0] => ({ origin, fetchSite, host, path, takesKey: false });

describe("a GET that changes something", () => {
  const image = { ...request(undefined), changesState: true };
  it.each([
    ["an image on another site's page", image, true],
    ["another site's page, with its Referer", { ...image, referer: "http://evil.example/x" }, true],
    ["a Referer that is no address", { ...image, referer: "localhost:3001" }, true],
    ["a link typed by hand", { ...image, fetchSite: "none" }, true],
    ["our own page", { ...image, fetchSite: "same-origin" }, false],
    [
      "our own page, by its Referer",
      { ...image, referer: "http://localhost:3001/settings" },
      false,
    ],
    ["an existing client without a session", { ...image, authorization: "Bearer null" }, false],
    ["a client with a token", { ...image, authorization: "Bearer x" }, false],
    [
      "another site with a header",
      { ...image, origin: "https://evil.example", authorization: "Bearer null" },
      true,
    ],
  ])("%s", (_what, sent, foreign) => expect(isForeign(sent, settings)).toBe(foreign));
});

describe("origin rules", () => {
  it.each([
    ["no browser at all", request(undefined), false],
    ["our own page", request("http://localhost:3001", "same-origin"), false],
    [
      "our own page behind TLS",
      request("https://carrel.example.org", "same-origin", "10.0.0.7:3001"),
      false,
    ],
    [
      "our own page with the default port spelled out",
      request("https://box.local", "same-origin", "box.local:443"),
      false,
    ],
    ["a link typed by hand", request(undefined, "none"), false],
    [
      "an origin that the admin named",
      request("https://intranet.example.org", "cross-site"),
      false,
    ],
    ["another site", request("https://evil.example", "cross-site"), true],
    ["another site without an Origin", request(undefined, "cross-site"), true],
    ["another port of this machine", request("http://localhost:8080", "same-site"), true],
    ["another port, without an Origin", request(undefined, "same-site"), true],
    ["a sandboxed page", request("null"), true],
    ["a name that begins like ours", request("http://localhost:3001.evil.example"), true],
    ["no origin at all", request("nonsense"), true],
  ])("%s", (_name, asked, foreign) => {
    expect(isForeign(asked, settings)).toBe(foreign);
  });

  const signIn = {
    ...request(undefined, "cross-site", "localhost:3001", "/api/auth/openid/callback"),
    method: "GET",
    fetchMode: "navigate",
    fetchDest: "document",
  };
  it.each([
    ["the way back from the provider", signIn, false],
    [
      "the way there, by a link on another site",
      { ...signIn, path: "/api/auth/openid/start", fetchSite: "same-site" },
      false,
    ],
    ["a frame", { ...signIn, fetchDest: "iframe" }, true],
    ["an image", { ...signIn, fetchMode: "no-cors", fetchDest: "image" }, true],
    ["a script", { ...signIn, fetchMode: "cors", fetchDest: "empty" }, true],
    ["a form", { ...signIn, method: "POST" }, true],
    ["an Origin", { ...signIn, origin: "https://evil.example" }, true],
    ["an address below", { ...signIn, path: "/api/auth/openid/callback/more" }, true],
    ["any other address", { ...signIn, path: "/api/system/sign-out" }, true],
  ])("signing in through OpenID, %s", (_name, asked, foreign) => {
    expect(isForeign(asked, settings)).toBe(foreign);
  });

  it("sends CORS headers to named origins, and on routes that require a key", () => {
    expect(
      isCorsAllowed({ origin: "https://intranet.example.org", takesKey: false }, settings),
    ).toBe(true);
    expect(isCorsAllowed({ origin: "https://evil.example", takesKey: false }, settings)).toBe(
      false,
    );
    expect(isCorsAllowed({ origin: "https://any.example", takesKey: true }, settings)).toBe(true);
    expect(isCorsAllowed({ origin: undefined, takesKey: true }, settings)).toBe(false);
  });
});

describe("host rules", () => {
  it.each([
    "localhost:3001",
    "LOCALHOST",
    "carrel.localhost:3001",
    "127.0.0.1:3001",
    "127.8.9.1",
    "[::1]:3001",
    "carrel.example.org",
    "carrel.example.org:8443",
  ])("%s is ours", (host) => {
    expect(isOwnHost(host, settings)).toBe(true);
  });
  it.each([
    "evil.example",
    "localhost.evil.example:3001",
    "203.0.113.9",
    "127.0.0.1.nip.io",
    "",
    undefined,
    "a b",
    "127.evil",
  ])("%s is not", (host) => {
    expect(isOwnHost(host, settings)).toBe(false);
  });
});
