import { deriveKey, instanceSecret } from "@carrel/config";
import {
  getDocumentStates,
  getDocumentText,
  listDocumentCounts,
  listDocumentStatuses,
  multiUserEnabled,
  removeWorkspaceDocument,
  retryDocument,
  searchPassages,
  type CarrelError,
  type Principal,
} from "@carrel/contracts";
import { eventMessage } from "@carrel/messaging";
import { LinkTokens } from "@carrel/storage";
import { waitFor, poll } from "@carrel/testing";
import { afterAll, beforeAll, expect, it } from "@jest/globals";
import { startTestIngest, workspaceScope, type TestIngest } from "../test/test-ingest.ts";

let ingest: TestIngest;
beforeAll(async () => {
  ingest = await startTestIngest();
});
afterAll(async () => {
  await ingest?.stop();
});

const member: Principal = { kind: "user", userId: 7, role: "default" };
const as = (workspaceId: number, principal: Principal) => ({
  ...workspaceScope(workspaceId),
  principal,
});
const unknown = "00000000-0000-4000-8000-000000000000";

it("lets members remove others' documents from their own workspace while they may create some", async () => {
  const documentId = await ingest.upload(1, "plan.txt", "The mast is raised in May.");
  const removeAs = (may: Principal["may"]) =>
    ingest.client.request(
      removeWorkspaceDocument,
      { slug: "w1", documentId },
      {
        scope: {
          principal: { ...member, may },
          workspace: { ...workspaceScope(1).workspace, isOwn: true },
        },
      },
    );
  await expect(removeAs(["uploadDocuments"])).rejects.toMatchObject({
    code: "access.documents-of-others",
  });
  expect(await removeAs(["createWorkspaces"])).toEqual({ success: true });
});

it("shows and changes a document only through a workspace that holds it, and treats a foreign one as unknown", async () => {
  const id = await ingest.upload(1, "secret.txt", "The treasure lies under the third oak.");
  await ingest.until(1, id, "searchable", "embedding", "embedded");
  const scope = as(2, member);
  const replies = (documentId: string) =>
    Promise.all(
      [
        ingest.client.request(getDocumentText, { slug: "w2", documentId }, { scope }),
        ingest.client.request(
          retryDocument,
          { slug: "w2", documentId },
          { scope: as(2, { ...member, role: "manager" }) },
        ),
        ingest.client.request(
          removeWorkspaceDocument,
          { slug: "w2", documentId },
          { scope: as(2, { ...member, role: "manager" }) },
        ),
      ].map((reply) =>
        reply.then(
          (value: unknown) => ({ value }),
          ({ kind, code, message }: CarrelError) => ({ kind, code, message }),
        ),
      ),
    );
  expect(await replies(id)).toEqual(await replies(unknown));
  expect((await replies(id))[0]).toMatchObject({ kind: "DOCUMENT_NOT_FOUND" });
  expect(
    (await ingest.client.request(listDocumentStatuses, { slug: "w2" }, { scope })).documents,
  ).toEqual([]);
  expect((await ingest.documents(scope)).documents).toEqual([]);
  expect(
    (
      await ingest.client.request(
        searchPassages,
        { query: "third oak treasure", topN: 4, similarityThreshold: 0 },
        { scope },
      )
    ).passages,
  ).toEqual([]);
  expect(
    (
      await ingest.client.request(
        getDocumentText,
        { slug: "w1", documentId: id },
        { scope: as(1, member) },
      )
    ).text,
  ).toContain("third oak");
});

it("reports states of documents in the scope's workspace, or of all documents without one", async () => {
  const id = await ingest.upload(1, "states.txt", "States of a document.");
  await ingest.until(1, id, "searchable", "embedding", "embedded");
  const states = async (workspaceId: number | null) =>
    (
      await ingest.client.request(
        getDocumentStates,
        { documentIds: [id, unknown, "nonsense"] },
        {
          scope:
            workspaceId === null ? { principal: member, workspace: null } : as(workspaceId, member),
        },
      )
    ).documents.map(({ state }) => state);
  expect(await states(null)).toEqual(["parsed"]);
  expect(await states(1)).not.toEqual(["parsed"]);
});

it("counts only in the workspaces the caller may use", async () => {
  ingest.state.members = new Map([[7, [2]]]);
  const counts = async (principal: Principal) =>
    (
      await ingest.client.request(listDocumentCounts, {}, { scope: { principal, workspace: null } })
    ).counts.map(({ workspaceId }) => workspaceId);
  expect(await counts(member)).toEqual([2]);
  expect(await counts({ ...member, userId: 8 })).toEqual([]);
  expect(await counts({ ...member, role: "manager" })).toEqual([1, 2]);
});

it("names the requester in addresses of originals", async () => {
  const id = await ingest.upload(1, "signed.txt", "Signed.");
  await ingest.until(1, id, "searchable", "embedding", "embedded");
  const tokens = new LinkTokens(deriveKey(instanceSecret(ingest.config), "links"));
  for (const principal of [
    member,
    { ...member, userId: 9 },
    { kind: "instance", userId: null, role: "admin" } satisfies Principal,
  ]) {
    const { originalUrl } = await ingest.client.request(
      getDocumentText,
      { slug: "w1", documentId: id },
      { scope: as(1, principal) },
    );
    expect(tokens.read(originalUrl!.split("/").at(-1)!)).toMatchObject({
      userId: principal.userId,
      filename: "signed.txt",
    });
  }
});

it("makes the first admin the owner of the instance's documents, even if the service stops in between", async () => {
  await ingest.upload(1, "mine.txt", "Of the instance.");
  await ingest.sql(`INSERT INTO ingest.document (
      id, docpath, folder, filename, title, url, doc_author, description, doc_source, chunk_source,
      published, mime, bytes, sha256, state
    )
    SELECT gen_random_uuid(), 'bulk/' || n || '.json', 'bulk', 'b', 'b', 'u', 'a', 'd', 's', '', '',
      'text/plain', 1, 'x', 'parsed'
    FROM generate_series(1, 1200) n`);
  await ingest.sql("UPDATE ingest.document SET created_at = now() - interval '1 hour'");
  await ingest.sql("UPDATE ingest.workspace_document SET created_at = now() - interval '1 hour'");
  const count = async (where: string) =>
    (
      await ingest.sql<{ n: number }>(
        `SELECT (
          (SELECT count(*) FROM ingest.document WHERE ${where})
            + (SELECT count(*) FROM ingest.workspace_document WHERE ${where})
        )::int AS n`,
      )
    )[0]!.n;
  const all = await count("user_id is null");
  // Holds up the transfer's last batch, which then fails.
  const lock = ingest.source.createQueryRunner();
  await lock.startTransaction();
  await lock.query("SELECT 1 FROM ingest.document ORDER BY id DESC LIMIT 1 FOR UPDATE");
  await ingest.shared.messaging.sender.send(
    eventMessage(multiUserEnabled, {
      adminId: 5,
      at: new Date(Date.now() - 300_000).toISOString(),
    }),
  );
  const waiting = await waitFor(
    async () =>
      (
        await ingest.sql<{ pid: number }>(
          "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'",
        )
      )[0],
  );
  const restarted = ingest.restart(async () => {
    expect(await count("user_id = 5")).toBeGreaterThan(0);
    expect(await count("user_id is null")).toBeGreaterThan(0);
    await lock.rollbackTransaction();
    await lock.release();
  });
  await ingest.sql("SELECT pg_terminate_backend($1)", [waiting.pid]);
  await restarted;
  await poll(() =>
    ingest.sql("SELECT 1 FROM ingest.owner_transfer WHERE done_at IS NOT NULL"),
  ).toHaveLength(1);
  expect(await count("user_id = 5")).toBe(all);
  // From now on, documents without an owner come from the developer API.
  await ingest.upload(1, "key.txt", "Of a key.");
  expect(await count("user_id is null")).toBe(2);
});
