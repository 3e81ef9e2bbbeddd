import { afterEach, beforeEach, describe, expect, it, jest } from "@jest/globals";
import "../../../../testing/texts.ts";
import { invalidateBranding, readStoredName } from "../../../lib/brand.ts";
import { keys, readStored, writeStored } from "../../../lib/session-storage.ts";
import {
  fetchLinks,
  cacheLifetimeMs,
  parseLinks,
  readStoredLinks,
  refreshLogo,
  refreshName,
} from "./branding.ts";

const original = globalThis.fetch;
const png = "data:image/png;base64,iVBORw0KGgo=";
let asked: string[];
function answer(reply: () => Partial<Response>): void {
  globalThis.fetch = jest.fn(async (url: unknown) => {
    asked.push(String(url));
    return { ok: true, status: 200, headers: new Headers(), ...reply() } as Response;
  }) as unknown as typeof fetch;
}
const signal = new AbortController().signal;

beforeEach(() => {
  asked = [];
  localStorage.clear();
});
afterEach(() => {
  globalThis.fetch = original;
});

const now = 1_800_000_000_000;
describe("instance name", () => {
  it("is cached for an hour in the format of existing clients, then fetched again", async () => {
    answer(() => ({ json: async () => ({ customAppName: "Riverside" }) }));
    await refreshName(now);
    expect(JSON.parse(readStored(keys.appName) ?? "")).toEqual({
      appName: "Riverside",
      lastFetched: now,
    });
    await refreshName(now + cacheLifetimeMs - 1);
    expect(asked).toHaveLength(1);
    await refreshName(now + cacheLifetimeMs);
    expect(asked).toEqual(["/api/system/custom-app-name", "/api/system/custom-app-name"]);
  });
  it("is kept when the instance does not answer, and is refetched at once when it changes", async () => {
    writeStored(keys.appName, JSON.stringify({ appName: "Riverside", lastFetched: Date.now() }));
    invalidateBranding();
    expect(readStoredName()).toEqual({ appName: "Riverside", lastFetched: 0 });
    answer(() => ({ ok: false, status: 500, text: async () => "" }));
    await expect(refreshName()).rejects.toThrow();
    expect(readStoredName().appName).toBe("Riverside");
  });
  it("ignores a malformed cache", () => {
    for (const stored of ["{", '"x"', "[]", '{"appName":7}', '{"appName":"  "}']) {
      writeStored(keys.appName, stored);
      expect(readStoredName().appName).toBeNull();
    }
  });
});

describe("logo", () => {
  const logo = (headers: Record<string, string>, status = 200): Partial<Response> => ({
    status,
    headers: new Map(Object.entries(headers)) as unknown as Headers,
    blob: async () =>
      new Blob([Uint8Array.from([137, 80, 78, 71, 13, 10, 26, 10])], { type: "image/png" }),
  });
  it("is fetched for the current theme and cached if it is custom", async () => {
    answer(() => logo({ "X-Is-Custom-Logo": "true", "Content-Type": "image/png" }));
    await refreshLogo("light", signal);
    expect(asked).toEqual(["/api/system/logo?theme=light"]);
    expect(readStored(keys.logo)).toBe(png);
  });
  it("is fetched again after an hour, for another theme, and when it has changed", async () => {
    answer(() => logo({ "X-Is-Custom-Logo": "true", "Content-Type": "image/png" }));
    const refresh = async (theme: "light" | "default", at: number): Promise<number> => {
      await refreshLogo(theme, signal, at);
      return asked.length;
    };
    expect(await refresh("light", now)).toBe(1);
    expect(await refresh("light", now + cacheLifetimeMs - 1)).toBe(1);
    expect(await refresh("light", now + cacheLifetimeMs)).toBe(2);
    expect(await refresh("default", now + cacheLifetimeMs)).toBe(3);
    invalidateBranding();
    expect(await refresh("default", now + cacheLifetimeMs)).toBe(4);
  });
  it("is fetched by each page if it is too large to be stored", async () => {
    writeStored(keys.logo, "large 1");
    writeStored(keys.logoFetch, JSON.stringify({ theme: "light", isCustom: true, at: now }));
    answer(() => logo({ "X-Is-Custom-Logo": "true", "Content-Type": "image/png" }));
    await refreshLogo("light", signal, now);
    expect(asked).toHaveLength(1);
  });
  it("is the built-in one if none was set", async () => {
    for (const reply of [
      logo({ "X-Is-Custom-Logo": "false", "Content-Type": "image/png" }),
      logo({}, 204),
      logo({ "X-Is-Custom-Logo": "true", "Content-Type": "text/html" }),
    ]) {
      writeStored(keys.logo, png);
      writeStored(keys.logoFetch, null);
      answer(() => reply);
      await refreshLogo("default", signal);
      expect(readStored(keys.logo)).toBeNull();
    }
  });
  it("is kept when the request fails or the theme changes meanwhile", async () => {
    writeStored(keys.logo, png);
    answer(() => ({ ok: false, status: 503 }));
    await expect(refreshLogo("light", signal)).rejects.toThrow("Failed to fetch logo!");
    answer(() => logo({ "X-Is-Custom-Logo": "false" }));
    await refreshLogo("light", AbortSignal.abort());
    expect(readStored(keys.logo)).toBe(png);
  });
});

describe("footer links", () => {
  it("are limited to three, and to web, mail and telephone addresses", () => {
    expect(
      parseLinks([
        { icon: "Globe", url: "https://a.example" },
        { icon: "X", url: "javascript:alert(1)" },
        { url: "mailto:a@b.example" },
        null,
        "x",
        { icon: 7, url: "tel:+491" },
        { icon: "Info", url: "http://d.example" },
      ]),
    ).toEqual([
      { icon: "Globe", url: "https://a.example" },
      { icon: "", url: "mailto:a@b.example" },
      { icon: "", url: "tel:+491" },
    ]);
    expect([parseLinks(null), parseLinks({}), parseLinks("[]")]).toEqual([[], [], []]);
  });
  it("are cached for an hour in the format of existing clients", async () => {
    answer(() => ({
      json: async () => ({ footerData: '[{"icon":"Globe","url":"https://a.example"}]' }),
    }));
    await expect(fetchLinks(signal)).resolves.toEqual([
      { icon: "Globe", url: "https://a.example" },
    ]);
    const stored = JSON.parse(readStored(keys.footerLinks) ?? "") as {
      data: unknown;
      lastFetched: number;
    };
    expect(stored.data).toEqual([{ icon: "Globe", url: "https://a.example" }]);
    expect(readStoredLinks(stored.lastFetched + cacheLifetimeMs - 1)?.data).toHaveLength(1);
    expect(readStoredLinks(stored.lastFetched + cacheLifetimeMs)).toBeNull();
    answer(() => ({ json: async () => ({ footerData: "no JSON" }) }));
    await expect(fetchLinks(signal)).resolves.toEqual([]);
  });
});
