import { randomUUID } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import {
  createConnection,
  getConnection,
  getImport,
  importOnce,
  refreshDocument,
  updateConnection,
  type Out,
} from "@carrel/contracts";
import { poll } from "@carrel/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import { startTestConnectors, type TestConnectors } from "../../test/test-connectors.ts";

interface Page {
  text: string;
  etag?: string;
  status?: number;
  headers?: Record<string, string>;
  isAsked?: () => void;
  /** Until it answers. */
  held?: Promise<void>;
}

describe("bringing a document up to date", () => {
  let instance: TestConnectors;
  let page: Page;
  let asked: IncomingHttpHeaders[];
  let robots = "";
  const link = (): string => `${instance.address}/page`;

  beforeAll(async () => {
    instance = await startTestConnectors((request, response) => {
      if (request.url === "/robots.txt") return void response.end(robots);
      if (request.url !== "/page") return void response.writeHead(404).end();
      asked.push(request.headers);
      if (page.status !== undefined)
        return void response.writeHead(page.status, page.headers).end("No.");
      if (page.etag !== undefined) response.setHeader("etag", page.etag);
      if (page.etag !== undefined && request.headers["if-none-match"] === page.etag)
        return void response.writeHead(304).end();
      page.isAsked?.();
      void Promise.resolve(page.held).then(() =>
        response.setHeader("content-type", "text/html").end(page.text),
      );
    });
  });
  afterAll(() => instance.stop());
  beforeEach(() => {
    page = { text: "<p>Tides.</p>", etag: '"1"' };
    asked = [];
  });

  const refresh = (documentId: string): Promise<Out<typeof refreshDocument>> =>
    instance.request(refreshDocument, { documentId, chunkSource: `link://${link()}` });

  it("asks with the version it has, and takes new content", async () => {
    const { documentId } = await instance.fetch(link());
    expect(await refresh(documentId)).toEqual({ outcome: "unchanged", fault: null });
    expect(asked.map((headers) => headers["if-none-match"])).toEqual([undefined, '"1"']);

    page = { text: "<p>Higher tides.</p>", etag: '"2"' };
    expect(await refresh(documentId)).toEqual({ outcome: "changed", fault: null });
    const [{ id }] = (await instance.sql<{ id: string }>(
      "SELECT document_id AS id FROM connectors.source_item ORDER BY ordinal DESC LIMIT 1",
    )) as [{ id: string }];
    expect(await refresh(id)).toEqual({ outcome: "unchanged", fault: null });
    expect(asked.at(-1)!["if-none-match"]).toBe('"2"');
  });

  it("compares the bytes if the page has no version", async () => {
    page = { text: "<p>Moon.</p>" };
    const { documentId } = await instance.fetch(link());
    expect(await refresh(documentId)).toEqual({ outcome: "unchanged", fault: null });
    expect(asked.at(-1)!["if-none-match"]).toBeUndefined();
  });

  it("tells what is missing, what failed, and what asks to wait", async () => {
    const { documentId } = await instance.fetch(link());
    page = { text: "", status: 404 };
    expect(await refresh(documentId)).toMatchObject({
      outcome: "missing",
      fault: { code: "source.missing" },
    });
    page = { text: "", status: 500 };
    expect(await refresh(documentId)).toMatchObject({
      outcome: "failed",
      fault: { code: "source.failing" },
    });
    page = { text: "", status: 429, headers: { "retry-after": "120" } };
    expect(await refresh(documentId)).toEqual({ outcome: "waiting", fault: null, retryAfter: 120 });
    page = { text: "<p>Tides.</p>", etag: '"1"' };
    expect(await refresh(documentId)).toEqual({ outcome: "unchanged", fault: null });
  });

  it("keeps the pause that a site asks for", async () => {
    const { runId } = await instance.request(importOnce, {
      connector: "website",
      settings: { url: link(), depth: 0, sitemap: false },
      embed: false,
    });
    await poll(async () => (await instance.request(getImport, { runId })).run.state).toBe(
      "finished",
    );
    const { documentIds } = await instance.request(getImport, { runId });
    robots = "User-agent: *\nCrawl-delay: 1\n";
    asked = [];
    await instance.sql(`INSERT INTO connectors.host_turn (host, next_at)
      VALUES ('${new URL(link()).host}', now() + interval '1 minute')`);
    expect(await refresh(documentIds[0]!)).toEqual({
      outcome: "waiting",
      fault: null,
      retryAfter: expect.any(Number),
    });
    expect(asked).toEqual([]);
    await instance.sql("DELETE FROM connectors.host_turn");
    expect(await refresh(documentIds[0]!)).toEqual({ outcome: "unchanged", fault: null });
    robots = "";
  });

  it("adopts links from before their sources were kept, and nothing else", async () => {
    const documentId = randomUUID();
    expect(await refresh(documentId)).toMatchObject({ outcome: "changed" });
    expect(
      await instance.request(refreshDocument, {
        documentId: randomUUID(),
        chunkSource: "github://https://github.com/a/b",
      }),
    ).toEqual({ outcome: "unknown", fault: { code: "watch.source-unknown" } });
  });

  it("leaves an item to the next import if its source gets other settings meanwhile", async () => {
    const slug = "field-notes";
    const settings = { url: link(), depth: 0, sitemap: false };
    const {
      connection: { id: connectionId },
    } = await instance.request(createConnection, { slug, connector: "website", settings });
    await poll(
      async () =>
        (await instance.request(getConnection, { slug, connectionId })).connection.run?.state,
    ).toBe("finished");
    const items = () =>
      instance.sql<{ id: string; version: string | null }>(
        `SELECT document_id AS id, version FROM connectors.source_item
        WHERE connection_id = '${connectionId}'`,
      );
    const [item] = await items();
    const isAsked = Promise.withResolvers<void>();
    const held = Promise.withResolvers<void>();
    page = { text: "<p>Low tides.</p>", etag: '"2"', isAsked: isAsked.resolve, held: held.promise };
    const refreshed = refresh(item!.id);
    await isAsked.promise;
    await instance.request(updateConnection, {
      slug,
      connectionId,
      settings: { ...settings, maxPages: 40 },
    });
    held.resolve();
    expect(await refreshed).toMatchObject({ outcome: "changed" });
    expect(await items()).toEqual([{ id: item!.id, version: null }]);
  });

  it("keeps what was imported once as long as its document", async () => {
    const { runId } = await instance.request(importOnce, {
      connector: "link",
      settings: { link: link() },
      credential: { authorization: "Bearer x" },
      embed: false,
    });
    await poll(async () => (await instance.request(getImport, { runId })).run.state).toBe(
      "finished",
    );
    const { documentIds } = await instance.request(getImport, { runId });
    expect(await refresh(documentIds[0]!)).toEqual({ outcome: "unchanged", fault: null });
    expect(asked.at(-1)!.authorization).toBe("Bearer x");
    const kept = () =>
      instance.sql(
        `SELECT expires_at, sealed_credential IS NOT NULL AS sealed FROM connectors.connection
        ORDER BY created_at DESC LIMIT 1`,
      );
    expect(await kept()).toEqual([{ expires_at: null, sealed: true }]);
  });
});
