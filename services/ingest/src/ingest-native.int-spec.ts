import { mkdtemp, readFile, rm } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { getEmbeddingState } from "@carrel/contracts";
import { poll } from "@carrel/testing";
import { afterEach, describe, expect, it } from "@jest/globals";
import { writeRandomModel } from "../../../libs/providers/test/random-model.ts";
import { libraryScope, startTestIngest, type TestIngest } from "../test/test-ingest.ts";

/** Serves a folder's files like a model hub: `/<model>/resolve/<revision>/<file>`. */
async function startHub(folder: string): Promise<{ url: string; asked: string[]; server: Server }> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    const name = path.basename(request.url!);
    asked.push(name);
    readFile(path.join(folder, name)).then(
      (bytes) =>
        response
          .writeHead(200, {
            "content-length": bytes.length,
            "content-type": "application/octet-stream",
          })
          .end(bytes),
      () => response.writeHead(200, { "content-length": 2 }).end("{}"),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked, server };
}

describe("the built-in embedder", () => {
  let ingest: TestIngest | undefined;
  let hub: Awaited<ReturnType<typeof startHub>> | undefined;
  afterEach(async () => {
    await ingest?.stop();
    hub?.server.closeAllConnections();
    hub?.server.close();
    ingest = hub = undefined;
  });
  const state = async () =>
    (await ingest!.client.request(getEmbeddingState, {}, { scope: libraryScope })).native;

  it("is off where downloads are disabled, and embeds searchable documents once its model is there", async () => {
    ingest = await startTestIngest({ embedder: false });
    await ingest.changeSettings({});
    const id = await ingest.upload(
      1,
      "notes.txt",
      "The harbour crane was painted turquoise in spring.",
    );
    await ingest.until(1, id, "searchable");
    expect(await state()).toMatchObject({
      state: "off",
      fault: { code: "embedder.downloads-disabled" },
    });
    // A model of the real one's shape with random weights: its vectors mean nothing, but the code
    // path is the same.
    await writeRandomModel(path.join(ingest.config.CARREL_HOME, "models", "all-MiniLM-L6-v2"));
    await ingest.changeSettings({});
    await ingest.until(1, id, "embedded");
    expect(await state()).toMatchObject({ state: "ready" });
    const found = await ingest.search(1, "What colour is the harbour crane?");
    expect(found.dense).toBe(true);
    expect(found.passages[0]!.denseScore).not.toBeNull();
  });

  it("downloads its model from the hub named in the environment", async () => {
    const model = await mkdtemp(path.join(tmpdir(), "carrel-hub-"));
    await writeRandomModel(model);
    hub = await startHub(model);
    ingest = await startTestIngest({
      embedder: false,
      environment: { CARREL_MODEL_HUB: `${hub.url}/` },
    });
    // Switched off, nothing is downloaded, whatever waits.
    await ingest.changeSettings({ EmbeddingModelDownload: "off" });
    const id = await ingest.upload(
      1,
      "notes.txt",
      "The harbour crane was painted turquoise in spring.",
    );
    await ingest.until(1, id, "searchable");
    await poll(() => state()).toMatchObject({
      state: "off",
      fault: { code: "embedder.downloads-disabled" },
    });
    expect((await ingest.search(1, "Which crane is turquoise?")).passages).toHaveLength(1);
    expect(hub.asked).toEqual([]);
    await ingest.changeSettings({});
    await ingest.until(1, id, "embedded");
    expect(hub.asked).toContain("model_quantized.onnx");
    await rm(model, { recursive: true, force: true });
  });

  it("reports an unreachable hub and the next retry, while full text keeps working", async () => {
    hub = await startHub("/nowhere");
    hub.server.close();
    ingest = await startTestIngest({ embedder: false, environment: { CARREL_MODEL_HUB: hub.url } });
    await ingest.changeSettings({});
    const id = await ingest.upload(
      1,
      "notes.txt",
      "The harbour crane was painted turquoise in spring.",
    );
    await ingest.until(1, id, "searchable");
    await poll(() => state()).toMatchObject({
      state: "missing",
      fault: {
        code: "embedder.download-failed",
        params: { reason: { code: expect.stringMatching(/^egress\./) }, minutes: 1 },
      },
    });
    expect((await ingest.search(1, "Which crane is turquoise?")).passages).toHaveLength(1);
  });
});
