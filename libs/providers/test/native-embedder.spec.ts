import { createHash } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { access, mkdir, mkdtemp, readFile, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from "@jest/globals";
import {
  closeNativeEmbedders,
  createEmbeddingModel,
  ensureNativeModel,
  nativeModelState,
} from "@carrel/providers";
import { groupByLength } from "../src/native/embedder-pool.ts";
import { randomModelFiles, smallShape, writeRandomModel } from "./random-model.ts";

jest.setTimeout(60_000);
const { signal } = new AbortController();
const near = (a: Float32Array, b: Float32Array) =>
  a.reduce((sum, value, place) => sum + value * b[place]!, 0);
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "carrel-native-"));
});
afterAll(async () => {
  await closeNativeEmbedders();
  await rm(folder, { recursive: true, force: true });
});

describe("with a random model of the same make", () => {
  let modelsDir: string;
  beforeAll(async () => {
    modelsDir = join(folder, "ready");
    await writeRandomModel(join(modelsDir, "all-MiniLM-L6-v2"));
  });
  const make = () => createEmbeddingModel("native", {}, { modelsDir, hub: null });

  it("is ready without a download, under the folder's short name too", async () => {
    expect(await nativeModelState({ modelsDir, hub: null })).toMatchObject({ status: "ready" });
    expect(make()).toMatchObject({
      provider: "native",
      model: "Xenova/all-MiniLM-L6-v2",
      dimensions: 384,
      maxInputCharacters: 1000,
    });
  });

  it("gives unit vectors in the order of the texts, the same alone and in company", async () => {
    const texts = [
      "the cat sat on the mat",
      "rain",
      "the invoice total was paid in march and the book is on the mat ".repeat(6),
      "the cat sat on a mat",
      "rain",
    ];
    const together = await make().embed(texts, "passage", signal);
    for (const [place, vector] of together.entries()) {
      expect(vector).toHaveLength(384);
      expect(near(vector, vector)).toBeCloseTo(1, 4);
      const [alone] = await make().embed([texts[place]!], "query", signal);
      expect(near(vector, alone!)).toBeGreaterThan(0.9999);
    }
    expect(near(together[1]!, together[4]!)).toBeCloseTo(1, 5);
    expect(near(together[0]!, together[3]!)).toBeGreaterThan(near(together[0]!, together[2]!));
  });

  it("cuts at 256 tokens, and takes empty texts and strange ones", async () => {
    const words = "the cat sat on a mat ";
    const [long, longer, ...odd] = await make().embed(
      [
        words.repeat(60),
        words.repeat(60) + "rain sun book ".repeat(100),
        "",
        "🙂\u0000 漢字",
        " \n ",
      ],
      "passage",
      signal,
    );
    expect(near(long!, longer!)).toBeGreaterThan(0.9999);
    for (const vector of odd) expect(near(vector, vector)).toBeCloseTo(1, 4);
  });

  it("leaves the event loop to others and lets a question overtake passages", async () => {
    // The share of time, not a delay in ms: that depends on what else the machine does (figures:
    // bench-native.ts).
    const before = performance.eventLoopUtilization();
    const order: string[] = [];
    const passages = make()
      .embed(
        Array.from({ length: 150 }, (_, index) => "the cat sat on a mat ".repeat(1 + (index % 40))),
        "passage",
        signal,
      )
      .then(() => order.push("passages"));
    await make()
      .embed(["where is the cat"], "query", signal)
      .then(() => order.push("question"));
    await passages;
    expect(order).toEqual(["question", "passages"]);
    expect(performance.eventLoopUtilization(before).utilization).toBeLessThan(0.5);
  });

  it("drops what waits when it is aborted, and goes on for the others", async () => {
    const controller = new AbortController();
    const many = make().embed(
      Array.from({ length: 200 }, () => "the cat sat on a mat ".repeat(40)),
      "passage",
      controller.signal,
    );
    controller.abort();
    await expect(many).rejects.toMatchObject({ name: "ProviderError", kind: "aborted" });
    expect(await make().embed(["rain"], "query", signal)).toHaveLength(1);
  });

  it("a model file that is none is told as a fault, not tried for ever", async () => {
    const broken = join(folder, "broken");
    await writeRandomModel(join(broken, "all-MiniLM-L6-v2"));
    await writeFile(join(broken, "all-MiniLM-L6-v2/model_quantized.onnx"), "not a model");
    await expect(
      createEmbeddingModel("native", {}, { modelsDir: broken, hub: null }).embed(
        ["a", "b".repeat(2000)],
        "passage",
        signal,
      ),
    ).rejects.toMatchObject({ name: "ProviderError", kind: "server" });
  });
});

it("groups texts of like length, all of them once", () => {
  const texts = [
    "a".repeat(900),
    "b",
    "c".repeat(500),
    "d".repeat(510),
    "e".repeat(2000),
    ...Array.from({ length: 20 }, () => "ff"),
  ];
  const groups = groupByLength(texts);
  expect(groups.flat().sort((a, b) => a - b)).toEqual(texts.map((_, place) => place));
  expect(groups.some((group) => group.includes(2) && group.includes(3))).toBe(true);
  expect(Math.max(...groups.map((group) => group.length))).toBeLessThanOrEqual(8);
});

describe("download", () => {
  // The hub's manners, as its download documentation has them: small files with their git blob id
  // as etag, large ones by a
  // redirect that carries x-linked-etag (SHA-256), x-linked-size and x-repo-commit; Range is
  // honoured.
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
      // what has arrived must reach the disk first
      response.write(body.subarray(0, 200_000), () => setTimeout(() => response.destroy(), 300));
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

  it("fetches all files from one commit, checks them, and embeds", async () => {
    const modelsDir = join(folder, "fetched");
    expect(await nativeModelState({ modelsDir, hub: url })).toMatchObject({ status: "missing" });
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
    expect(await nativeModelState({ modelsDir, hub: url })).toMatchObject({ status: "ready" });
    expect(
      (await readFile(join(modelsDir, "Xenova/all-MiniLM-L6-v2/model_quantized.onnx"))).equals(
        files["model_quantized.onnx"]!,
      ),
    ).toBe(true);
    await expect(
      access(join(modelsDir, "Xenova/all-MiniLM-L6-v2/download.lock")),
    ).rejects.toThrow();
  });

  it("goes on where a cut download ended", async () => {
    const modelsDir = join(folder, "cut");
    fault = "cut";
    await expect(ensureNativeModel({ modelsDir, hub: url, signal })).rejects.toMatchObject({
      name: "ProviderError",
      kind: "unreachable",
      isRetryable: true,
      retryAfterMs: expect.any(Number),
    });
    const state = await nativeModelState({ modelsDir, hub: url });
    expect(state).toMatchObject({ status: "missing", retryAt: expect.any(Number) });
    expect(state.message).toContain("Full-text search serves meanwhile");
    fault = "none";
    // The back-off holds: no attempt before its time.
    const asked = seen.length;
    await expect(ensureNativeModel({ modelsDir, hub: url, signal })).rejects.toMatchObject({
      kind: "unreachable",
    });
    expect(seen).toHaveLength(asked);
    // Another address of the same hub has a back-off of its own.
    await ensureNativeModel({ modelsDir, hub: url.replace("127.0.0.1", "localhost"), signal });
    expect(seen.at(-1)!.range).toMatch(/^bytes=[1-9]\d*-$/);
    expect(
      (await readFile(join(modelsDir, "Xenova/all-MiniLM-L6-v2/model_quantized.onnx"))).equals(
        files["model_quantized.onnx"]!,
      ),
    ).toBe(true);
  });

  it("refuses bytes that are not what the hub declared, and keeps none of them", async () => {
    const modelsDir = join(folder, "wrong");
    fault = "wrong";
    await expect(ensureNativeModel({ modelsDir, hub: url, signal })).rejects.toMatchObject({
      kind: "unreachable",
    });
    await expect(
      access(join(modelsDir, "Xenova/all-MiniLM-L6-v2/model_quantized.onnx")),
    ).rejects.toThrow();
    await expect(
      access(join(modelsDir, "Xenova/all-MiniLM-L6-v2/model_quantized.onnx.partial")),
    ).rejects.toThrow();
  });

  it("a hub that is down, and downloads that are off, are told in one sentence", async () => {
    fault = "down";
    await expect(
      ensureNativeModel({ modelsDir: join(folder, "down"), hub: url, signal }),
    ).rejects.toMatchObject({ kind: "unreachable" });
    await expect(
      ensureNativeModel({ modelsDir: join(folder, "off"), hub: null, signal }),
    ).rejects.toMatchObject({ isRetryable: false });
    expect(await nativeModelState({ modelsDir: join(folder, "off"), hub: null })).toMatchObject({
      status: "off",
    });
  });

  it("a lock that a dead process left is taken over", async () => {
    const modelsDir = join(folder, "locked");
    await mkdir(join(modelsDir, "Xenova/all-MiniLM-L6-v2"), { recursive: true });
    const lock = join(modelsDir, "Xenova/all-MiniLM-L6-v2/download.lock");
    await writeFile(lock, "");
    await utimes(lock, new Date(Date.now() - 120_000), new Date(Date.now() - 120_000));
    await ensureNativeModel({ modelsDir, hub: url, signal });
    expect(await nativeModelState({ modelsDir, hub: url })).toMatchObject({ status: "ready" });
  });
});
