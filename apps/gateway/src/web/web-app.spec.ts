import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { brotliDecompressSync, gunzipSync, gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import Fastify, { type FastifyInstance } from "fastify";
import { type PageTexts, mountWebApp } from "./web-app.ts";

const root = mkdtempSync(join(tmpdir(), "carrel-web-"));
const html =
  '<!doctype html><html lang="en"><script>start()</script><title>Carrel</title><link rel="icon" href="/icon.svg" /></html>';
const openHtml = html.replace("<html", '<html data-auth="none"');
/** Whether the instance requires no sign-in, as the auth service reports it. */
let mode: () => Promise<boolean> = () => Promise.resolve(false);
let texts = { title: null, name: null, favicon: null } as PageTexts;
let server: FastifyInstance;
beforeAll(async () => {
  mkdirSync(join(root, "assets"));
  writeFileSync(join(root, "index.html"), html);
  writeFileSync(join(root, "icon.svg"), "<svg/>");
  writeFileSync(join(root, "assets/main-abc.js"), "plain");
  writeFileSync(join(root, "assets/main-abc.js.gz"), gzipSync("plain"));
  mkdirSync(join(root, "assets/languages-0123abcd/zh-tw"), { recursive: true });
  writeFileSync(join(root, "assets/languages-0123abcd/zh-tw/first.json"), "{}");
  writeFileSync(join(root, "assets/languages-0123abcd/zh-tw/first.json.gz"), gzipSync("{}"));
  server = Fastify();
  await mountWebApp(
    server,
    () => mode(),
    () => Promise.resolve(texts),
    root,
  );
});
afterAll(async () => {
  await server.close();
  rmSync(root, { recursive: true });
});

const get = (url: string, headers: Record<string, string> = {}) => server.inject({ url, headers });

describe("the web app's files", () => {
  it("are compressed if the client supports it, and cached indefinitely if the name contains a hash", async () => {
    const compressed = await get("/assets/main-abc.js", { "accept-encoding": "gzip" });
    expect(compressed.headers).toMatchObject({
      "content-encoding": "gzip",
      "cache-control": "public, max-age=31536000, immutable",
    });
    expect(compressed.headers["content-type"]).toMatch(/javascript/);
    expect((await get("/assets/main-abc.js")).body).toBe("plain");
    expect((await get("/icon.svg")).headers["cache-control"]).toBe("no-cache");
  });

  it("include those of each language", async () => {
    const folder = "/assets/languages-0123abcd";
    const texts = await get(`${folder}/zh-tw/first.json`, { "accept-encoding": "gzip" });
    expect(texts.statusCode).toBe(200);
    expect(texts.headers).toMatchObject({
      "content-type": expect.stringMatching(/^application\/json/),
      "content-encoding": "gzip",
      "cache-control": "public, max-age=31536000, immutable",
    });
    expect((await get(`${folder}/zh-tw/first.json`)).body).toBe("{}");
    for (const path of [
      "/zh-tw/gone.json",
      "/xx/first.json",
      "/..%2f..%2f/first.json",
      "/zh-tw/first",
    ])
      expect((await get(folder + path)).statusCode).toBe(404);
  });

  it("resolve to the page for every page address, and to a 404 for a missing file", async () => {
    for (const url of ["/", "/workspace/w", "/workspace/w/t/x?y=1", "/login"]) {
      const page = await get(url);
      expect(page).toMatchObject({ statusCode: 200, body: html });
      expect(page.headers).toMatchObject({
        "cache-control": "no-cache",
        "content-type": "text/html; charset=utf-8",
      });
    }
    expect((await get("/assets/gone.js")).statusCode).toBe(404);
    for (const url of ["/../package.json", "/..%2fpackage.json", "/assets/..%2f..%2fetc/passwd"])
      expect((await get(url)).body).not.toMatch(/"name"|root:/);
  });

  it("include a page that says if no sign-in is required, and is served even if auth doesn't respond", async () => {
    mode = () => Promise.resolve(true);
    expect((await get("/")).body).toBe(openHtml);
    for (const unknown of [
      () => Promise.reject(new Error("auth is down")),
      () => new Promise<boolean>(() => undefined),
    ]) {
      mode = unknown;
      expect((await get("/")).body).toBe(html);
    }
    mode = () => Promise.resolve(false);
  });

  it("include a page with the instance's own title and icon, which may come from elsewhere", async () => {
    const before = await get("/");
    texts = { title: null, name: "Lab", favicon: null };
    expect((await get("/")).body).toContain("<title>Lab</title>");
    texts = { title: '$& "<R&D>"', name: "Lab", favicon: "https://cdn.example/i.png?a&b" };
    const page = await get("/");
    expect(page.body).toContain("<title>$&amp; &quot;&lt;R&amp;D&gt;&quot;</title>");
    expect(page.body).toContain('<link rel="icon" href="https://cdn.example/i.png?a&amp;b">');
    expect(page.headers["content-security-policy"]).toContain(
      "img-src 'self' data: blob: https://cdn.example;",
    );
    expect(page.headers.etag).not.toBe(before.headers.etag);
    texts = { title: null, name: null, favicon: "https://a;sandbox/i.png" };
    expect((await get("/")).headers["content-security-policy"]).not.toContain("sandbox");
    texts = { title: null, name: null, favicon: null };
    expect((await get("/")).body).toBe(html);
  });

  it("include a page that is compressed, revalidated, and permits its own inline script only", async () => {
    const br = await get("/", { "accept-encoding": "gzip, br" });
    expect(br.headers["content-encoding"]).toBe("br");
    expect(brotliDecompressSync(br.rawPayload).toString()).toBe(html);
    const gzipped = await get("/", { "accept-encoding": "gzip" });
    expect(gunzipSync(gzipped.rawPayload).toString()).toBe(html);
    expect(gzipped.headers.vary).toBe("Accept-Encoding");
    const again = await get("/", { "if-none-match": String(br.headers.etag) });
    expect(again).toMatchObject({ statusCode: 304, body: "" });
    const hash = createHash("sha256").update("start()").digest("base64");
    expect(br.headers["content-security-policy"]).toContain(`script-src 'self' 'sha256-${hash}';`);
  });
});
