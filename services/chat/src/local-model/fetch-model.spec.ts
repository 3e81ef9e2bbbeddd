import { mkdtemp, readFile, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { curatedModels } from "./curated-models.ts";
import { FakeModelHub, makeGguf } from "./fake-model-hub.fixture.ts";
import { fetchModel, type FetchOptions } from "./fetch-model.ts";

const hub = new FakeModelHub();
const model = curatedModels[0]!;
let folder: string;
let target: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "carrel-fetch-"));
  target = join(folder, model.file);
  hub.reset();
  await hub.start();
});
afterEach(async () => {
  await hub.stop();
  await rm(folder, { recursive: true });
});

const fetch = (changes: Partial<FetchOptions> = {}): Promise<void> =>
  fetchModel(model, {
    hub: hub.url,
    folder,
    signal: AbortSignal.timeout(20_000),
    onProgress: () => undefined,
    pause: () => Promise.resolve(),
    stallMs: 5_000,
    ...changes,
  });

it("keeps a file of the hub's size, and replaces others", async () => {
  await writeFile(target, hub.body);
  await fetch();
  expect(hub.ranges).toHaveLength(1);
  for (const damaged of [hub.body.subarray(0, 300_000), Buffer.alloc(hub.body.length)]) {
    await writeFile(target, damaged);
    await fetch();
    expect((await readFile(target)).equals(hub.body)).toBe(true);
  }
});

it("waits for the connection once it has begun, and gives up soon before", async () => {
  await writeFile(`${target}.partial`, makeGguf(300_000));
  await hub.stop();
  const stop = new AbortController();
  const pauses: number[] = [];
  const pause = (failures: number): Promise<void> => {
    if (pauses.push(failures) === 10) stop.abort();
    return Promise.resolve();
  };
  await expect(fetch({ pause, signal: stop.signal })).rejects.toThrow("aborted");
  expect(pauses).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
  await rm(`${target}.partial`);
  pauses.length = 0;
  await expect(fetch({ pause })).rejects.toMatchObject({ reason: "unreachable" });
  expect(pauses).toEqual([1, 2, 3, 4]);
  await hub.start();
});

it("stops while others fill the disk", async () => {
  let checks = 0;
  const disk = {
    readFree: () => Promise.resolve(checks++ === 0 ? 1e9 : 1e8),
    everyBytes: 100_000,
  };
  hub.fault = { holdAfter: 300_000 };
  await expect(fetch({ disk })).rejects.toMatchObject({
    code: "local-model.disk-full",
    params: { free: 0.1 },
  });
  expect(await readdir(folder)).toEqual([`${model.file}.partial`]);
});

it("gives the space back when the disk is full", async () => {
  const full = Object.assign(new Error("no space left"), { code: "ENOSPC" });
  await writeFile(`${target}.partial`, makeGguf(300_000));
  const disk = { readFree: () => Promise.reject(full), everyBytes: 1 };
  await expect(fetch({ disk })).rejects.toBe(full);
  expect(await readdir(folder)).toEqual([]);
});
