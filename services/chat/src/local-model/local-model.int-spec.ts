import { mkdir, readFile, readdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import {
  cancelLocalModel,
  deleteLocalModel,
  downloadLocalModel,
  listLocalModels,
  localModelsChanged,
  type EventPayload,
  type LocalModels,
  type WorkspaceScope,
} from "@carrel/contracts";
import { poll } from "@carrel/testing";
import { startChat } from "../../test/chat-suite.ts";
import { curatedModels } from "./curated-models.ts";
import { FakeModelHub, makeGguf } from "./fake-model-hub.fixture.ts";

const hub = new FakeModelHub();
await hub.start();
const { chat, sql } = await startChat("Hello.", {
  CARREL_MODEL_HUB: hub.url,
  CARREL_LOCAL_MODELS: "on",
});
Object.assign(chat.environment, { CARREL_MODEL_HUB: hub.url, CARREL_LOCAL_MODELS: "on" });
const workspace = chat.addWorkspace();
const scope = { ...workspace, workspace: null } as unknown as WorkspaceScope;
const folder = join(chat.home, "models", "gguf");
const model = curatedModels[0]!;
const { id, file, name } = model;
const target = join(folder, file);
const announced: EventPayload<typeof localModelsChanged>[] = [];
chat.shared.messaging.broadcast.on(`event:${localModelsChanged.name}`, (payload) => {
  announced.push(payload as EventPayload<typeof localModelsChanged>);
});
afterAll(() => hub.stop());

const list = (): Promise<LocalModels> => chat.request(listLocalModels, {}, scope);
const download = (useWhenReady = false, which = id) =>
  chat.request(downloadLocalModel, { id: which, licenseAccepted: true, useWhenReady }, scope);
const cancel = (which = id) => chat.request(cancelLocalModel, { id: which }, scope);
const files = async (): Promise<string[]> => (await list()).files.map((each) => each.file);
const current = async () => (await list()).downloads.find((each) => each.id === id);

beforeEach(async () => {
  await cancel();
  hub.reset();
  hub.body = makeGguf(600_000);
  announced.length = 0;
  chat.fixture.values.LLMProvider = "generic-openai";
  await rm(folder, { recursive: true, force: true });
});

it("offers models that fit, with sizes, licences and expected speeds", async () => {
  const { isOn, offers, files: found, downloads, hub: host } = await list();
  expect({ isOn, found, downloads, host }).toEqual({
    isOn: true,
    found: [],
    downloads: [],
    host: new URL(hub.url).host,
  });
  expect(offers.length).toBeLessThanOrEqual(4);
  expect(offers.filter(({ isRecommended }) => isRecommended)).toHaveLength(1);
  for (const offer of offers) {
    expect(offer.tokensPerSecond).toBeGreaterThan(0);
    expect(offer.memoryBytes).toBeGreaterThan(offer.bytes);
  }
});

it("downloads a model through the hub's redirect and checks it", async () => {
  await download();
  await poll(files).toEqual([file]);
  await poll(() => announced).toEqual([{ name, file, outcome: "ready", inUse: false }]);
  expect(await current()).toBeUndefined();
  expect((await readFile(target)).equals(hub.body)).toBe(true);
  expect(hub.paths).toEqual([`/${model.repository}/resolve/main/${file}`]);
  expect(chat.fixture.values.LLMProvider).toBe("generic-openai");
});

it("switches to the model when it is ready only while nothing else was chosen", async () => {
  await download(true);
  await poll(() => announced).toEqual([{ name, file, outcome: "ready", inUse: false }]);
  expect(chat.fixture.values.LLMProvider).toBe("generic-openai");
  await rm(target);
  announced.length = 0;
  chat.fixture.values.LLMProvider = "extractive";
  await chat.tellAgentSettings();
  await download(true);
  await poll(() => announced).toEqual([{ name, file, outcome: "ready", inUse: true }]);
  expect(chat.fixture.values).toMatchObject({
    LLMProvider: "local-gguf",
    LocalGgufModelPref: file,
  });
  await chat.tellAgentSettings();
  await expect(chat.request(deleteLocalModel, { file }, scope)).rejects.toMatchObject({
    code: "local-model.in-use",
  });
});

it("resumes after dropped connections", async () => {
  hub.fault = { cutAfter: 200_000 };
  await download();
  await poll(() => announced, { timeoutMs: 40_000 }).toMatchObject([{ outcome: "ready" }]);
  expect(hub.ranges[0]).toBeNull();
  expect(hub.ranges[1]).toMatch(/^bytes=\d{4,}-$/);
  expect((await readFile(target)).equals(hub.body)).toBe(true);
});

it("says why it failed, and tries again when told to", async () => {
  for (const [fault, code] of [
    [{ status: 404 }, "local-model.hub-refused"],
    [{ wrongHash: true }, "local-model.damaged"],
    [{ announcedBytes: 9e15 }, "local-model.disk-full"],
  ] as const) {
    hub.fault = fault;
    await download();
    await poll(current).toMatchObject({ state: "failed", fault: { code } });
  }
  expect(await readdir(folder)).toEqual([]);
  expect(announced.map(({ outcome }) => outcome)).toEqual(["failed", "failed", "failed"]);
  hub.body = Buffer.from("<html>Not found</html>");
  hub.fault = {};
  await download();
  await poll(async () => (await current())?.fault?.code).toBe("local-model.damaged");
  hub.body = makeGguf(600_000);
  await download();
  await poll(files).toEqual([file]);
});

it("downloads one model at a time, shows its progress and cancels it", async () => {
  hub.fault = { holdAfter: 300_000 };
  await download();
  await poll(current).toMatchObject({
    state: "running",
    doneBytes: 300_000,
    totalBytes: 600_000,
  });
  await expect(download(false, curatedModels[1]!.id)).rejects.toMatchObject({
    code: "local-model.download-running",
  });
  // Asking again for the same one changes nothing but what happens when it is ready.
  await download(true);
  expect(await current()).toMatchObject({ state: "running", useWhenReady: true });
  await cancel();
  expect(await current()).toBeUndefined();
  expect(await readdir(folder)).toEqual([]);
  hub.reset();
  await download();
  await poll(files).toEqual([file]);
});

it("finds files that were placed by hand, and deletes them", async () => {
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, "own.gguf"), makeGguf(2_000));
  await writeFile(join(folder, "broken.gguf"), "no model");
  await writeFile(join(folder, "notes.txt"), "no model either");
  expect((await list()).files).toMatchObject([{ file: "own.gguf", name: "own", bytes: 2_000 }]);
  for (const wrong of ["notes.txt", "../gguf/own.gguf.txt", "missing.gguf"])
    await expect(chat.request(deleteLocalModel, { file: wrong }, scope)).rejects.toMatchObject({
      code: "local-model.not-found",
    });
  await chat.request(deleteLocalModel, { file: "own.gguf" }, scope);
  expect(await files()).toEqual([]);
  expect((await readdir(folder)).toSorted()).toEqual(["broken.gguf", "notes.txt"]);
});

it("keeps models that a workspace or the list of fallback models needs", async () => {
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, "own.gguf"), makeGguf(2_000));
  const remove = () => chat.request(deleteLocalModel, { file: "own.gguf" }, scope);
  const refused = { code: "local-model.in-use" };
  const own = { provider: "local-gguf", model: "own.gguf" };
  await chat.setWorkspace(workspace, { chatProvider: own.provider, chatModel: own.model });
  await expect(remove()).rejects.toMatchObject(refused);
  const none = { chatProvider: null, chatModel: null };
  await chat.setWorkspace(workspace, {
    ...none,
    agentProvider: own.provider,
    agentModel: own.model,
  });
  await expect(remove()).rejects.toMatchObject(refused);
  await chat.setWorkspace(workspace, { agentProvider: null, agentModel: null });
  chat.fixture.values.language_model_fallbacks = JSON.stringify([own]);
  await chat.tellAgentSettings();
  await expect(remove()).rejects.toMatchObject(refused);
  delete chat.fixture.values.language_model_fallbacks;
  await chat.tellAgentSettings();
  await remove();
  expect(await files()).toEqual([]);
});

it("deletes split models, and says when it may not", async () => {
  const parts = ["Big-00001-of-00002.GGUF", "Big-00002-of-00002.GGUF"];
  await mkdir(folder, { recursive: true });
  for (const part of parts) await writeFile(join(folder, part), makeGguf(2_000));
  await chat.request(deleteLocalModel, { file: parts[0]! }, scope);
  expect(await readdir(folder)).toEqual([]);
  await rm(folder, { recursive: true });
  await writeFile(folder, "no folder");
  await expect(chat.request(deleteLocalModel, { file }, scope)).rejects.toMatchObject({
    code: "local-model.folder-not-writable",
  });
  await rm(folder);
});

it("deletes what it has of a download that was cancelled on another replica", async () => {
  hub.fault = { holdAfter: 300_000 };
  await download();
  await poll(current).toMatchObject({ doneBytes: 300_000 });
  await sql("DELETE FROM chat.model_download");
  await poll(() => readdir(folder)).toEqual([]);
});

it("continues the download of a replica that was killed", async () => {
  await chat.replicas.pop()!.stop();
  hub.fault = { holdAfter: 300_000 };
  const killed = await chat.spawnReplica();
  await download();
  await poll(current).toMatchObject({ doneBytes: 300_000 });
  killed.kill("SIGKILL");
  await new Promise((resolve) => killed.once("close", resolve));
  hub.reset();
  await chat.startReplica();
  // Its lease ends within ten seconds.
  await sql("UPDATE chat.model_download SET lease_until = now() - interval '1 ms'");
  await poll(files, { timeoutMs: 20_000 }).toEqual([file]);
  expect(hub.ranges).toEqual(["bytes=300000-"]);
}, 180_000);

it("says so where downloads or local models are off", async () => {
  await chat.replicas.pop()!.stop();
  await chat.startReplica({ CARREL_MODEL_HUB: "off" });
  expect((await list()).hub).toBeNull();
  await expect(download()).rejects.toMatchObject({ code: "local-model.downloads-disabled" });
  // Begun before.
  await sql(
    `INSERT INTO chat.model_download (model, state, total_bytes, use_when_ready)
    VALUES ('${id}', 'waiting', 1, false)`,
  );
  await poll(current).toMatchObject({
    state: "failed",
    fault: { code: "local-model.downloads-disabled" },
  });
  await chat.replicas.pop()!.stop();
  await chat.startReplica({ CARREL_LOCAL_MODELS: "off" });
  expect(await list()).toEqual({ isOn: false, hub: null, offers: [], files: [], downloads: [] });
  await expect(download()).rejects.toMatchObject({ code: "local-model.off" });
});
