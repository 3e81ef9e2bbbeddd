import {
  addDocuments,
  changeWorkspaceDocuments,
  countVectors,
  describePlaces,
  findByFileName,
  findLocalFiles,
  findPassages,
  findUploaded,
  getDocumentStates,
  getDocumentText,
  getLibraryDocumentText,
  getSearchState,
  instancePrincipal,
  listContextTexts,
  listDocumentCounts,
  listDocumentStatuses,
  listDocumentVersions,
  listFolders,
  listHiddenDocuments,
  listLeadPassages,
  listLibrary,
  listLibraryFolder,
  listRetrievalFacets,
  moveLibraryFiles,
  readLibraryText,
  readWorkspaceDocuments,
  removeDocument,
  removeFolder,
  removeWorkspaceDocument,
  retryDocument,
  searchDocumentTexts,
  searchLocalFiles,
  searchPassages,
  setDocumentAccess,
  signOriginal,
  tagDocuments,
  updatePin,
  userDeleted,
  type Args,
  type Operation,
  type Out,
  type Principal,
} from "@carrel/contracts";
import { eventMessage } from "@carrel/messaging";
import { poll } from "@carrel/testing";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { startTestIngest, workspaceScope, type TestIngest } from "../test/test-ingest.ts";

const user = (userId: number, role: Principal["role"] = "default"): Principal => ({
  kind: "user",
  userId,
  role,
});
const [importer, reader, stranger] = [user(1), user(2), user(3)];
const manager = user(4, "manager");
const admin = user(5, "admin");
const key: Principal = { kind: "key", userId: null, role: "admin", keyId: 1, scopes: ["admin"] };
const widget: Principal = { kind: "widget", userId: null, role: "none" };
const extension: Principal = { kind: "extension", userId: 2, role: "default", keyId: 2 };

const people: [string, Principal, boolean][] = [
  ["the importer", importer, true],
  ["a reader", reader, true],
  ["a reader's browser extension", extension, true],
  ["the one person without accounts", instancePrincipal, true],
  ["a stranger", stranger, false],
  ["a manager", manager, false],
  ["an admin", admin, false],
  ["an API key", key, false],
  ["a widget's visitor", widget, false],
];

let ingest: TestIngest;
let secret: string;
let open: string;
const secretText = "The merger with Quillfeather is signed on the eleventh of March in Tromsø.";
const docpaths = new Map<string, string>();

function ask<Op extends Operation>(
  operation: Op,
  input: Args<Op>,
  principal: Principal,
  workspaceId: number | null = 1,
): Promise<Out<Op>> {
  const { workspace } = workspaceScope(workspaceId ?? 1);
  return ingest.client.request(operation, input, {
    scope: { principal, workspace: workspaceId === null ? null : workspace },
  });
}

beforeAll(async () => {
  ingest = await startTestIngest();
  ingest.state.members = new Map([1, 2, 3].map((id) => [id, [1, 2]]));
  open = await ingest.upload(1, "open.txt", "The canteen serves soup. Quillfeather pens are blue.");
  secret = await ingest.upload(
    1,
    "merger.txt",
    secretText,
    {
      access: { readers: [2] },
      folder: "deals",
      metadata: { title: "Merger plan", chunkSource: "vault://merger" },
    },
    importer,
  );
  for (const id of [open, secret]) await ingest.until(1, id, "embedded");
  await ask(tagDocuments, { selection: { documentIds: [secret] }, add: ["hushed"] }, importer);
  for (const id of [open, secret]) docpaths.set(id, (await ingest.state1(1, id))!.docpath!);
  await ask(updatePin, { slug: "w1", docPath: docpaths.get(secret)!, pinStatus: true }, importer);
}, 120_000);
afterAll(async () => {
  await ingest?.stop();
});

const place = () => ({ documentId: secret, start: 0, end: secretText.length });
const search = (principal: Principal, mode: "text" | "dense" | "hybrid") =>
  ask(
    searchPassages,
    {
      query: "When is the Quillfeather merger signed?",
      topN: 5,
      similarityThreshold: 0,
      mode,
      trace: 50,
    },
    principal,
  );

/** Every way to read something of the document; an error counts as an answer. */
const ways: [string, (principal: Principal) => Promise<unknown>][] = [
  ...(["text", "dense", "hybrid"] as const).map(
    (mode): [string, (principal: Principal) => Promise<unknown>] => [
      `search by ${mode}`,
      (principal) => search(principal, mode),
    ],
  ),
  [
    "a filtered search",
    (p) =>
      ask(
        searchPassages,
        { query: "merger", topN: 5, similarityThreshold: 0, filter: { folders: ["deals"] } },
        p,
      ),
  ],
  ["citations", (p) => ask(findPassages, { sources: [{ id: "x", ...place() }] }, p)],
  ["inspected places", (p) => ask(describePlaces, { places: [place()] }, p)],
  ["an overview", (p) => ask(listLeadPassages, { documents: 10, passages: 2 }, p)],
  ["filter options", (p) => ask(listRetrievalFacets, { slug: "w1" }, p)],
  [
    "search over all workspaces",
    (p) =>
      ask(
        searchDocumentTexts,
        { searchTerm: "Quillfeather merger" },
        { ...p, role: "admin" },
        null,
      ),
  ],
  ["pinned texts", (p) => ask(listContextTexts, { threadId: null, maximumCharacters: 10_000 }, p)],
  ["the workspace's list", (p) => ask(listDocumentStatuses, { slug: "w1" }, p)],
  [
    "a search in the workspace's list",
    (p) => ask(listDocumentStatuses, { slug: "w1", search: "merger" }, p),
  ],
  ["the workspace's documents", (p) => ask(readWorkspaceDocuments, {}, p)],
  ["states", (p) => ask(getDocumentStates, { documentIds: [secret] }, p)],
  ["the viewer", (p) => ask(getDocumentText, { slug: "w1", documentId: secret }, p)],
  [
    "versions",
    async (p) => {
      await ask(listDocumentVersions, { slug: "w1", documentId: secret }, p);
      return secret;
    },
  ],
  ["the library's viewer", (p) => ask(getLibraryDocumentText, { documentId: secret }, p, null)],
  [
    "the original",
    async (p) => {
      const { url } = await ask(signOriginal, { documentId: secret }, p, null);
      return url === null ? null : secret;
    },
  ],
  ["the library", (p) => ask(listLibrary, {}, p, null)],
  ["a search in the library", (p) => ask(listLibrary, { filter: { search: "merger" } }, p, null)],
  ["folders and tags", (p) => ask(listFolders, {}, p, null)],
  ["the tree", (p) => ingest.tree({ principal: p, workspace: null })],
  [
    "a folder of the tree",
    (p) => ask(listLibraryFolder, { folder: "deals", offset: 0, limit: 10 }, p, null),
  ],
  ["documents by path", (p) => ask(findLocalFiles, { docpaths: [docpaths.get(secret)!] }, p, null)],
  ["a search in the tree", (p) => ask(searchLocalFiles, { q: "Tromsø" }, p, null)],
  ["a document by file name", (p) => ask(findByFileName, { name: docpaths.get(secret)! }, p, null)],
  ["an upload", (p) => ask(findUploaded, { documentId: secret, offset: 0 }, p, null)],
  ["an upload's text", (p) => ask(readLibraryText, { documentId: secret, start: 0 }, p, null)],
];

/** Anything that tells the document from one that doesn't exist. */
const signs = /Merger plan|Tromsø|merger\.txt|"deals|hushed/;
const isSeen = (answer: unknown): boolean => {
  const text = JSON.stringify(answer);
  return signs.test(text) || text.includes(secret);
};
const answerOf = (asked: Promise<unknown>): Promise<unknown> =>
  asked.catch((error: unknown) => ({ error: (error as { code?: string }).code ?? "thrown" }));

describe.each(people)("%s", (_who, principal, maySee) => {
  it(`finds a restricted document ${maySee ? "everywhere" : "nowhere"}`, async () => {
    const seen = await Promise.all(
      ways.map(async ([way, read]) => [way, isSeen(await answerOf(read(principal)))] as const),
    );
    expect(seen).toEqual(ways.map(([way]) => [way, maySee]));
  });

  it("counts what they may see", async () => {
    const documents = maySee ? 2 : 1;
    const found = await search(principal, "hybrid");
    expect(found.documentCount).toBe(documents);
    const { counts } = await ask(listDocumentCounts, {}, { ...principal, role: "admin" }, null);
    expect(counts.find(({ workspaceId }) => workspaceId === 1)).toMatchObject({
      documents,
      total: documents,
    });
    expect(await ask(listDocumentStatuses, { slug: "w1" }, principal)).toMatchObject({
      total: documents,
      passages: documents,
    });
    expect(await ask(getSearchState, { slug: "w1" }, principal)).toMatchObject({ documents });
    expect(await ask(countVectors, {}, principal, null)).toEqual({ vectorCount: documents });
    expect((await ask(listFolders, {}, principal, null)).documents).toBe(documents);
    const { hidden } = await ask(listHiddenDocuments, { documentIds: [open, secret] }, principal);
    expect(hidden).toEqual(maySee ? [] : [secret]);
  });
});

it("says who may see a document to those who may", async () => {
  const { documents } = await ask(listLibrary, {}, reader, null);
  const accessOf = (id: string) => documents.find(({ documentId }) => documentId === id)!.access;
  expect(accessOf(open)).toEqual({ kind: "everyone" });
  expect(accessOf(secret)).toEqual({ kind: "people", count: 2, from: "vault" });
  const viewed = await ask(getDocumentText, { slug: "w1", documentId: secret }, importer);
  expect(viewed.access).toEqual({ kind: "people", count: 2, from: "vault" });
  const listed = await ask(listDocumentStatuses, { slug: "w1", search: "merger" }, importer);
  expect(listed.documents[0]!.access).toEqual({ kind: "people", count: 2, from: "vault" });
});

it("doesn't count deleted users among those who may see a document", async () => {
  const service: Principal = { ...admin, kind: "service" };
  await ask(setDocumentAccess, { documentIds: [secret], readers: [2, 77] }, service, null);
  const read = () => ask(getDocumentText, { slug: "w1", documentId: secret }, importer);
  expect((await read()).access).toMatchObject({ count: 3 });
  await ingest.shared.messaging.sender.send(eventMessage(userDeleted, { userId: 77 }));
  await poll(async () => (await read()).access).toMatchObject({ count: 2 });
});

describe("whoever may not see a document", () => {
  const unknown = "00000000-0000-4000-8000-000000000000";

  it("can't tell it from one that doesn't exist by changing it", async () => {
    const changes = (documentId: string, docpath: string) =>
      Promise.all(
        [
          ask(retryDocument, { slug: "w1", documentId }, admin),
          ask(removeWorkspaceDocument, { slug: "w1", documentId }, admin),
          ask(updatePin, { slug: "w1", docPath: docpath, pinStatus: true }, admin),
          ask(removeDocument, { name: docpath }, admin, null),
          ask(tagDocuments, { selection: { documentIds: [documentId] }, add: ["x"] }, admin, null),
          ask(addDocuments, { slug: "w2", selection: { documentIds: [documentId] } }, admin, 2),
          ask(moveLibraryFiles, { files: [{ from: docpath, to: "a/b.json" }] }, admin, null),
        ].map(answerOf),
      );
    expect(await changes(secret, docpaths.get(secret)!)).toEqual(
      await changes(unknown, "deals/none.json"),
    );
    const { errors } = await ask(
      changeWorkspaceDocuments,
      { adds: [docpaths.get(secret)!], deletes: [] },
      admin,
      2,
    );
    expect(errors).toHaveLength(1);
    expect(await ingest.state1(1, secret)).toMatchObject({ state: "embedded" });
  });

  it("may upload the same file, and isn't told that it is there", async () => {
    const again = { refuseIdentical: true, folder: "deals" };
    const id = await ingest.upload(null, "merger.txt", secretText, again, stranger);
    expect(id).not.toBe(secret);
    await expect(
      ingest.upload(null, "merger.txt", secretText, again, reader),
    ).rejects.toMatchObject({ code: "upload.identical" });
    await ingest.until(null, id, "parsed");
    await ask(removeDocument, { name: (await ingest.state1(null, id))!.docpath! }, stranger, null);
  });

  it("isn't shown its progress, which only the importer is", async () => {
    const states = ingest.frames.filter((frame) => frame.type === "document_state");
    const ofSecret = states.filter(({ document }) => document.documentId === secret);
    expect(ofSecret.length).toBeGreaterThan(0);
    expect(new Set(ofSecret.map(({ onlyFor }) => onlyFor))).toEqual(new Set([1]));
    expect(states.filter(({ document }) => document.documentId === open)[0]).not.toHaveProperty(
      "onlyFor",
    );
  });

  it("finds what is open among any number of restricted chunks", async () => {
    const paragraphs = Array.from(
      { length: 1_200 },
      (_, n) => `The heat pump's flow temperature is noted in record ${n}. ${"x ".repeat(400)}`,
    );
    const crowd = await ingest.upload(
      2,
      "crowd.txt",
      paragraphs.join("\n\n"),
      { access: { readers: [] } },
      importer,
    );
    const few = await ingest.upload(
      2,
      "few.txt",
      "Somewhere the flow of a pump is named, among other words.",
    );
    await ingest.until(2, crowd, "searchable", "embedding", "embedded");
    await ingest.until(2, few, "searchable", "embedding", "embedded");
    const find = async (principal: Principal) => {
      const { passages } = await ask(
        searchPassages,
        {
          query: "flow temperature of the heat pump",
          topN: 4,
          similarityThreshold: 0,
          mode: "text",
        },
        principal,
        2,
      );
      return new Set(passages.map(({ documentId }) => documentId));
    };
    expect(await find(importer)).toContain(crowd);
    expect(await find(reader)).toEqual(new Set([few]));
    const { hits } = await ask(
      searchDocumentTexts,
      { searchTerm: "flow pump" },
      { ...reader, role: "admin" },
      null,
    );
    expect(hits.map(({ documentId }) => documentId)).toContain(few);
    expect(hits.map(({ documentId }) => documentId)).not.toContain(crowd);
  }, 120_000);
});

describe("a change of who may see a document", () => {
  const finds = async (principal: Principal) => {
    const { passages } = await search(principal, "hybrid");
    return passages.some(({ documentId }) => documentId === secret);
  };

  it("applies at once, before any event arrives", async () => {
    expect(await finds(reader)).toBe(true);
    // Known only to PostgreSQL.
    await ingest.sql(
      `WITH nobody AS (
        INSERT INTO ingest.audience (digest) VALUES ('nobody') RETURNING id
      )
      UPDATE ingest.document SET audience_id = nobody.id FROM nobody WHERE document.id = $1`,
      [secret],
    );
    expect(await finds(reader)).toBe(false);
    expect(await finds(importer)).toBe(true);
    const set = (readers: number[] | null) =>
      ask(
        setDocumentAccess,
        { documentIds: [secret], readers },
        { ...admin, kind: "service" },
        null,
      );
    expect(await set([3])).toEqual({ changed: 1 });
    expect(await set([3])).toEqual({ changed: 0 });
    await poll(() => finds(stranger)).toBe(true);
    expect(await finds(reader)).toBe(false);
    await set(null);
    await poll(() => finds(admin)).toBe(true);
    await set([2]);
    await poll(() => finds(admin)).toBe(false);
    expect(await finds(reader)).toBe(true);
  });

  it("outlives the document, for what was cited of it", async () => {
    await ask(removeFolder, { name: "deals" }, admin, null);
    expect(await ingest.state1(1, secret)).toBeNull();
    await poll(
      async () => (await ingest.sql("SELECT 1 FROM ingest.deleted_restricted")).length,
    ).toBe(1);
    const hidden = async (principal: Principal) =>
      (await ask(listHiddenDocuments, { documentIds: [secret] }, principal)).hidden;
    expect(await Promise.all([reader, importer, admin].map(hidden))).toEqual([[], [], [secret]]);
  });
});
