import { tmpdir } from "node:os";
import type { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { mock } from "node:test";
import { afterEach, beforeEach, expect, it } from "@jest/globals";
import { filesOf } from "./archives.ts";
import { writeArchive } from "./repository.fixture.ts";

const minuteMs = 60_000;
let downloads: number;
let downloading: PromiseWithResolvers<Readable>;

beforeEach(() => {
  mock.timers.enable({ apis: ["setTimeout"] });
  downloads = 0;
  downloading = Promise.withResolvers();
});
afterEach(() => mock.timers.reset());

const request = (maxSingle = 0) => ({
  maxSingle,
  download: () => {
    downloads += 1;
    return downloading.promise;
  },
  folder: tmpdir(),
  maxFileBytes: 1_000_000,
});
const open = (key: string) => filesOf(["archives.spec", key]).open("large.md", request());
const large = "x".repeat(900_000);
const archive = () => writeArchive(new Map([["large.md", { content: large }]]));

it("keeps an archive as long as it is downloaded or read, and two minutes more", async () => {
  const waiting = open("slow");
  mock.timers.tick(14 * minuteMs);
  const second = open("slow");
  // As many others as are kept.
  for (let n = 0; n < 15; n += 1) filesOf(["archives.spec", n]);
  downloading.resolve(archive());
  const bodies = await Promise.all([waiting, second]);
  mock.timers.tick(5 * minuteMs);
  for (const body of bodies) expect((await text(body!)).length).toBe(large.length);
  mock.timers.tick(minuteMs);
  expect(await text((await open("slow"))!)).toBe(large);
  expect(downloads).toBe(1);

  mock.timers.tick(3 * minuteMs);
  downloading = Promise.withResolvers();
  downloading.resolve(archive());
  expect(await text((await open("slow"))!)).toBe(large);
  expect(downloads).toBe(2);
  mock.timers.tick(3 * minuteMs);
});

it("is waited for before a file of it is opened", async () => {
  const files = filesOf(["archives.spec", "prepared"]);
  await files.prepare("first.md", request(1));
  expect([await files.open("first.md", request(1)), downloads]).toEqual([null, 0]);
  let isPrepared = false;
  const prepared = files.prepare("large.md", request(1)).then(() => (isPrepared = true));
  await new Promise(setImmediate);
  expect([isPrepared, downloads]).toEqual([false, 1]);
  downloading.resolve(archive());
  await prepared;
  expect(await text((await files.open("large.md", request(1)))!)).toBe(large);
  expect(downloads).toBe(1);
  mock.timers.tick(3 * minuteMs);
});
