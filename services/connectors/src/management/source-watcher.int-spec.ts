import { mkdir, mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { createConnection, removeConnection, sourceChanged } from "@carrel/contracts";
import { poll } from "@carrel/testing";
import { afterAll, beforeAll, expect, it } from "@jest/globals";
import { startTestConnectors, type TestConnectors } from "../../test/test-connectors.ts";

const slug = "field-notes";
const patient = { timeoutMs: 40_000 };

let folder: string;
let instance: TestConnectors;
const told: string[] = [];
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "carrel-watched-"));
  instance = await startTestConnectors((_request, response) => response.end(), {
    folders: [folder],
  });
  instance.hear(sourceChanged, ({ connectionId }) => told.push(connectionId));
});
afterAll(async () => {
  await instance.stop();
  await rm(folder, { recursive: true });
});

const create = async (place: string) =>
  (
    await instance.request(createConnection, {
      slug,
      connector: "folder",
      settings: { path: place },
      start: false,
    })
  ).connection.id;

it("tells of changes in watched folders, until the source is removed or its folder is gone", async () => {
  const [kept, replaced] = [path.join(folder, "kept"), path.join(folder, "replaced")];
  await Promise.all([mkdir(kept), mkdir(replaced)]);
  const [first, second] = [await create(kept), await create(replaced)];
  const countOf = (id: string): number => told.filter((each) => each === id).length;
  // Once at the beginning, for what has changed while nobody watched.
  await poll(() => [countOf(first), countOf(second)], patient).toEqual([1, 1]);

  // Many changes at once are told once, and only of the source that has them.
  await mkdir(path.join(kept, "minutes"));
  for (let n = 0; n < 30; n += 1)
    await writeFile(path.join(kept, "minutes", `${n}.txt`), "The roof is tight.");
  await poll(() => countOf(first), patient).toBe(2);
  expect(countOf(second)).toBe(1);

  // A folder in the place of one that is gone is found, and told of as a change.
  await rename(replaced, path.join(folder, "old"));
  await mkdir(replaced);
  await poll(() => countOf(second), patient).toBeGreaterThan(1);

  await instance.request(removeConnection, { slug, connectionId: first });
  // A look later, its changes are told no more.
  const countTold = async (): Promise<number> => {
    const before = [countOf(first), countOf(second)] as const;
    for (const place of [kept, replaced]) await writeFile(path.join(place, "late.txt"), "late");
    await poll(() => countOf(second), patient).toBeGreaterThan(before[1]);
    return countOf(first) - before[0];
  };
  await poll(countTold, patient).toBe(0);
});
