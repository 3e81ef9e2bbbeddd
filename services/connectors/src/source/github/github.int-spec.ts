import { createConnection, getConnection, refreshDocument, startRun } from "@carrel/contracts";
import { poll } from "@carrel/testing";
import { afterAll, beforeAll, expect, it } from "@jest/globals";
import { startTestConnectors, type TestConnectors } from "../../../test/test-connectors.ts";
import { GithubFixture } from "./github-server.fixture.ts";

const slug = "field-notes";
const server = new GithubFixture();
let instance: TestConnectors;

beforeAll(async () => {
  [instance] = await Promise.all([
    startTestConnectors((_request, response) => void response.end()),
    server.start(),
  ]);
}, 60_000);
afterAll(() => Promise.all([instance.stop(), server.stop()]));

it("keeps a workspace's documents as the repository is, also after its history was rewritten", async () => {
  const notes = Object.fromEntries(
    Array.from({ length: 40 }, (_, n) => [`notes/${n}.md`, `Note ${n}`]),
  );
  const first = server.commit({ ...notes, "old.md": "Moved", "gone.md": "Deleted" });
  const settings = { repo: server.repo };
  const { connection } = await instance.request(createConnection, {
    slug,
    connector: "github",
    settings,
    credential: { token: "secret-token" },
  });
  const { id: connectionId } = connection;
  const untilEnd = async () => {
    await poll(
      async () =>
        (await instance.request(getConnection, { slug, connectionId })).connection.run?.state,
      { timeoutMs: 60_000 },
    ).toBe("finished");
    return (await instance.request(getConnection, { slug, connectionId })).connection;
  };
  expect((await untilEnd()).documents).toBe(42);
  const { input } = instance.registrations.find((each) =>
    each.input.metadata.title?.endsWith("/0.md"),
  )!;
  expect(input).toMatchObject({
    metadata: {
      title: "notes/0.md",
      url: "github://notes/0.md",
      chunkSource: `github://${server.repo}/blob/main/notes/0.md`,
    },
  });
  expect(JSON.stringify(instance.registrations)).not.toContain("secret-token");

  server.commit({ ...notes, "notes/1.md": "Changed", "new.md": "Moved" });
  await instance.request(startRun, { slug, connectionId });
  const changed = await untilEnd();
  expect(changed.run).toMatchObject({ found: 2, fetched: 2 });
  expect(changed.documents).toBe(41);

  for (const commit of [...server.commits.keys()]) server.commits.delete(commit);
  server.commit({ "notes/2.md": "Note 2", "rewritten.md": "Rewritten" });
  expect(server.commits.has(first)).toBe(false);
  await instance.request(startRun, { slug, connectionId });
  const rewritten = await untilEnd();
  expect(rewritten.run).toMatchObject({ found: 2, unchanged: 1, fetched: 1 });
  expect(rewritten.documents).toBe(2);
  // Of 45, those are left that the repository has.
  const left = [...instance.documents].filter((id) => !instance.purged.includes(id));
  const items = await instance.sql<{ id: string }>(
    "SELECT document_id AS id FROM connectors.source_item WHERE document_id IS NOT NULL",
  );
  expect(left.toSorted()).toEqual(items.map(({ id }) => id).toSorted());
}, 120_000);

it("brings a single document up to date with its branch", async () => {
  const [{ id: documentId, version }] = (await instance.sql<{ id: string; version: string }>(
    `SELECT document_id AS id, version FROM connectors.source_item WHERE key = 'file:rewritten.md'`,
  )) as [{ id: string; version: string }];
  const refresh = () =>
    instance.request(refreshDocument, {
      documentId,
      chunkSource: `github://${server.repo}/blob/main/rewritten.md`,
    });
  expect(await refresh()).toEqual({ outcome: "unchanged", fault: null });
  const commit = server.commit({ "rewritten.md": "Written again" });
  expect(await refresh()).toEqual({ outcome: "changed", fault: null });
  const [stored] = await instance.sql<{ version: string; commit: string; id: string }>(
    `SELECT version, item->>'commit' AS commit, document_id AS id FROM connectors.source_item
    WHERE key = 'file:rewritten.md'`,
  );
  expect(stored).toMatchObject({ commit, id: documentId });
  expect(stored!.version).not.toBe(version);
  expect(await refresh()).toEqual({ outcome: "unchanged", fault: null });
  server.commit({ "other.md": "Other" });
  expect(await refresh()).toMatchObject({ outcome: "missing", fault: { code: "source.missing" } });
});
