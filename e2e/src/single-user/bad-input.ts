import { request } from "node:http";
import type { Instance } from "@carrel/testing";
import { beforeAll, describe, expect, it } from "@jest/globals";
import { Api } from "../api.ts";

/** One raw request, so that Host, Origin and malformed bodies are sent as written. */
function sendRaw(
  url: string,
  method: string,
  path: string,
  headers: Record<string, string>,
  body: string | Buffer | null = null,
): Promise<{ status: number; text: string }> {
  return new Promise((done, fail) => {
    // No keep-alive: a rejected body is only half sent.
    const outgoing = request(url + path, { method, headers, agent: false }, (incoming) => {
      let text = "";
      incoming.on("data", (part) => (text += String(part)));
      incoming.on("end", () => done({ status: incoming.statusCode ?? 0, text }));
    });
    outgoing.on("error", fail);
    outgoing.end(body ?? undefined);
  });
}

export function testBadInput(instance: () => Instance): void {
  describe("bad input", () => {
    let api: Api;
    let slug: string;
    beforeAll(async () => {
      api = new Api(instance().url);
      ({ slug } = await api.makeWorkspace("Bad input"));
    });

    it("rejects a body over its limit without reading all of it", async () => {
      const begun = performance.now();
      const reply = await sendRaw(
        instance().url,
        "POST",
        "/api/workspace/new",
        { "content-length": String(100_000_000) },
        Buffer.alloc(2_000_000, 0x20),
      ).catch((error: unknown) => ({ status: 413, text: String(error) }));
      expect(reply.status).toBe(413);
      expect(performance.now() - begun).toBeLessThan(20_000);
    });

    it("rejects a foreign Origin and a foreign Host while no password is set", async () => {
      const host = new URL(instance().url).host;
      expect(
        (
          await sendRaw(instance().url, "GET", "/api/workspaces", {
            host,
            origin: "https://evil.example",
          })
        ).status,
      ).toBe(403);
      expect(
        (
          await sendRaw(
            instance().url,
            "POST",
            "/api/workspace/new",
            { host, "sec-fetch-site": "cross-site" },
            '{"name":"x"}',
          )
        ).status,
      ).toBe(403);
      expect(
        (await sendRaw(instance().url, "GET", "/api/workspaces", { host: "rebound.example" }))
          .status,
      ).toBe(403);
      expect(
        (await sendRaw(instance().url, "GET", "/api/workspaces", { host, origin: instance().url }))
          .status,
      ).toBe(200);
    });

    it("rejects broken multipart, and ignores paths in file names", async () => {
      const host = new URL(instance().url).host;
      const broken = await sendRaw(
        instance().url,
        "POST",
        `/api/workspace/${slug}/upload`,
        { host, "content-type": "multipart/form-data; boundary=x" },
        '--x\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\nabc',
      );
      expect(broken.status).toBeGreaterThanOrEqual(400);
      expect(broken.status).toBeLessThan(500);
      const path = (
        await api.upload(
          "upload-and-embed",
          slug,
          "../../../etc/passwd.txt",
          "A file whose name is a path.",
        )
      ).json<{ success: boolean; document: { location: string } }>();
      expect(path.success).toBe(true);
      expect(path.document.location).toMatch(/^custom-documents\/[^/]+\.json$/);
      expect(path.document.location).not.toContain("..");
    });

    it("says why a broken or unsupported file was rejected, and keeps nothing of it", async () => {
      const before = (
        await api.json<{ localFiles: { items: { items: unknown[] }[] } }>(
          "GET",
          "/system/local-files",
        )
      ).localFiles.items.flatMap((f) => f.items).length;
      const cases: [string, Uint8Array<ArrayBuffer> | string, string][] = [
        ["empty.txt", "", "text/plain"],
        ["broken.pdf", "%PDF-1.7\nnot really", "application/pdf"],
        [
          "broken.docx",
          new Uint8Array([0x50, 0x4b, 3, 4, 9, 9, 9]),
          "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
        ],
        [
          "program.exe",
          new Uint8Array([0x4d, 0x5a, 0, 0, 1, 2, 3, 255, 254]),
          "application/octet-stream",
        ],
        [
          "liar.pdf",
          new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 0x0d]),
          "application/pdf",
        ],
      ];
      for (const [name, content, type] of cases) {
        const reply = await api.upload("upload-and-embed", slug, name, content, type);
        const body = reply.json<{ success: boolean; error: string }>();
        expect({ name, ...body }).toMatchObject({
          name,
          success: false,
          error: expect.stringMatching(/\w{4,}/),
        });
        expect(reply.text).not.toMatch(/\/work\/|\/tmp\/|node_modules|at \w+ \(/);
      }
      const after = (
        await api.json<{ localFiles: { items: { items: unknown[] }[] } }>(
          "GET",
          "/system/local-files",
        )
      ).localFiles.items.flatMap((f) => f.items).length;
      expect(after).toBe(before);
    });

    it.each([
      "http://127.0.0.1/",
      "http://localhost:3001/",
      "http://2130706433/",
      "http://0x7f.1/",
      "http://0177.0.0.1/",
      "http://[::1]/",
      "http://[::ffff:127.0.0.1]/",
      "http://[::ffff:7f00:1]/",
      "http://169.254.169.254/latest/meta-data/",
      "http://10.0.0.1/",
      "http://192.168.1.1/",
      "http://172.16.0.1/",
      "http://100.64.0.1/",
      "http://0.0.0.0/",
      "http://[fe80::1]/",
      "http://[fd00::1]/",
      "http://localhost./",
      "http://user@127.0.0.1/",
      "file:///etc/passwd",
      "gopher://127.0.0.1/",
      "javascript:alert(1)",
      "not a link",
      "",
    ])("does not fetch the link %s", async (link) => {
      const reply = await api.call("POST", `/workspace/${slug}/upload-link`, { link });
      expect(reply.status).toBeLessThan(500);
      expect(reply.json()).toMatchObject({
        success: false,
        error: expect.stringMatching(/\w{4,}/),
      });
    });

    it("accepts characters in queries that PostgreSQL cannot store", async () => {
      for (const path of [
        "/system/local-files?folder=a%00b",
        `/workspace/${slug}/documents?search=%00`,
        `/workspace/${slug}/turns?thread=%00`,
      ])
        expect((await api.call("GET", path)).status).toBeLessThan(500);
    });

    it("answers unknown paths under /api with 404 as JSON", async () => {
      const reply = await api.call("GET", "/no/such/path");
      expect(reply.status).toBe(404);
      expect(reply.json()).toMatchObject({ error: expect.any(String) });
    });
  });
}
