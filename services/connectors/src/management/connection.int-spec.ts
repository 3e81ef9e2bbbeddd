import {
  cancelRun,
  checkConnection,
  createConnection,
  getConnection,
  listConnections,
  listConnectors,
  pauseRun,
  previewConnection,
  removeConnection,
  resumeRun,
  retryRun,
  startRun,
  updateConnection,
  type Scope,
} from "@carrel/contracts";
import { poll } from "@carrel/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import { startTestConnectors, type TestConnectors } from "../../test/test-connectors.ts";
import { WebsiteFixture } from "../source/website/website-site.fixture.ts";

const slug = "field-notes";
const member = (userId: number): Scope => ({
  principal: { kind: "user", userId, role: "default", may: ["uploadDocuments"] },
  workspace: { id: 7, slug },
});

describe("a workspace's sources", () => {
  let site: WebsiteFixture;
  let instance: TestConnectors;

  beforeAll(async () => {
    instance = await startTestConnectors((request, response) => site.listener(request, response));
  });
  beforeEach(async () => {
    site = new WebsiteFixture(12);
    instance.registrations.length = 0;
    instance.revised.length = 0;
    instance.purged.length = 0;
    instance.documents.clear();
    await instance.sql("DELETE FROM connectors.connection");
  });
  afterAll(() => instance.stop());

  const create = async (more: object = {}, start = true): Promise<string> => {
    const { connection } = await instance.request(createConnection, {
      slug,
      connector: "website",
      start,
      settings: {
        url: `${instance.address}/docs/tree/0.html`,
        depth: 3,
        maxPages: 50,
        sitemap: false,
        ...more,
      },
    });
    return connection.id;
  };
  const get = (connectionId: string) => instance.request(getConnection, { slug, connectionId });
  const untilState = (connectionId: string, state: string) =>
    poll(async () => (await get(connectionId)).connection.run?.state, {
      timeoutMs: 30_000,
    }).toBe(state);

  it("fetches nothing again that hasn't changed, and follows what has", async () => {
    const connectionId = await create();
    await untilState(connectionId, "finished");
    expect(instance.registrations).toHaveLength(12);
    const [before] = await instance.sql<{ id: string; other: string }>(
      `SELECT
        (SELECT document_id FROM connectors.source_item WHERE address LIKE '%/3.html') AS id,
        (SELECT document_id FROM connectors.source_item WHERE address LIKE '%/5.html') AS other`,
    );
    site.answers.set("/docs/tree/3.html", (_request, response) => {
      response.setHeader("content-type", "text/html").end("<p>Changed text of page three.</p>");
    });
    site.answers.set("/docs/tree/5.html", (_request, response) => {
      response.writeHead(410).end();
    });
    await instance.request(startRun, { slug, connectionId });
    await untilState(connectionId, "finished");
    const { connection, runs } = await get(connectionId);
    expect(runs).toHaveLength(2);
    expect(connection.run).toMatchObject({ fetched: 1, unchanged: 10, skipped: 1, failed: 0 });
    expect(instance.registrations).toHaveLength(12);
    expect(instance.revised).toEqual([before!.id]);
    expect(instance.purged).toEqual([before!.other]);
    expect(connection.documents).toBe(11);
  });

  it("pauses, resumes, cancels, and retries what failed", async () => {
    let failing = true;
    site.answers.set("/docs/tree/4.html", (_request, response) => {
      if (failing) response.writeHead(400).end();
      else
        response
          .setHeader("content-type", "text/html")
          .end('<p>Allowed now.</p><a href="1.html">More</a>');
    });
    // Nobody may read it; trying again wouldn't help.
    site.answers.set("/docs/tree/5.html", (_request, response) => response.writeHead(403).end());
    const connectionId = await create({}, false);
    await expect(instance.request(pauseRun, { slug, connectionId })).rejects.toMatchObject({
      code: "source.not-importing",
    });
    await expect(instance.request(retryRun, { slug, connectionId })).rejects.toMatchObject({
      code: "source.never-imported",
    });
    const { promise: held, resolve: release } = Promise.withResolvers<void>();
    site.answers.set("/docs/tree/0.html", (_request, response) => {
      void held.then(() => {
        site.answers.delete("/docs/tree/0.html");
        response.writeHead(302, { location: "0.html" }).end();
      });
    });
    await instance.request(startRun, { slug, connectionId });
    await untilState(connectionId, "running");
    const { run } = await instance.request(pauseRun, { slug, connectionId });
    expect(run.state).toBe("paused");
    release();
    await instance.request(resumeRun, { slug, connectionId });
    await untilState(connectionId, "finished");
    expect((await get(connectionId)).connection.run).toMatchObject({
      fetched: 10,
      skipped: 1,
      failed: 1,
    });

    failing = false;
    const requests = site.requests.length;
    await instance.request(retryRun, { slug, connectionId });
    await untilState(connectionId, "finished");
    expect((await get(connectionId)).connection).toMatchObject({
      documents: 11,
      run: { found: 1, fetched: 1, failed: 0 },
    });
    expect(site.requests.slice(requests)).toEqual(["/robots.txt", "/docs/tree/4.html"]);
  });

  it("cancels an import and keeps its documents, or removes them with the source", async () => {
    const { promise: cancelled, resolve: release } = Promise.withResolvers<void>();
    site.answers.set("/docs/tree/7.html", (_request, response) => {
      void cancelled.then(() => response.writeHead(404).end());
    });
    const connectionId = await create();
    await poll(async () => (await get(connectionId)).connection.run?.fetched).toBe(11);
    const { run } = await instance.request(cancelRun, { slug, connectionId });
    expect([run.state, instance.purged]).toEqual(["cancelled", []]);
    release();
    expect(
      await instance.request(removeConnection, { slug, connectionId, documents: true }),
    ).toEqual({ success: true, documents: 11 });
    expect(new Set(instance.purged).size).toBe(11);
    expect(await instance.request(listConnections, { slug })).toEqual({ connections: [] });
  });

  it("keeps its documents when only the source is removed", async () => {
    const connectionId = await create();
    await untilState(connectionId, "finished");
    expect(await instance.request(removeConnection, { slug, connectionId })).toEqual({
      success: true,
      documents: 0,
    });
    expect(await instance.request(listConnections, { slug })).toEqual({ connections: [] });
    expect([
      instance.purged,
      await instance.sql("SELECT 1 FROM connectors.stale_document"),
    ]).toEqual([[], []]);
  });

  it("leaves no document behind when it is removed in the middle of an import", async () => {
    const connectionId = await create();
    await untilState(connectionId, "finished");
    const { promise: held, resolve: release } = Promise.withResolvers<void>();
    for (let page = 1; page < 12; page += 1)
      site.answers.set(`/docs/tree/${page}.html`, (_request, response) => {
        const send = () =>
          response
            .setHeader("content-type", "text/html")
            .end(`<p>${`The new text of page ${page}, long enough. `.repeat(4)}</p>`);
        if (page < 6) send();
        else void held.then(send);
      });
    await instance.request(startRun, { slug, connectionId });
    await poll(() => instance.revised.length).toBe(5);
    await poll(async () => (await get(connectionId)).connection.run?.fetched).toBe(5);
    await instance.request(removeConnection, { slug, connectionId, documents: true });
    release();
    // Pages that were on their way find their documents gone and are registered anew; nothing refers
    // to those then.
    await poll(() => instance.documents.size, { timeoutMs: 10_000 }).toBe(18);
    await poll(() => new Set(instance.purged).size, { timeoutMs: 10_000 }).toBe(18);
    expect(new Set(instance.purged)).toEqual(instance.documents);
    await poll(() => instance.sql("SELECT 1 FROM connectors.stale_document")).toEqual([]);
  });

  it("says why a source can't be read, and what it would import", async () => {
    const draft = (path: string) => ({
      slug,
      connector: "website",
      settings: { url: `${instance.address}${path}` },
    });
    expect(await instance.request(checkConnection, draft("/docs/"))).toEqual({
      success: true,
      fault: null,
    });
    expect(await instance.request(checkConnection, draft("/docs/missing.html"))).toMatchObject({
      success: false,
      fault: { code: "source.missing" },
    });
    expect(await instance.request(checkConnection, draft("/docs/secret/a.html"))).toMatchObject({
      fault: { code: "source.robots" },
    });
    expect(await instance.request(previewConnection, draft("/docs/"))).toMatchObject({
      items: 2,
      isComplete: false,
      permissions: false,
    });
    expect(instance.registrations).toEqual([]);
    await expect(
      instance.request(createConnection, { slug, connector: "nothing", settings: {} }),
    ).rejects.toMatchObject({ code: "source.connector-unknown" });
    await expect(
      instance.request(createConnection, {
        slug,
        connector: "website",
        settings: { url: "javascript:alert(1)" },
      }),
    ).rejects.toMatchObject({ code: "source.setting-invalid", params: { field: "url" } });
    const { connectors } = await instance.request(listConnectors, {});
    expect(connectors.map(({ id }) => id)).toContain("website");
    expect(connectors.map(({ id }) => id)).not.toContain("link");
  });

  it("fails with a reason when nothing can be listed", async () => {
    site.answers.set("/docs/tree/0.html", (_request, response) => {
      response.writeHead(404).end("gone");
    });
    const connectionId = await create();
    await untilState(connectionId, "failed");
    expect((await get(connectionId)).connection.run!.fault).toMatchObject({
      code: "source.missing",
    });
    expect(instance.registrations).toEqual([]);
  });

  it("lets members change only their own", async () => {
    const connectionId = await create({}, false);
    const own = await instance.request(
      createConnection,
      { slug, connector: "website", start: false, settings: { url: `${instance.address}/docs/` } },
      member(5),
    );
    const { connections } = await instance.request(listConnections, { slug }, member(5));
    expect(connections.map(({ id, mayChange }) => [id, mayChange])).toEqual([
      [connectionId, false],
      [own.connection.id, true],
    ]);
    const rename = (id: string, userId: number) =>
      instance.request(
        updateConnection,
        { slug, connectionId: id, name: "Handbook" },
        member(userId),
      );
    await expect(rename(connectionId, 5)).rejects.toMatchObject({ code: "source.of-another" });
    await expect(rename(own.connection.id, 6)).rejects.toMatchObject({ code: "source.of-another" });
    expect((await rename(own.connection.id, 5)).connection.name).toBe("Handbook");
    for (const action of [startRun, pauseRun, resumeRun, cancelRun, retryRun, removeConnection])
      await expect(
        instance.request(action, { slug, connectionId: own.connection.id }, member(6)),
      ).rejects.toMatchObject({ code: "source.of-another" });
    await expect(
      instance.request(
        getConnection,
        { slug: "other", connectionId },
        { ...member(5), workspace: { id: 8, slug: "other" } },
      ),
    ).rejects.toMatchObject({ code: "source.not-found" });
  });

  it("keeps its settings while an import of them begins", async () => {
    const connectionId = await create({}, false);
    await instance.sql("BEGIN");
    await instance.sql("UPDATE connectors.connection SET updated_at = now()");
    const edited = instance.request(updateConnection, {
      slug,
      connectionId,
      settings: { url: `${instance.address}/docs/` },
    });
    const refused = expect(edited).rejects.toMatchObject({ code: "source.importing" });
    const waiting = `SELECT FROM pg_stat_activity
      WHERE datname = current_database() AND wait_event_type = 'Lock'`;
    await poll(async () => (await instance.sql(waiting)).length).toBeGreaterThan(0);
    await instance.sql(`INSERT INTO connectors.connection_run (id, connection_id, state)
      VALUES (gen_random_uuid(), '${connectionId}', 'paused')`);
    await instance.sql("COMMIT");
    await refused;
  });

  it("doesn't send the credential of another edit at the same time to its own server", async () => {
    const settings = { repo: "https://git.example.com/carrel-app/field-notes" };
    const { connection } = await instance.request(createConnection, {
      slug,
      connector: "gitea",
      start: false,
      settings,
      credential: { token: "first" },
    });
    await instance.sql("BEGIN");
    await instance.sql(`UPDATE connectors.connection SET
      settings = jsonb_set(settings, '{repo}', '"https://git.example.org/carrel-app/notes"')`);
    const edited = instance.request(updateConnection, {
      slug,
      connectionId: connection.id,
      settings: { ...settings, branch: "main" },
    });
    const refused = expect(edited).rejects.toMatchObject({ code: "source.credential-due" });
    const isWaiting = () =>
      instance.sql<unknown>(
        "SELECT 1 FROM pg_locks WHERE NOT granted AND pg_backend_pid() = ANY(pg_blocking_pids(pid))",
      );
    await poll(async () => (await isWaiting()).length).toBeGreaterThan(0);
    await instance.sql("COMMIT");
    await refused;
  });

  it("can be repaired when its credential or settings are no longer readable", async () => {
    const settings = { repo: "https://github.com/carrel-app/field-notes" };
    const { connection } = await instance.request(createConnection, {
      slug,
      connector: "github",
      start: false,
      settings,
      credential: { token: "first" },
    });
    const change = (input: object) =>
      instance.request(updateConnection, { slug, connectionId: connection.id, ...input });
    // As after another CARREL_SECRET.
    await instance.sql("UPDATE connectors.connection SET sealed_credential = 'unreadable'");
    await change({ name: "Field notes" });
    await expect(change({ settings: { ...settings, branch: "main" } })).rejects.toMatchObject({
      code: "source.credential-unreadable",
    });
    await change({ credential: { token: "second" } });
    // As after an upgrade.
    await instance.sql(`UPDATE connectors.connection SET settings = '{"place":"elsewhere"}'`);
    await expect(change({ settings })).rejects.toMatchObject({ code: "source.credential-due" });
    await change({ settings, credential: { token: "third" } });
    expect((await get(connection.id)).connection).toMatchObject({ name: "Field notes", settings });
  });

  it("takes turns: a small source doesn't wait for a slow one", async () => {
    const waiting: (() => void)[] = [];
    for (let page = 1; page < 12; page += 1)
      site.answers.set(`/docs/tree/${page}.html`, (_request, response) => {
        waiting.push(() => response.writeHead(404).end());
      });
    const slow = await create();
    await poll(() => waiting.length).toBe(4);
    const small = await create({ url: `${instance.address}/docs/mapped.html`, depth: 0 });
    await untilState(small, "finished");
    expect((await get(slow)).connection.run!.state).toBe("running");
    for (const page of site.answers.keys()) site.answers.delete(page);
    for (const release of waiting) release();
    await untilState(slow, "finished");
  });
});
