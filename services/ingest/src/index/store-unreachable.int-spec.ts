import { rename, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { listDocumentStatuses } from "@carrel/contracts";
import { startTcpProxy, type TcpProxy, poll } from "@carrel/testing";
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { startFakeQdrant } from "../../../../libs/vector-store/test/fakes/fake-qdrant.ts";
import {
  hasChroma,
  startChroma,
  type RealServer,
} from "../../../../libs/vector-store/test/real-server.ts";
import {
  startTestIngest,
  textsOf,
  workspaceScope,
  type TestIngest,
} from "../../test/test-ingest.ts";

const statusOf = async (ingest: TestIngest, search: string) => {
  const { documents } = await ingest.client.request(
    listDocumentStatuses,
    { slug: "w1", search },
    { scope: workspaceScope(1) },
  );
  return documents[0];
};
const becomesActive = (ingest: TestIngest, vectorDatabase: string) =>
  poll(() =>
    ingest.sql(
      `SELECT role FROM ingest.search_index WHERE vector_database = $1 AND identity IS NOT NULL`,
      [vectorDatabase],
    ),
  ).toEqual([{ role: "active" }]);
const waitsFor = (store: string) => ({ code: "document.waits-for-store", params: { store } });

// The package only bundles a server for Linux on x64.
const describeChroma = hasChroma() ? describe : describe.skip;

describeChroma("a vector database that is killed", () => {
  let ingest: TestIngest;
  let chroma: RealServer;
  beforeEach(async () => {
    const [started, server] = await Promise.all([startTestIngest(), startChroma()]);
    [ingest, chroma] = [started, server!];
    await ingest.changeSettings({
      ...ingest.withEmbedder,
      VectorDB: "chroma",
      ChromaEndpoint: chroma.url,
    });
    await becomesActive(ingest, "chroma");
  });
  afterEach(async () => {
    await ingest?.stop();
    await chroma?.stop();
  });

  it("leaves full-text search, and documents wait for it by name until it is back", async () => {
    const first = await ingest.upload(
      1,
      "first.txt",
      "The kiln in the courtyard is fired on Mondays.",
    );
    await ingest.until(1, first, "embedded");
    const ask = () => ingest.search(1, "When is the kiln in the courtyard fired?");
    expect(await ask()).toMatchObject({ dense: true, fallback: null });

    await chroma.kill();
    const found = await ask();
    expect(found).toMatchObject({
      dense: false,
      fallback: { store: "Chroma", searched: "text-index" },
    });
    expect(textsOf(found.passages)[0]).toContain("Mondays");

    const asked = ingest.fake.requests.length;
    const second = await ingest.upload(1, "second.txt", "The loom in the attic is from Leiden.");
    await ingest.until(1, second, "searchable");
    await poll(() => statusOf(ingest, "second")).toMatchObject({
      state: "searchable",
      reason: waitsFor("Chroma"),
    });
    const loom = await ingest.search(1, "Where is the loom in the attic from?");
    expect(textsOf(loom.passages)[0]).toContain("Leiden");
    // Vectors that can't be stored aren't computed; the question was embedded.
    expect(
      ingest.fake.requests
        .slice(asked)
        .filter(({ body }) => JSON.stringify(body).includes("Leiden")),
    ).toEqual([]);

    await ingest.restart();
    expect(await statusOf(ingest, "second")).toMatchObject({ reason: waitsFor("Chroma") });
    await chroma.restart();
    await ingest.until(1, second, "embedded");
    expect(await statusOf(ingest, "second")).toMatchObject({ state: "embedded", reason: null });
    await poll(() => ask()).toMatchObject({ dense: true, fallback: null });
  });
});

describe("a full-text index that can't be reached", () => {
  let ingest: TestIngest;
  let qdrant: Awaited<ReturnType<typeof startFakeQdrant>>;
  let proxy: TcpProxy;
  beforeEach(async () => {
    [ingest, qdrant] = await Promise.all([startTestIngest(), startFakeQdrant("key")]);
    proxy = await startTcpProxy(qdrant.url);
    await ingest.changeSettings({
      ...ingest.withEmbedder,
      VectorDB: "qdrant",
      QdrantEndpoint: proxy.url,
      QdrantApiKey: "key",
    });
    await becomesActive(ingest, "qdrant");
  });
  afterEach(async () => {
    await ingest?.stop();
    await proxy?.cut();
    await qdrant?.stop();
  });

  const uploads = [
    "# Kiln\n\nThe kiln in the courtyard is fired on Mondays, if the weather is happy to permit it.",
    "# Café\n\nLe café de la gare ouvre à six heures du matin, et le pain y est déjà prêt.",
    "# Boat\n\nThe ferry crosses the harbour twice an hour, and bicycles travel free of charge.",
  ];
  const uploadAll = async (): Promise<void> => {
    const ids = await Promise.all(uploads.map((text, n) => ingest.upload(1, `note-${n}.md`, text)));
    for (const id of ids) await ingest.until(1, id, "embedded");
  };

  it("is replaced by a search of the stored text", async () => {
    await uploadAll();
    await proxy.cut();
    for (const [question, answer] of [
      ["When is the kiln fired in happier weather?", "Mondays"],
      ["À quelle heure ouvre le café de la gare ?", "six heures"],
      ["Do bicycles travel free on the ferry?", "free of charge"],
    ] as const) {
      const found = await ingest.search(1, question);
      expect(found).toMatchObject({
        dense: false,
        fallback: { store: "Qdrant", searched: "stored-text" },
      });
      expect(textsOf(found.passages)[0]).toContain(answer);
    }
    // Another workspace's text isn't searched.
    expect((await ingest.search(2, "When is the kiln fired?")).passages).toEqual([]);
    await proxy.restore();
    await poll(() => ingest.search(1, "When is the kiln fired?")).toMatchObject({
      dense: true,
      fallback: null,
    });
  });

  it("makes documents wait, which are added when it is back", async () => {
    await proxy.cut();
    const id = await ingest.upload(1, "later.txt", "The archive opens on Thursdays.");
    await poll(() => statusOf(ingest, "later")).toMatchObject({
      state: "queued",
      reason: waitsFor("Qdrant"),
    });
    // Without a searchable document, the store is named rather than the workspace called empty.
    expect(await ingest.search(1, "When does the archive open?")).toMatchObject({
      documentCount: 0,
      passages: [],
      fallback: { store: "Qdrant", searched: "stored-text" },
    });
    await proxy.restore();
    await ingest.until(1, id, "embedded");
    expect(textsOf((await ingest.search(1, "When does the archive open?")).passages)[0]).toContain(
      "Thursdays",
    );
  });

  it("that hangs delays one question, not each", async () => {
    await uploadAll();
    await proxy.hang();
    await ingest.search(1, "When is the kiln fired?");
    const started = performance.now();
    const found = await ingest.search(1, "Do bicycles travel free on the ferry?");
    expect(performance.now() - started).toBeLessThan(5_000);
    expect(found.fallback).toEqual({ store: "Qdrant", searched: "stored-text" });
  });
});

describe("a folder of the built-in index that can't be read", () => {
  let ingest: TestIngest;
  const folder = () => path.join(ingest.config.CARREL_HOME, "index");
  /**
   * Puts something in the folder's place. The optimisation that follows an import may write to the
   * path between the two steps, and so create the folder again: it is removed then.
   */
  const replaceFolder = async (put: () => Promise<void>): Promise<void> => {
    for (;;) {
      await rm(folder(), { recursive: true, force: true });
      try {
        return await put();
      } catch (error) {
        if (
          !["EISDIR", "ENOTEMPTY", "EEXIST"].includes((error as NodeJS.ErrnoException).code ?? "")
        )
          throw error;
      }
    }
  };
  /** Simulates an unmounted disk, or another owner's folder, which root could still read. */
  const takeAway = async (): Promise<void> => {
    await rename(folder(), `${folder()}-away`);
    await replaceFolder(() => writeFile(folder(), ""));
  };
  const putBack = (): Promise<void> => replaceFolder(() => rename(`${folder()}-away`, folder()));
  beforeEach(async () => {
    ingest = await startTestIngest();
    await ingest.changeSettings(ingest.withEmbedder);
  });
  afterEach(() => ingest?.stop());

  it("makes documents wait and questions search the stored text until it is back", async () => {
    const first = await ingest.upload(1, "first.txt", "The kiln is fired on Mondays.");
    await ingest.until(1, first, "embedded");
    await takeAway();
    const second = await ingest.upload(1, "second.txt", "The loom in the attic is from Leiden.");
    await poll(() => statusOf(ingest, "second")).toMatchObject({
      state: "queued",
      reason: waitsFor("LanceDB"),
    });
    const found = await ingest.search(1, "When is the kiln fired?");
    expect(textsOf(found.passages)[0]).toContain("Mondays");
    await ingest.upload(2, "third.txt", "The harbour opens at six.");
    await poll(() => ingest.search(2, "When does the harbour open?")).toMatchObject({
      documentCount: 0,
      fallback: { store: "LanceDB" },
    });

    await putBack();
    await ingest.until(1, second, "embedded");
    await poll(() => ingest.search(1, "Where is the loom from?")).toMatchObject({ fallback: null });
    expect(textsOf((await ingest.search(1, "Where is the loom from?")).passages)[0]).toContain(
      "Leiden",
    );
  });
});
