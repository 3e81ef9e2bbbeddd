import { setDocumentAccess } from "@carrel/contracts";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import {
  libraryScope,
  startTestIngest,
  workspaceScope,
  type TestIngest,
} from "../../test/test-ingest.ts";
import { ChunkRepository } from "../chunking/chunk.repository.ts";
import { AudienceRepository } from "../document/audience.repository.ts";
import { WorkspaceSummaries } from "./live-chunks.ts";

const question = "What is the flow temperature of the heat pump?";
let ingest: TestIngest;

beforeAll(async () => {
  ingest = await startTestIngest();
});
afterAll(async () => {
  await ingest?.stop();
});

const add = async (name: string, text: string): Promise<string> => {
  const id = await ingest.upload(1, name, text);
  await ingest.until(1, id, "embedded");
  return id;
};
/** Documents of the passages and of everything in the trace. */
const seen = async (mode: "text" | "dense" | "hybrid" = "hybrid"): Promise<Set<string>> => {
  const found = await ingest.search(1, question, {
    mode,
    topN: 10,
    similarityThreshold: 0,
    trace: 100,
  });
  return new Set([
    ...found.passages.map(({ documentId }) => documentId),
    ...found.trace!.documents,
  ]);
};

describe("searches with cached hits", () => {
  it("don't show a removed document, even before the event arrives", async () => {
    const kept = await add("kept.txt", "The heat pump runs at a flow temperature of 48 degrees.");
    const gone = await add("gone.txt", "The flow temperature of the heat pump was 70 degrees.");
    for (const mode of ["text", "dense", "hybrid"] as const) {
      expect(await seen(mode)).toEqual(new Set([kept, gone]));
      expect(await seen(mode)).toEqual(new Set([kept, gone]));
    }
    // Known only to PostgreSQL: no event was sent, and the rows are still in the indexes.
    await ingest.sql(
      `DELETE FROM ingest.workspace_document WHERE workspace_id = 1 AND document_id = $1`,
      [gone],
    );
    for (const mode of ["text", "dense", "hybrid"] as const)
      expect(await seen(mode)).toEqual(new Set([kept]));
  });

  it("don't show a version that another one replaced", async () => {
    const id = await add("versions.txt", "The flow temperature of this heat pump is unknown.");
    expect(await seen()).toContain(id);
    const before = await ingest.sql<{ id: string }>(
      `SELECT c.id FROM ingest.chunk c
      JOIN ingest.workspace_document w ON w.id = c.workspace_document_id
      WHERE w.document_id = $1`,
      [id],
    );
    await ingest.sql(
      `UPDATE ingest.workspace_document SET version = version + 1, index_version = index_version + 1
      WHERE document_id = $1`,
      [id],
    );
    expect(before).toHaveLength(1);
    expect(await seen()).not.toContain(id);
    await ingest.sql(
      `UPDATE ingest.chunk c SET version = w.index_version
      FROM ingest.workspace_document w
      WHERE w.id = c.workspace_document_id AND w.document_id = $1`,
      [id],
    );
    await ingest.restart();
    expect(await seen()).toContain(id);
  });

  it("don't show a document on any replica once its removal is confirmed", async () => {
    const replica = await ingest.startReplica();
    for (let round = 0; round < 3; round++) {
      const id = await add(
        `round-${round}.txt`,
        `Heat pump ${round}: flow temperature 48 degrees.`,
      );
      const searches = () => Promise.all(Array.from({ length: 8 }, () => seen()));
      for (const found of await searches()) expect(found).toContain(id);
      await ingest.change(1, [], [(await docpathOf(id))!]);
      for (const found of await searches()) expect(found).not.toContain(id);
    }
    await replica.kill();
  }, 60_000);
});

it("the readers of a workspace share the statement that counts what isn't for all of them", async () => {
  const ids = [];
  for (const name of ["open", "ours", "yours"]) {
    const id = await ingest.upload(2, `${name}.txt`, `A text of ${name}.`);
    await ingest.until(2, id, "embedded");
    ids.push(id);
  }
  for (const [n, readers] of [
    [1, [11, 12]],
    [2, [12]],
  ] as const)
    await ingest.client.request(
      setDocumentAccess,
      { documentIds: [ids[n]!], readers: [...readers] },
      { scope: libraryScope },
    );
  let asked = 0;
  class Counted extends ChunkRepository {
    override listRestricted(...given: Parameters<ChunkRepository["listRestricted"]>) {
      asked++;
      return super.listRestricted(...given);
    }
  }
  const summaries = new WorkspaceSummaries(
    new Counted(ingest.source),
    new AudienceRepository(ingest.source),
    ingest.shared.messaging.broadcast,
  );
  const scopes = [11, 12, 13].map((userId) => ({
    ...workspaceScope(2),
    principal: { kind: "user", userId, role: "default" } as const,
  }));
  // Whoever is first reads the workspace's summary, which the others then find.
  await summaries.get(workspaceScope(2));
  const counts = await Promise.all(scopes.map((scope) => summaries.get(scope)));
  expect(counts.map(({ documents, passages }) => [documents, passages])).toEqual([
    [2, 2],
    [3, 3],
    [1, 1],
  ]);
  expect(asked).toBe(1);
  summaries.onApplicationShutdown();
});

const docpathOf = async (id: string): Promise<string | undefined> =>
  (
    await ingest.sql<{ docpath: string }>(`SELECT docpath FROM ingest.document WHERE id = $1`, [id])
  )[0]?.docpath;
