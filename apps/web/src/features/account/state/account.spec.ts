import { describe, expect, it } from "@jest/globals";
import { initialsOf } from "../../../components/ui/avatar.tsx";
import { keys } from "../../../lib/session-storage.ts";
import "../../../../testing/texts.ts";
import { describeAgent } from "../components/security-tab.tsx";
import { defaultSupport, readTimed, writeTimed } from "../components/user-menu.tsx";

describe("account", () => {
  it("derives initials from user names", () => {
    expect(
      ["mira.kowalska", "mira", "a_b-c", "jo@example.org", "__", "élodie-z"].map(initialsOf),
    ).toEqual(["MK", "M", "AC", "J", "?", "ÉZ"]);
  });
  it("names browsers and systems by their common names", () => {
    expect(
      [
        "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36 Edg/131.0.0.0",
        "Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1",
        "Mozilla/5.0 (X11; Linux x86_64; rv:132.0) Gecko/20100101 Firefox/132.0",
        "curl/8.5.0",
        "",
        null,
      ].map(describeAgent),
    ).toEqual([
      { browser: "Edge", system: "Windows" },
      { browser: "Safari", system: "iPhone" },
      { browser: "Firefox", system: "Linux" },
      { browser: "curl", system: null },
      { browser: null, system: null },
      { browser: null, system: null },
    ]);
  });
  it("defaults support to the hostname if that can receive mail", () => {
    expect(
      [
        "chat.harbour-street.org",
        "www.example.com",
        "localhost",
        "192.168.1.20",
        "[::1]",
        "carrel",
        "nas.local",
        "carrel.lan",
      ].map(defaultSupport),
    ).toEqual([
      "support@chat.harbour-street.org",
      "support@example.com",
      null,
      null,
      null,
      null,
      null,
      null,
    ]);
  });
});
describe("timed storage", () =>
  it("uses the format of existing clients, and expires", () => {
    writeTimed(keys.supportEmail, { email: "help@example.org" }, 1_000);
    expect(JSON.parse(localStorage.getItem("anythingllm_support_email") ?? "")).toEqual({
      email: "help@example.org",
      lastFetched: 1_000,
    });
    expect(readTimed(keys.supportEmail, 3_600_000, 3_600_999)).toEqual({
      email: "help@example.org",
    });
    expect(readTimed(keys.supportEmail, 3_600_000, 3_601_000)).toBeNull();
    expect(readTimed(keys.supportEmail, 3_600_000, 999)).toBeNull(); // the clock was set back
    localStorage.setItem("anythingllm_support_email", "{");
    expect(readTimed(keys.supportEmail, 3_600_000)).toBeNull();
  }));
