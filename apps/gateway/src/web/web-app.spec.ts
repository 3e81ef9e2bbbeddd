import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import Fastify, { type FastifyInstance } from "fastify";
import { mountWebApp } from "./web-app.ts";

const root = mkdtempSync(join(tmpdir(), "carrel-web-"));
let server: FastifyInstance;
beforeAll(async () => {
  mkdirSync(join(root, "assets"));
  writeFileSync(join(root, "index.html"), "<!doctype html><title>Carrel</title>");
  writeFileSync(join(root, "icon.svg"), "<svg/>");
  writeFileSync(join(root, "assets/main-abc.js"), "plain");
  writeFileSync(join(root, "assets/main-abc.js.gz"), gzipSync("plain"));
  server = Fastify();
  await mountWebApp(server, root);
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

  it("resolve to the page for every page address, and to a 404 for a missing file", async () => {
    for (const url of ["/", "/workspace/w", "/workspace/w/t/x?y=1", "/login"]) {
      const page = await get(url);
      expect(page).toMatchObject({ statusCode: 200, body: "<!doctype html><title>Carrel</title>" });
      expect(page.headers).toMatchObject({
        "cache-control": "no-cache",
        "content-type": "text/html; charset=utf-8",
      });
    }
    expect((await get("/assets/gone.js")).statusCode).toBe(404);
    for (const url of ["/../package.json", "/..%2fpackage.json", "/assets/..%2f..%2fetc/passwd"])
      expect((await get(url)).body).not.toMatch(/"name"|root:/);
  });
});
