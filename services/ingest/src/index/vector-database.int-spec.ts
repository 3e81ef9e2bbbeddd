import {
  dropPreviousIndex,
  getIndexState,
  stopIndexBuild,
  undoIndexSwitch,
  type Out,
} from "@carrel/contracts";
import { waitFor, poll } from "@carrel/testing";
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { startFakeQdrant } from "../../../../libs/vector-store/test/fakes/fake-qdrant.ts";
import { libraryScope, startTestIngest, textsOf, type TestIngest } from "../../test/test-ingest.ts";

const key = "the key of the store";
const report = (n: number) =>
  `# Report ${n}\n\nIt mentions the keyword zebra${n} once.\n\n${Array.from({ length: 8 }, (_, i) => `Paragraph ${i} of report ${n} tells what happened at harbour ${n} on day ${i}, at some length, so that there is more than one chunk of it.`).join("\n\n")}`;

/**
 * Qdrant has a separate text index, so both terms and vectors move. It is simulated by a server
 * that validates each request against Qdrant's published schema.
 */
describe("another vector database", () => {
  let ingest: TestIngest;
  let qdrant: Awaited<ReturnType<typeof startFakeQdrant>>;
  beforeEach(async () => {
    [ingest, qdrant] = await Promise.all([startTestIngest(), startFakeQdrant(key)]);
  });
  afterEach(async () => {
    await ingest?.stop();
    await qdrant?.stop();
  });

  const state = (): Promise<Out<typeof getIndexState>> =>
    ingest.client.request(getIndexState, {}, { scope: libraryScope });
  const inQdrant = (QdrantApiKey = key) => ({
    ...ingest.withEmbedder,
    VectorDB: "qdrant",
    QdrantEndpoint: qdrant.url,
    QdrantApiKey,
  });
  const answersIn = (vectorDatabase: string) =>
    waitFor(
      async () => {
        const now = await state();
        return now.building === null && now.active?.vectorDatabase === vectorDatabase ? now : null;
      },
      { timeoutMs: 40_000, what: `${vectorDatabase} to answer` },
    );
  async function answers(n: number): Promise<void> {
    for (const mode of ["hybrid", "text", "dense"] as const) {
      const found = await ingest.search(1, `It mentions the keyword zebra${n} once.`, {
        mode,
        similarityThreshold: 0,
        topN: 20,
      });
      expect([mode, found.dense]).toEqual([mode, mode !== "text"]);
      expect([mode, textsOf(found.passages).join()]).toEqual([
        mode,
        expect.stringContaining(`zebra${n} `),
      ]);
    }
  }
  const upload = async (...numbers: number[]): Promise<string[]> => {
    const ids = await Promise.all(
      numbers.map((n) => ingest.upload(1, `report-${n}.md`, report(n))),
    );
    for (const id of ids) await ingest.until(1, id, "embedded");
    return ids;
  };

  it("is filled with terms and vectors from the stored text, without calling the embedder, and can be undone", async () => {
    await upload(0, 1, 2, 3);
    const asked = ingest.fake.requests.length;
    await ingest.changeSettings(inQdrant());
    const moved = await answersIn("qdrant");
    expect(moved).toMatchObject({ previous: { target: { vectorDatabase: "lancedb" } } });
    expect(ingest.fake.requests.length).toBe(asked);
    const live = (await ingest.sql<{ id: string }>(`SELECT id FROM ingest.chunk ORDER BY 1`)).map(
      ({ id }) => id,
    );
    const filled = [...qdrant.collections].filter(([name]) => !name.endsWith("register"));
    expect(filled).toHaveLength(2);
    for (const [, collection] of filled) expect([...collection.points.keys()].sort()).toEqual(live);
    // The terms are those from splitting, so headings match as well.
    expect(textsOf((await ingest.search(1, "Report 2", { mode: "text" })).passages)[0]).toContain(
      "zebra2 ",
    );
    for (const n of [0, 3]) await answers(n);
    await upload(4);
    await answers(4);

    // LanceDB doesn't have the fifth report yet: undoing the switch writes it first, while Qdrant
    // answers.
    expect(await ingest.client.request(undoIndexSwitch, {}, { scope: libraryScope })).toEqual({
      success: true,
    });
    // Qdrant's address is kept, since it may be chosen again.
    expect(ingest.state.settings).toMatchObject(ingest.withEmbedder);
    expect(ingest.state.settings).not.toHaveProperty("VectorDB");
    await answersIn("lancedb");
    for (const n of [1, 4]) await answers(n);
    await ingest.client.request(dropPreviousIndex, {}, { scope: libraryScope });
    await poll(() =>
      [...qdrant.collections.keys()].filter((name) => !name.endsWith("register")),
    ).toEqual([]);
    await answers(2);
  });

  it("changes nothing if it is unreachable or refuses the key", async () => {
    await upload(0, 1);
    await ingest.changeSettings(inQdrant("wrong"));
    const refused = await waitFor(
      async () => {
        const { building } = await state();
        return building?.state === "failed" ? building : null;
      },
      { what: "the key to be refused" },
    );
    expect(refused.fault).toMatchObject({ code: "vector-store.key-rejected" });
    await ingest.changeSettings({ ...inQdrant(), QdrantEndpoint: "http://127.0.0.1:9" });
    const away = await waitFor(
      async () => {
        const { building } = await state();
        return building?.state === "waiting" ? building : null;
      },
      { what: "the store to be out of reach" },
    );
    expect(away.fault).toMatchObject({ code: "vector-store.unreachable" });
    await upload(2);
    for (const n of [0, 2]) await answers(n);
    await ingest.client.request(stopIndexBuild, {}, { scope: libraryScope });
    // Qdrant's address is kept, since it may be chosen again.
    expect(ingest.state.settings).toMatchObject(ingest.withEmbedder);
    expect(ingest.state.settings).not.toHaveProperty("VectorDB");
    expect(await state()).toMatchObject({ active: { vectorDatabase: "lancedb" }, building: null });
    await ingest.changeSettings(inQdrant());
    await answersIn("qdrant");
    for (const n of [1, 2]) await answers(n);
  });

  it("is active immediately if chosen before there are any documents", async () => {
    await ingest.changeSettings(inQdrant());
    await poll(() =>
      ingest.sql(`SELECT role FROM ingest.search_index WHERE vector_database = 'qdrant'`),
    ).toEqual([{ role: "active" }]);
    await upload(7);
    await answers(7);
    expect([...qdrant.collections.keys()].length).toBeGreaterThanOrEqual(2);
  });
});
