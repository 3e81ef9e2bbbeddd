import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "@jest/globals";
import { openLanceStore } from "./lance-store.ts";

const folders: string[] = [];
const folder = async (): Promise<string> => {
  const made = await mkdtemp(join(tmpdir(), "carrel-lance-text-"));
  folders.push(made);
  return made;
};
afterAll(() => Promise.all(folders.map((made) => rm(made, { recursive: true, force: true }))));
const row = (terms: string, workspaceId = 1) => ({
  id: randomUUID(),
  workspaceId,
  documentId: "d",
  version: 1,
  terms: terms.split(" "),
});

describe("a text index with sampled statistics", () => {
  it("finds terms outside the sample and knows the number of chunks", async () => {
    const store = await openLanceStore({
      folder: await folder(),
      optimizeEveryMs: 1e9,
      countedRows: 100,
      memoryBytes: 0,
    });
    const rows = Array.from({ length: 400 }, (_, n) =>
      row(`number${n} common ${n < 200 ? "early" : "late"}`),
    );
    await store.text.upsert(
      [...rows, ...Array.from({ length: 300 }, () => row("other common", 2))],
      { first: true },
    );
    const { documentCount, frequencies, averageLength, isSample } = await store.text.statistics({
      workspaceId: 1,
      terms: ["common", "early", "late", "other"],
    });
    expect({
      documentCount,
      averageLength,
      isSample,
      common: frequencies.get("common"),
      other: frequencies.get("other"),
    }).toEqual({
      documentCount: 400,
      averageLength: 3,
      isSample: true,
      common: 400,
      other: undefined,
    });
    // The sample covers the whole workspace, not just its beginning.
    for (const term of ["early", "late"]) expect(frequencies.get(term)).toBeGreaterThan(100);
    for (const n of [0, 133, 277, 399])
      expect(
        (await store.text.search({ workspaceId: 1, terms: [`number${n}`], limit: 5 })).map(
          ({ id }) => id,
        ),
      ).toEqual([rows[n]!.id]);
    await store.text.upsert([row("added common")]);
    expect(await store.text.statistics({ workspaceId: 1, terms: [] })).toMatchObject({
      documentCount: 401,
      isSample: true,
    });
    await store.text.deleteByDocument(1, "d");
    expect(await store.text.statistics({ workspaceId: 1, terms: ["common"] })).toEqual({
      documentCount: 0,
      frequencies: new Map(),
      averageLength: 0,
    });
    await store.close();
  });
});
