import { writeFile } from "node:fs/promises";
import { CarrelError } from "@carrel/contracts";
import { metrics } from "@carrel/observability";
import { expect, it } from "@jest/globals";
import { toUnavailable } from "./run-operation.ts";
import { isStorageFull, onStorageFull } from "./storage-full.ts";

const fault = { code: "request.storage-full" };

/** Linux refuses every write to this device as it does on a full disk. */
const fillDisk = (): Promise<unknown> =>
  writeFile("/dev/full", "one byte too many").then(
    () => null,
    (error: unknown) => error,
  );

/** Files refused so far; other specs in this process may have counted some. */
const countFiles = async (): Promise<number> =>
  Number(/carrel_storage_full_total\{place="files"\} (\d+)/.exec(await metrics.render())![1]);

it("recognises a full disk, also inside another error, and counts it once", async () => {
  const before = await countFiles();
  const places: string[] = [];
  const stop = onStorageFull((place) => places.push(place));
  const error = await fillDisk();
  expect(toUnavailable(error)).toEqual(fault);
  expect(toUnavailable(new Error("couldn't save the picture", { cause: error }))).toEqual(fault);
  expect(isStorageFull(error)).toBe(true);
  stop();
  expect(places).toEqual(["files", "files"]);
  expect(await countFiles()).toBe(before + 2);
});

const named = (name: string, message: string): Error => Object.assign(new Error(message), { name });

/** LanceDB's own, word for word. */
const lanceError = Object.assign(
  new Error(
    "lance error: LanceError(IO): No space left on device (os error 28), lance-file-12.0.0/src/writer/structural.rs:255:9",
  ),
  { code: "GenericFailure" },
);

it.each([
  ["postgresql", Object.assign(new Error("could not extend file"), { code: "53100" })],
  [
    "postgresql",
    Object.assign(new Error('could not write to file "x": Disk quota exceeded'), {
      code: "XX000",
      severity: "ERROR",
    }),
  ],
  [
    "postgresql",
    Object.assign(
      named("QueryFailedError", 'could not fsync file "base/5/1": No space left on device'),
      { code: "58030", severity: "ERROR" },
    ),
  ],
  ["redis", named("ReplyError", "MISCONF Errors writing to the AOF file: No space left on device")],
  [
    "redis",
    named(
      "ReplyError",
      "MISCONF Redis is configured to save RDB snapshots, but it's currently unable to persist to disk.",
    ),
  ],
  ["search index", lanceError],
  [
    "search index",
    Object.assign(named("VectorStoreError", "The search index text can't be read"), {
      cause: lanceError,
    }),
  ],
  ["files", new Error("ENOSPC: no space left on device, write")],
  [
    "files",
    Object.assign(new Error("Unknown system error -122: Unknown system error -122, write"), {
      code: "Unknown system error -122",
      syscall: "write",
    }),
  ],
  ["files", Object.assign(new Error("EDQUOT"), { code: "EDQUOT" })],
])("recognises %s without space", (place, error) => {
  const places: string[] = [];
  const stop = onStorageFull((full) => places.push(full));
  expect(toUnavailable(error)).toEqual(fault);
  stop();
  expect(places).toEqual([place]);
});

it("knows its own fault, and leaves others alone", () => {
  expect(isStorageFull(new CarrelError("request.storage-full"))).toBe(true);
  for (const other of [new CarrelError("request.unavailable"), new Error("no space"), null])
    expect(isStorageFull(other)).toBe(false);
});

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch (error) {
    return error;
  }
};
const quoted = "No space left on device (os error 28)";

it.each<[string, unknown]>([
  [
    "a value in PostgreSQL",
    Object.assign(
      named("QueryFailedError", `invalid input syntax for type uuid: "${quoted}: disk full"`),
      { code: "22P02", severity: "ERROR" },
    ),
  ],
  ["a text that isn't JSON", parse(quoted)],
  ["the name of a file", Object.assign(new Error(`ENOENT: '${quoted}'`), { code: "ENOENT" })],
  ["a command of Redis", named("ReplyError", `ERR unknown command '${quoted}'`)],
  [
    "a search in LanceDB",
    Object.assign(new Error(`lance error: Invalid user input: no field '${quoted}'`), {
      code: "GenericFailure",
    }),
  ],
  ["a model server", named("ProviderError", `Ollama refused: ${quoted}`)],
  [
    "a vector store's own PostgreSQL",
    Object.assign(named("VectorStoreError", "PGVector failed at db.example:5432"), {
      cause: Object.assign(new Error("could not extend file"), {
        code: "53100",
        severity: "ERROR",
      }),
    }),
  ],
])("takes nothing that quotes the words for a full disk: %s", (_what, error) => {
  expect(error).toBeInstanceOf(Error);
  expect(isStorageFull(error)).toBe(false);
  expect(toUnavailable(error)).toBeNull();
});

it("knows a Redis without memory as overloaded", () => {
  const error = named("ReplyError", "OOM command not allowed when used memory > 'maxmemory'.");
  expect(toUnavailable(error)).toEqual({ code: "request.queue-full" });
});
