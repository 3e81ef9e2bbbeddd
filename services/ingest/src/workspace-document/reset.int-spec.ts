import path from "node:path";
import {
  countVectors,
  eventLogged,
  listContextTexts,
  listDocumentStatuses,
  resetVectorDatabase,
  workspaceDocumentsChanged,
  type EventPayload,
  type Out,
  type Principal,
} from "@carrel/contracts";
import { poll } from "@carrel/testing";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { connect } from "@lancedb/lancedb";
import { startTestIngest, workspaceScope, type TestIngest } from "../../test/test-ingest.ts";

let ingest: TestIngest;
const logged: EventPayload<typeof eventLogged>[] = [];
const changed: number[] = [];
beforeAll(async () => {
  ingest = await startTestIngest();
  ingest.shared.messaging.broadcast.on(`event:${eventLogged.name}`, (payload) =>
    logged.push(payload as EventPayload<typeof eventLogged>),
  );
  ingest.shared.messaging.broadcast.on(`event:${workspaceDocumentsChanged.name}`, (payload) =>
    changed.push((payload as { workspaceId: number }).workspaceId),
  );
});
afterAll(async () => {
  await ingest?.stop();
});

const admin: Principal = { kind: "user", userId: 1, role: "admin" };
const embedded = async (
  workspaceId: number,
  filename: string,
  text: string,
): Promise<{ id: string; docpath: string }> => {
  const id = await ingest.upload(workspaceId, filename, text);
  return { id, docpath: (await ingest.until(workspaceId, id, "embedded")).docpath! };
};
type Texts = Out<typeof listContextTexts>["texts"];
/** All texts, and the number of replies they took. */
async function readAll(
  workspaceId: number,
  maximumCharacters: number,
  threadId: number | null = null,
): Promise<{ texts: Texts; replies: number }> {
  const texts: Texts = [];
  let replies = 0;
  for (let after: string | null = null; ;) {
    const reply: Out<typeof listContextTexts> = await ingest.client.request(
      listContextTexts,
      { threadId, maximumCharacters, after },
      { scope: workspaceScope(workspaceId) },
    );
    replies++;
    for (const [n, text] of reply.texts.entries()) {
      const last = texts.at(-1);
      if (n === 0 && last?.documentId === text.documentId) last.text += text.text;
      else texts.push({ ...text });
    }
    if (reply.next === null) return { texts, replies };
    after = reply.next;
  }
}

describe("an emptied workspace", () => {
  const reset = (workspaceId: number) =>
    ingest.client.request(
      resetVectorDatabase,
      { slug: `w${workspaceId}` },
      { scope: { ...workspaceScope(workspaceId), principal: admin, address: "192.0.2.7" } },
    );
  const count = async (slug?: string, principal: Principal = admin) =>
    (
      await ingest.client.request(countVectors, slug === undefined ? {} : { slug }, {
        scope: { principal, workspace: null },
      })
    ).vectorCount;
  const indexRows = async (workspaceId: number): Promise<number> => {
    const connection = await connect(path.join(ingest.config.CARREL_HOME, "index"));
    let rows = 0;
    for (const name of await connection.tableNames())
      rows += await (await connection.openTable(name)).countRows(`workspace_id = ${workspaceId}`);
    connection.close();
    return rows;
  };

  it("counts published vectors of one workspace or of all, and none of a foreign one", async () => {
    const live = async (workspaceId: number): Promise<number> =>
      (
        await ingest.sql<{ n: number }>(
          `SELECT count(*)::int AS n FROM ingest.chunk c
          JOIN ingest.workspace_document w ON w.id = c.workspace_document_id
          WHERE w.workspace_id = $1 AND w.state = 'embedded'`,
          [workspaceId],
        )
      )[0]!.n;
    await ingest.upload(1, "one.txt", "The first workspace has this document.");
    await ingest.upload(2, "two.txt", "The second workspace has another one.");
    await poll(
      () => ingest.sql(`SELECT 1 FROM ingest.workspace_document WHERE state <> 'embedded'`),
      { timeoutMs: 60_000 },
    ).toEqual([]);
    const [one, two] = [await live(1), await live(2)];
    expect(one).toBeGreaterThan(0);
    expect(await count("w1")).toBe(one);
    expect(await count("w2")).toBe(two);
    expect(await count()).toBe(one + two);
    expect(await count("")).toBe(one + two);
    const key: Principal = { kind: "key", userId: null, role: "admin", scopes: ["read"] };
    expect(await count(undefined, { ...key, workspaceIds: [2] })).toBe(two);
    expect(await count(undefined, { ...key, workspaceIds: [] })).toBe(0);
    ingest.state.members = new Map([[7, [2]]]);
    const member: Principal = { kind: "user", userId: 7, role: "default" };
    expect([
      await count("w1", member),
      await count("no-such-workspace"),
      await count("w1'; --"),
    ]).toEqual([0, 0, 0]);
  });

  it("loses documents and vectors immediately, keeps the library, and accepts new documents", async () => {
    // Enough publications to be swept in one write, unless new ones arrive.
    for (const n of Array.from({ length: 25 }, (_, i) => i))
      await ingest.upload(1, `many-${n}.txt`, `Many documents, this is number ${n}.`);
    await poll(
      () =>
        ingest.sql(
          `SELECT 1 FROM ingest.workspace_document WHERE workspace_id = 1 AND state <> 'embedded'`,
        ),
      { timeoutMs: 60_000 },
    ).toEqual([]);
    const library = (await ingest.sql(`SELECT 1 FROM ingest.document WHERE state = 'parsed'`))
      .length;
    const two = await count("w2");
    // A concurrent addition.
    const adding = ingest.upload(1, "meanwhile.txt", "Added meanwhile.");
    changed.length = 0;
    logged.length = 0;
    await reset(1);
    expect((await ingest.search(1, "many documents harbour")).passages).toEqual([]);
    expect((await ingest.search(1, "many documents")).documentCount).toBeLessThanOrEqual(1);
    expect((await readAll(1, 1_000)).texts).toEqual([]);
    await adding;
    await reset(1);
    await reset(1);
    expect(
      (
        await ingest.client.request(
          listDocumentStatuses,
          { slug: "w1" },
          { scope: workspaceScope(1) },
        )
      ).documents,
    ).toEqual([]);
    expect([await count("w1"), await count("w2")]).toEqual([0, two]);
    expect(
      (await ingest.sql(`SELECT 1 FROM ingest.document WHERE state = 'parsed'`)).length,
    ).toBeGreaterThanOrEqual(library);
    await poll(() => logged.length).toBeGreaterThan(0);
    await poll(() => changed).toContain(1);
    expect(logged[0]).toMatchObject({
      event: "workspace_vectors_reset",
      userId: 1,
      metadata: {
        workspaceId: 1,
        workspaceSlug: "w1",
        documents: expect.any(Number),
        address: "192.0.2.7",
      },
    });
    // The same bytes again during the sweep.
    const again = await embedded(1, "many-3.txt", "Many documents, this is number 3.");
    await poll(() =>
      ingest.sql(`SELECT 1 FROM ingest.index_garbage WHERE swept_at IS NULL`),
    ).toEqual([]);
    await poll(() => indexRows(1)).toBe(2);
    expect((await ingest.search(1, "number 3")).passages.map((p) => p.documentId)).toEqual([
      again.id,
    ]);
    // A caller polling for one of them doesn't wait forever.
    expect(await ingest.state1(1, await adding)).toBeNull();
  });
});
