import {
  cancelRun,
  CarrelError,
  createConnection,
  getConnection,
  getImport,
  importOnce,
  resumeRun,
  retryRun,
  revisionFailed,
  startRun,
  updateConnection,
} from "@carrel/contracts";
import { poll } from "@carrel/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import { startTestConnectors, type TestConnectors } from "../../test/test-connectors.ts";
import { WebsiteFixture } from "../source/website/website-site.fixture.ts";

const slug = "field-notes";
const text = (words: string): string =>
  `<p>${`${words}, which is more than a hundred characters long. `.repeat(3)}</p>`;

describe("a run over a source that is known", () => {
  let site: WebsiteFixture;
  let instance: TestConnectors;
  let settings: { url: string; depth: number; maxPages: number; sitemap: boolean };

  beforeAll(async () => {
    instance = await startTestConnectors((request, response) => site.listener(request, response));
  });
  beforeEach(async () => {
    site = new WebsiteFixture(12);
    site.hasVersions = true;
    instance.registrations.length = 0;
    instance.purged.length = 0;
    settings = {
      url: `${instance.address}/docs/tree/0.html`,
      depth: 3,
      maxPages: 50,
      sitemap: false,
    };
    await instance.sql("DELETE FROM connectors.connection");
  });
  afterAll(() => instance.stop());

  const create = async (): Promise<string> => {
    const { connection } = await instance.request(createConnection, {
      slug,
      connector: "website",
      settings,
    });
    await untilFinished(connection.id);
    return connection.id;
  };
  const get = async (connectionId: string) =>
    (await instance.request(getConnection, { slug, connectionId })).connection;
  const untilFinished = (connectionId: string) =>
    poll(async () => (await get(connectionId)).run?.state, { timeoutMs: 30_000 }).toBe("finished");
  const runAgain = async (connectionId: string) => {
    await instance.request(startRun, { slug, connectionId });
    await untilFinished(connectionId);
    return get(connectionId);
  };
  const edit = (connectionId: string, change: Partial<typeof settings>) =>
    instance.request(updateConnection, {
      slug,
      connectionId,
      settings: { ...settings, ...change },
    });
  const answerEverywhere = (
    answer: typeof site.answers extends Map<string, infer A> ? A : never,
  ) => {
    for (let page = 0; page < 12; page += 1) site.answers.set(`/docs/tree/${page}.html`, answer);
  };

  /** Once this page is asked for, the run has left something out. */
  const leaveOutAt = (path: string) =>
    site.answers.set(path, (_request, response) => {
      site.answers.delete(path);
      void instance
        .sql("UPDATE connectors.connection_run SET is_cut = true WHERE ended_at IS NULL")
        .then(() => response.writeHead(302, { location: path }).end());
    });

  it("asks for changes only", async () => {
    const connectionId = await create();
    const { documents, run } = await runAgain(connectionId);
    expect([documents, run]).toMatchObject([12, { found: 12, unchanged: 12, fetched: 0 }]);
    expect(instance.registrations).toHaveLength(12);
  });

  it("keeps the runs that changed something, however many didn't since", async () => {
    const connectionId = await create();
    await instance.sql(`INSERT INTO connectors.connection_run (
        id, connection_id, state, unchanged, created_at, ended_at
      )
      SELECT gen_random_uuid(), '${connectionId}', 'finished', 12, now() - (31 - n) * interval '1 ms', now()
      FROM generate_series(1, 30) AS n`);
    await runAgain(connectionId);
    const { runs } = await instance.request(getConnection, { slug, connectionId });
    expect(runs.map(({ fetched }) => fetched)).toEqual([...Array(20).fill(0), 12]);
  });

  it("fetches new content again that couldn't be read, though the source tells of no change", async () => {
    const connectionId = await create();
    const [item] = await instance.sql<{ documentId: string; sha256: string }>(
      `SELECT document_id AS "documentId", sha256 FROM connectors.source_item
      WHERE connection_id = '${connectionId}' ORDER BY ordinal LIMIT 1`,
    );
    const { documentId, sha256 } = item!;
    const state = async () =>
      (
        await instance.sql<{ state: string }>(
          `SELECT state FROM connectors.source_item WHERE document_id = '${documentId}'`,
        )
      )[0]?.state;
    const fault = { code: "file.transcription-not-set-up" };
    // Of content that is older than what the item has.
    await instance.tell(revisionFailed, { documentId, sha256: "0".repeat(64), fault });
    await instance.tell(revisionFailed, { documentId, sha256, fault });
    await poll(state).toBe("failed");
    instance.contents.delete(documentId);
    expect(await runAgain(connectionId)).toMatchObject({
      documents: 12,
      run: { found: 12, unchanged: 11, fetched: 1 },
    });
    expect(instance.revised).toEqual([documentId]);
    expect(await state()).toBe("fetched");
    expect(instance.registrations).toHaveLength(12);
  });

  it("imports what other settings add, and removes what they don't lead to, however much is left out", async () => {
    settings.maxPages = 4;
    const connectionId = await create();
    expect(await get(connectionId)).toMatchObject({ documents: 4 });
    await edit(connectionId, { maxPages: 50 });
    expect(await runAgain(connectionId)).toMatchObject({ documents: 12 });
    expect(instance.registrations).toHaveLength(12);
    leaveOutAt("/docs/mapped.html");
    await edit(connectionId, { url: `${instance.address}/docs/mapped.html`, depth: 0 });
    expect(await runAgain(connectionId)).toMatchObject({ documents: 1 });
    expect(new Set(instance.purged).size).toBe(12);
  });

  it("fetches everything whole once after other settings, also if much is left out", async () => {
    const connectionId = await create();
    await edit(connectionId, { maxPages: 40 });
    leaveOutAt("/docs/tree/0.html");
    const conditions: unknown[] = [];
    site.answers.set("/docs/tree/3.html", (request, response) => {
      conditions.push(request.headers["if-none-match"]);
      response.setHeader("etag", '"3"').setHeader("content-type", "text/html").end(text("Page"));
    });
    await runAgain(connectionId);
    // One that fails changes nothing about it.
    site.answers.set("/docs/tree/0.html", (_request, response) => response.writeHead(404).end());
    await instance.request(startRun, { slug, connectionId });
    await poll(async () => (await get(connectionId)).run?.state).toBe("failed");
    site.answers.delete("/docs/tree/0.html");
    await runAgain(connectionId);
    // The one that failed may have asked as well.
    expect([conditions.shift(), ...new Set(conditions)]).toEqual([undefined, '"3"']);
  });

  it.each([startRun, retryRun])(
    "follows every link after an import of other settings was cancelled: $name",
    async (next) => {
      const connectionId = await create();
      await edit(connectionId, { maxPages: 40 });
      const { promise: held, resolve: release } = Promise.withResolvers<void>();
      site.answers.set("/docs/tree/3.html", (_request, response) => {
        void held.then(() => response.writeHead(500).end());
      });
      await instance.request(startRun, { slug, connectionId });
      await poll(async () => (await get(connectionId)).run?.unchanged).toBe(11);
      await instance.request(cancelRun, { slug, connectionId });
      site.answers.clear();
      release();
      await instance.request(next, { slug, connectionId });
      await untilFinished(connectionId);
      expect(await runAgain(connectionId)).toMatchObject({ documents: 12, run: { found: 12 } });
      expect(instance.purged).toEqual([]);
    },
  );

  it("keeps documents beyond the limit of an earlier run", async () => {
    const connectionId = await create();
    await edit(connectionId, { maxPages: 50, depth: 2 });
    await instance.sql("UPDATE connectors.source_item SET state = 'skipped'");
    expect(await runAgain(connectionId)).toMatchObject({ documents: 12 });
    expect(instance.purged).toEqual([]);
  });

  it("keeps what a site hides behind another page during an outage", async () => {
    const connectionId = await create();
    answerEverywhere((_request, response) => {
      response.writeHead(302, { location: "/status" }).end();
    });
    site.answers.set("/status", (_request, response) => {
      response.setHeader("content-type", "text/html").end(text("Down for maintenance"));
    });
    const kept = { failed: 12, fault: { code: "source.seems-down", params: { count: 12 } } };
    expect(await runAgain(connectionId)).toMatchObject({ run: kept });
    expect(instance.purged).toEqual([]);
    answerEverywhere((_request, response) => {
      response
        .setHeader("content-type", "text/html")
        .end(`<meta name="robots" content="noindex">${text("Staging")}`);
    });
    expect(await runAgain(connectionId)).toMatchObject({ run: kept });
    expect(instance.purged).toEqual([]);
    answerEverywhere((_request, response) => {
      response.setHeader("content-type", "text/html").end(text("Back soon"));
    });
    await runAgain(connectionId);
    expect(instance.purged.length).toBeLessThanOrEqual(1);
  });

  it("follows pages that moved, and forgets those that no longer want to be read", async () => {
    const connectionId = await create();
    site.answers.set("/docs/tree/10.html", (_request, response) => {
      response.writeHead(301, { location: "new/10.html" }).end();
    });
    site.answers.set("/docs/tree/new/10.html", (_request, response) => {
      response.setHeader("content-type", "text/html").end(text("Page ten has moved"));
    });
    site.answers.set("/docs/tree/11.html", (_request, response) => {
      response.setHeader("x-robots-tag", "noindex").setHeader("content-type", "text/html");
      response.end(text("Hidden"));
    });
    expect(await runAgain(connectionId)).toMatchObject({
      documents: 11,
      run: { fetched: 1, unchanged: 10, skipped: 2, failed: 0, fault: null },
    });
    expect(new Set(instance.purged).size).toBe(2);
    expect(instance.registrations.at(-1)!.input.metadata.chunkSource).toMatch(/\/new\/10\.html$/);
  });

  it("doesn't ask for lost pages again that nothing leads to, until something does", async () => {
    const connectionId = await create();
    const start = "/docs/tree/0.html";
    const lead = (...pages: number[]) =>
      site.answers.set(start, (_request, response) => {
        const links = pages.map((page) => `<a href="${page}.html">link</a>`).join(" ");
        response.setHeader("content-type", "text/html").end(text(`To ${links}`) + links);
      });
    const lose = (page: number) =>
      site.answers.set(`/docs/tree/${page}.html`, (_request, response) => {
        response.writeHead(404).end();
      });
    /** The pages asked for in a run, without redirects. */
    const askedIn = async () => {
      site.requests.length = 0;
      const { documents } = await runAgain(connectionId);
      const asked = site.requests.flatMap((path) => /(\d+)\.html$/.exec(path)?.[1] ?? []);
      return { documents, asked: new Set(asked.map(Number)) };
    };
    lead(1, 2, 3, 4, 6, 7, 8, 9, 10);
    lose(5);
    // Only the unchanged page 1 leads to it.
    lose(11);
    expect(await askedIn()).toMatchObject({ documents: 10 });
    for (let run = 0; run < 2; run += 1) {
      const { documents, asked } = await askedIn();
      expect([documents, asked.has(5), asked.has(11)]).toEqual([10, false, true]);
    }
    expect(await instance.sql("SELECT key FROM connectors.source_item")).toHaveLength(11);
    site.answers.delete("/docs/tree/11.html");
    expect(await askedIn()).toMatchObject({ documents: 11 });
    site.answers.delete("/docs/tree/5.html");
    lead(5);
    expect(await askedIn()).toMatchObject({ documents: 12 });
  });

  it("keeps the pause that a host asks for, between all of its sources", async () => {
    site.robots = "User-agent: *\nCrawl-delay: 1\n";
    const at: number[] = [];
    for (let page = 0; page < 12; page += 1)
      site.answers.set(`/docs/tree/${page}.html`, (_request, response) => {
        at.push(performance.now());
        response.setHeader("content-type", "text/html").end(text(`Page number ${page}`));
      });
    const start = async (page: number) => {
      const url = `${instance.address}/docs/tree/${page}.html`;
      const { connection } = await instance.request(createConnection, {
        slug,
        connector: "website",
        settings: { ...settings, url, depth: 0 },
      });
      return connection.id;
    };
    const ids = [await start(1), await start(2)];
    for (const id of ids) await untilFinished(id);
    // Each is listed (its start is read) and fetched.
    expect(at).toHaveLength(4);
    // Three pauses; each on its own, the sources would need one.
    expect(at.at(-1)! - at[0]!).toBeGreaterThan(2_000);
  });

  it("replaces what a lost process registered if the source has changed since", async () => {
    settings.depth = 0;
    const connectionId = await create();
    const [{ id }] = (await instance.sql<{ id: string }>(
      "SELECT document_id AS id FROM connectors.source_item",
    )) as [{ id: string }];
    // As if it had been registered, but not recorded.
    await instance.sql(`UPDATE connectors.source_item SET state = 'pending', document_id = NULL,
      sha256 = NULL, version = NULL, fingerprint = NULL`);
    await instance.sql("UPDATE connectors.connection_run SET state = 'paused', ended_at = NULL");
    site.answers.set("/docs/tree/0.html", (_request, response) => {
      response.setHeader("content-type", "text/html").end(text("Another text"));
    });
    instance.revised.length = 0;
    await instance.request(resumeRun, { slug, connectionId });
    await untilFinished(connectionId);
    expect(instance.registrations).toHaveLength(2);
    expect(instance.revised).toEqual([id]);
    expect(await runAgain(connectionId)).toMatchObject({ documents: 1, run: { unchanged: 1 } });
  });

  it("imports a copy once its original is gone", async () => {
    for (const page of [3, 5])
      site.answers.set(`/docs/tree/${page}.html`, (_request, response) => {
        response.setHeader("content-type", "text/html").end(text("The same"));
      });
    const connectionId = await create();
    const stateOf = async (condition: string) =>
      (
        await instance.sql<{ page: number; state: string }>(
          `SELECT substring(address FROM '(\\d+).html')::int AS page, state
          FROM connectors.source_item WHERE ${condition}`,
        )
      )[0]!;
    const copy = await stateOf("fault->>'code' = 'source.same-as'");
    const original = copy.page === 3 ? 5 : 3;
    site.answers.set(`/docs/tree/${original}.html`, (_request, response) => {
      response.writeHead(404).end();
    });
    site.answers.set(`/docs/tree/${copy.page}.html`, (_request, response) => {
      void poll(async () => (await stateOf(`address LIKE '%/${original}.html'`)).state)
        .toBe("failed")
        .then(() => response.setHeader("content-type", "text/html").end(text("The same")));
    });
    expect(await runAgain(connectionId)).toMatchObject({ documents: 11 });
    expect(await stateOf(`address LIKE '%/${copy.page}.html'`)).toMatchObject({ state: "fetched" });
  });

  it("waits for a busy ingest as long as it takes, and goes on without a sitemap", async () => {
    settings.sitemap = true;
    site.answers.set("/sitemap.xml", (_request, response) => response.writeHead(500).end());
    instance.refuse(new CarrelError("document.queue-full", {}, { retryAfter: 1 }));
    const { connection } = await instance.request(createConnection, {
      slug,
      connector: "website",
      settings,
    });
    await poll(async () => (await get(connection.id)).run?.waitsUntil).not.toBeNull();
    // As if it had been busy for long.
    await instance.sql("UPDATE connectors.connection_run SET waits = 30");
    instance.refuse(null);
    await untilFinished(connection.id);
    expect(await get(connection.id)).toMatchObject({ documents: 12, run: { failed: 0 } });
  });

  it("puts what existing clients import into a folder of its own", async () => {
    const { runId } = await instance.request(importOnce, {
      connector: "website",
      settings,
      embed: false,
    });
    await poll(async () => (await instance.request(getImport, { runId })).documentIds.length, {
      timeoutMs: 30_000,
    }).toBe(12);
    const folders = new Set(instance.registrations.map(({ input }) => input.folder));
    expect([...folders]).toEqual([expect.stringMatching(/^127\.0\.0\.1-[0-9a-f]{4}$/)]);
  });
});
