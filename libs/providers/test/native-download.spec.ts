import { createHash } from "node:crypto";
import { access, mkdir, mkdtemp, readFile, rm, stat, utimes, writeFile } from "node:fs/promises";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  closeNativeEmbedders,
  createEmbeddingModel,
  type LocalModelFiles,
} from "@carrel/providers";
import { waitFor } from "@carrel/testing";
import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from "@jest/globals";
import { randomModelFiles, smallShape } from "./random-model.ts";

jest.setTimeout(60_000);
const { signal } = new AbortController();
const make = (options: { modelsDir: string; hub: string | null }): LocalModelFiles =>
  createEmbeddingModel("native", {}, options).files!;
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "carrel-native-"));
});
afterAll(async () => {
  await closeNativeEmbedders();
  await rm(folder, { recursive: true, force: true });
});

describe("downloading the built-in embedder's model", () => {
  // As in the hub's download documentation: small files have their git blob id as etag; large ones
  // redirect with x-linked-etag (SHA-256), x-linked-size and x-repo-commit; Range is supported.
  const files = randomModelFiles(smallShape);
  const commit = "c".repeat(40);
  let hub: Server;
  let url: string;
  let seen: { path: string; range: string | undefined }[] = [];
  let fault: "none" | "cut" | "wrong" | "down" = "none";

  function serve(request: IncomingMessage, response: ServerResponse): void {
    const path = new URL(request.url!, "http://hub").pathname;
    seen.push({ path, range: request.headers.range });
    if (fault === "down") {
      response.writeHead(503).end();
      return;
    }
    const name = path.split("/").at(-1)!;
    const bytes = files[name];
    if (!bytes) {
      response.writeHead(404).end();
      return;
    }
    if (path.includes("/resolve/") && name.endsWith(".onnx")) {
      response
        .writeHead(302, {
          location: `/store/${name}`,
          "x-repo-commit": commit,
          "x-linked-size": bytes.length,
          "x-linked-etag": `"${createHash("sha256").update(bytes).digest("hex")}"`,
        })
        .end();
      return;
    }
    const start = Number(/bytes=(\d+)-/.exec(request.headers.range ?? "")?.[1] ?? 0);
    const body = Buffer.from(bytes.subarray(start));
    if (fault === "wrong" && name.endsWith(".onnx")) body[body.length - 1]! ^= 1;
    const etag = createHash("sha1").update(`blob ${bytes.length}\0`).update(bytes).digest("hex");
    response.writeHead(start > 0 ? 206 : 200, {
      "content-length": body.length,
      "x-repo-commit": commit,
      ...(!name.endsWith(".onnx") && { etag: `"${etag}"` }),
      ...(start > 0 && { "content-range": `bytes ${start}-${bytes.length - 1}/${bytes.length}` }),
    });
    if (fault === "cut" && name.endsWith(".onnx"))
      response.write(body.subarray(0, 200_000), () => {
        const partial = join(folder, "cut/Xenova/all-MiniLM-L6-v2/model_quantized.onnx.partial");
        void waitFor(async () => (await stat(partial)).size, {
          what: "the first bytes to reach the disk",
        }).finally(() => response.destroy());
      });
    else response.end(body);
  }
  beforeAll(async () => {
    hub = createServer(serve);
    await new Promise<void>((resolve) => hub.listen(0, "127.0.0.1", resolve));
    url = `http://127.0.0.1:${(hub.address() as AddressInfo).port}`;
  });
  afterAll(
    () =>
      new Promise<void>((resolve) => {
        hub.closeAllConnections();
        hub.close(() => resolve());
      }),
  );
  afterEach(() => {
    fault = "none";
    seen = [];
  });

  it("downloads all files of one commit, verifies them, and embeds", async () => {
    const modelsDir = join(folder, "fetched");
    expect(await make({ modelsDir, hub: url }).state()).toMatchObject({ status: "missing" });
    const model = createEmbeddingModel("native", {}, { modelsDir, hub: url });
    await expect(model.embed(["rain"], "query", signal)).rejects.toMatchObject({
      kind: "unreachable",
    });
    expect(seen).toHaveLength(0);
    const [first, second] = await Promise.all([
      model.embed(["rain"], "passage", signal),
      model.embed(["sun"], "passage", signal),
    ]);
    expect([first, second].flat()).toHaveLength(2);
    expect(seen.map(({ path }) => path)).toEqual([
      "/Xenova/all-MiniLM-L6-v2/resolve/main/config.json",
      `/Xenova/all-MiniLM-L6-v2/resolve/${commit}/tokenizer_config.json`,
      `/Xenova/all-MiniLM-L6-v2/resolve/${commit}/tokenizer.json`,
      `/Xenova/all-MiniLM-L6-v2/resolve/${commit}/onnx/model_quantized.onnx`,
      "/store/model_quantized.onnx",
    ]);
    expect(await make({ modelsDir, hub: url }).state()).toMatchObject({ status: "ready" });
    expect(
      (await readFile(join(modelsDir, "Xenova/all-MiniLM-L6-v2/model_quantized.onnx"))).equals(
        files["model_quantized.onnx"]!,
      ),
    ).toBe(true);
    await expect(
      access(join(modelsDir, "Xenova/all-MiniLM-L6-v2/download.lock")),
    ).rejects.toThrow();
  });

  it("resumes a dropped download", async () => {
    const modelsDir = join(folder, "cut");
    fault = "cut";
    await expect(make({ modelsDir, hub: url }).ensure(signal)).rejects.toMatchObject({
      name: "ProviderError",
      kind: "unreachable",
      isRetryable: true,
      retryAfterMs: expect.any(Number),
    });
    const state = await make({ modelsDir, hub: url }).state();
    expect(state).toMatchObject({ status: "missing", retryAt: expect.any(Number) });
    expect(state.fault).toEqual({
      code: "embedder.download-failed",
      params: {
        minutes: 1,
        reason: { code: "egress.unreachable", params: { host: new URL(url).origin } },
      },
    });
    fault = "none";
    // Backs off: no attempt before `retryAt`.
    const asked = seen.length;
    await expect(make({ modelsDir, hub: url }).ensure(signal)).rejects.toMatchObject({
      kind: "unreachable",
    });
    expect(seen).toHaveLength(asked);
    // Another address of the same hub has a separate backoff.
    await make({ modelsDir, hub: url.replace("127.0.0.1", "localhost") }).ensure(signal);
    expect(seen.at(-1)!.range).toMatch(/^bytes=[1-9]\d*-$/);
    expect(
      (await readFile(join(modelsDir, "Xenova/all-MiniLM-L6-v2/model_quantized.onnx"))).equals(
        files["model_quantized.onnx"]!,
      ),
    ).toBe(true);
  });

  it("rejects bytes that don't match the hub's checksum and keeps none of them", async () => {
    const modelsDir = join(folder, "wrong");
    fault = "wrong";
    await expect(make({ modelsDir, hub: url }).ensure(signal)).rejects.toMatchObject({
      kind: "unreachable",
    });
    await expect(
      access(join(modelsDir, "Xenova/all-MiniLM-L6-v2/model_quantized.onnx")),
    ).rejects.toThrow();
    await expect(
      access(join(modelsDir, "Xenova/all-MiniLM-L6-v2/model_quantized.onnx.partial")),
    ).rejects.toThrow();
  });

  it("reports in one sentence that the hub is down or downloads are disabled", async () => {
    fault = "down";
    await expect(
      make({ modelsDir: join(folder, "down"), hub: url }).ensure(signal),
    ).rejects.toMatchObject({ kind: "unreachable" });
    await expect(
      make({ modelsDir: join(folder, "off"), hub: null }).ensure(signal),
    ).rejects.toMatchObject({ isRetryable: false });
    expect(await make({ modelsDir: join(folder, "off"), hub: null }).state()).toMatchObject({
      status: "off",
    });
  });

  it("takes over the lock of a dead process", async () => {
    const modelsDir = join(folder, "locked");
    await mkdir(join(modelsDir, "Xenova/all-MiniLM-L6-v2"), { recursive: true });
    const lock = join(modelsDir, "Xenova/all-MiniLM-L6-v2/download.lock");
    await writeFile(lock, "");
    await utimes(lock, new Date(Date.now() - 120_000), new Date(Date.now() - 120_000));
    await make({ modelsDir, hub: url }).ensure(signal);
    expect(await make({ modelsDir, hub: url }).state()).toMatchObject({ status: "ready" });
  });
});
