import { createHash } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { closeWhisper, createWhisperModel, isWhisperInstalled } from "@carrel/providers";
import { waitFor } from "@carrel/testing";
import { afterAll, beforeAll, describe, expect, it, jest } from "@jest/globals";
import { audioFixture } from "./audio-files.ts";
import { tinyWhisperFiles } from "./tiny-whisper.ts";

jest.setTimeout(60_000);
const id = "Xenova/whisper-small";
const commit = "c".repeat(40);
const recording = { bytes: audioFixture("tone.mp3"), filename: "memo.mp3", mime: "audio/mpeg" };
const { signal } = new AbortController();

describe("downloading the Whisper model", () => {
  const files = tinyWhisperFiles();
  let folder: string;
  let hub: Server;
  let url: string;
  let seen: string[] = [];
  let isDown = false;
  /** If set, requests for the model wait until this is called. */
  let release: (() => void) | null = null;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "carrel-whisper-"));
    hub = createServer((request, response) => {
      const path = request.url!;
      seen.push(path);
      const bytes = files[/\/resolve\/\w+\/(.*)$/.exec(path)?.[1] ?? ""];
      if (isDown || !bytes) return response.writeHead(isDown ? 503 : 404).end();
      const hash = createHash("sha1").update(`blob ${bytes.length}\0`).update(bytes);
      response.writeHead(200, {
        "content-length": bytes.length,
        "x-repo-commit": commit,
        etag: `"${hash.digest("hex")}"`,
      });
      if (path.endsWith("encoder_model_quantized.onnx")) release = () => response.end(bytes);
      else response.end(bytes);
    });
    await new Promise<void>((resolve) => hub.listen(0, "127.0.0.1", resolve));
    url = `http://127.0.0.1:${(hub.address() as AddressInfo).port}`;
  });
  afterAll(async () => {
    await closeWhisper();
    hub.closeAllConnections();
    await new Promise<void>((resolve) => hub.close(() => resolve()));
    await rm(folder, { recursive: true, force: true });
  });

  it("downloads all files of one commit for the first recording, which may stop waiting", async () => {
    const modelsDir = join(folder, "fetched");
    const model = createWhisperModel({ modelsDir, hub: url });
    const controller = new AbortController();
    const impatient = model.transcribe(recording, controller.signal);
    const patient = createWhisperModel({ modelsDir, hub: url }).transcribe(recording, signal);
    const transcripts = Promise.allSettled([impatient, patient]);
    const finish = await waitFor(() => release, { what: "the request for the encoder" });
    controller.abort();
    await expect(impatient).rejects.toMatchObject({
      kind: "aborted",
      fault: { code: "whisper.downloading", params: { model: id } },
    });
    expect(await isWhisperInstalled(modelsDir, id)).toBe(false);
    finish();
    expect((await transcripts)[1]).toMatchObject({
      status: "fulfilled",
      value: { text: expect.stringContaining("Hello world") },
    });
    expect(await isWhisperInstalled(modelsDir, id)).toBe(true);
    expect(seen).toEqual(
      Object.keys(files).map(
        (name, place) => `/${id}/resolve/${place === 0 ? "main" : commit}/${name}`,
      ),
    );
  });

  it("reports why the download failed, and doesn't repeat it at once", async () => {
    isDown = true;
    seen = [];
    const model = createWhisperModel({ modelsDir: join(folder, "down"), hub: url });
    for (let attempt = 0; attempt < 2; attempt++)
      await expect(model.transcribe(recording, signal)).rejects.toMatchObject({
        kind: "unreachable",
        isRetryable: true,
        retryAfterMs: expect.any(Number),
        fault: {
          code: "whisper.download-failed",
          params: { model: id, reason: { code: "egress.unexpected-response" } },
        },
      });
    expect(seen).toHaveLength(1);
  });
});
