import { join } from "node:path";
import { Readable } from "node:stream";
import { deriveKey } from "@carrel/config";
import { createBlobStore, LinkTokens, putContent } from "@carrel/storage";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import sharp from "sharp";
import { startTestInstance, type TestInstance } from "./instance.ts";

let instance: TestInstance;
beforeAll(async () => {
  instance = await startTestInstance();
}, 120_000);
afterAll(() => instance.stop());

describe("files and pages", () => {
  it("shows the pages of a scan behind a signed URL, and of nothing else", async () => {
    const blobs = createBlobStore({
      kind: "disk",
      root: join(instance.config.CARREL_HOME, "blobs"),
    });
    const links = new LinkTokens(deriveKey(instance.shared.secret, "links"));
    const linkTo = async (bytes: Buffer): Promise<string> => {
      const { key } = await putContent(blobs, Readable.from([bytes]), 100_000);
      return links.sign({ key, filename: "scan.tif", mime: "image/tiff", userId: null });
    };
    const picture = sharp({ create: { width: 40, height: 60, channels: 3, background: "#fff" } });
    const scan = await linkTo(await picture.clone().tiff().toBuffer());
    const first = await instance.call("GET", `/api/blob/${scan}/pages/1`);
    expect(first).toMatchObject({ status: 200, type: "image/webp" });
    expect(first.text).toMatch(/^RIFF/);
    expect(Object.fromEntries(first.headers)).toMatchObject({
      "x-content-type-options": "nosniff",
      "content-security-policy": `sandbox; default-src 'none'`,
      "cache-control": "private, no-store",
    });
    for (const [path, status] of [
      [`${scan}/pages/2`, 400],
      [`${scan}/pages/0`, 400],
      [`${await linkTo(await picture.png().toBuffer())}/pages/1`, 415],
      ["nonsense/pages/1", 404],
    ])
      expect([path, (await instance.call("GET", `/api/blob/${path}`)).status]).toEqual([
        path,
        status,
      ]);
  });

  it("serves the original and its ranges behind a signed URL, never as a page", async () => {
    const blobs = createBlobStore({
      kind: "disk",
      root: join(instance.config.CARREL_HOME, "blobs"),
    });
    const { key } = await putContent(
      blobs,
      Readable.from([Buffer.from("<script>alert(1)</script>")]),
      1_000,
    );
    const link = { key, filename: "Grüße (1).html", mime: "text/html", userId: null };
    const links = new LinkTokens(deriveKey(instance.shared.secret, "links"));
    const whole = await instance.call("GET", `/api/blob/${links.sign(link)}`);
    expect(whole).toMatchObject({
      status: 200,
      type: "application/octet-stream",
      text: "<script>alert(1)</script>",
    });
    expect(Object.fromEntries(whole.headers)).toMatchObject({
      "content-disposition": `attachment; filename*=UTF-8''Gr%C3%BC%C3%9Fe%20%281%29.html`,
      "x-content-type-options": "nosniff",
      "content-security-policy": `sandbox; default-src 'none'`,
    });
    const part = await instance.call(
      "GET",
      `/api/blob/${links.sign({ ...link, mime: "application/pdf" })}`,
      undefined,
      { range: "bytes=1-6" },
    );
    expect(part).toMatchObject({ status: 206, type: "application/pdf", text: "script" });
    expect(part.headers.get("content-range")).toBe("bytes 1-6/25");
    expect(
      (
        await instance.call("GET", `/api/blob/${links.sign(link)}`, undefined, {
          range: "bytes=99-",
        })
      ).status,
    ).toBe(416);
    const sound = await instance.call(
      "GET",
      `/api/blob/${links.sign({ ...link, mime: "audio/wav" })}`,
      undefined,
      { range: "bytes=-5" },
    );
    expect(sound).toMatchObject({ status: 206, type: "audio/wav", text: "ript>" });
    expect(Object.fromEntries(sound.headers)).toMatchObject({
      "accept-ranges": "bytes",
      "content-range": "bytes 20-24/25",
      "content-length": "5",
      "x-content-type-options": "nosniff",
    });
    for (const token of [
      "nonsense",
      links.sign(link, 1_000),
      new LinkTokens(Buffer.alloc(32)).sign(link),
      links.sign({ ...link, key: "original/missing" }),
    ]) {
      expect((await instance.call("GET", `/api/blob/${token}`)).status).toBe(404);
    }
  });

  it("serves the API documentation with assets from this instance only", async () => {
    const page = await instance.call("GET", "/api/docs");
    expect(page).toMatchObject({ status: 200, type: "text/html; charset=utf-8" });
    expect(page.headers.get("content-security-policy")).toContain(`script-src 'self'`);
    const addresses = [...page.text.matchAll(/(?:src|href)="([^"]+)"/g)].map((match) => match[1]!);
    for (const address of [...addresses, "/api/docs/openapi.json"]) {
      expect(address).toMatch(/^\/api\/docs\//);
      expect((await instance.call("GET", address)).status).toBe(200);
    }
    expect((await instance.call("GET", "/api/docs/assets/package.json")).status).toBe(404);
  });

  it("is alive and ready", async () => {
    expect((await instance.call("GET", "/livez")).status).toBe(200);
    expect((await instance.call("GET", "/readyz")).status).toBe(200);
    expect((await instance.call("GET", "/robots.txt")).text).toBe("User-agent: *\nDisallow: /\n");
  });
});
