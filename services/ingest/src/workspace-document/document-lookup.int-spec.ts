import {
  instancePrincipal,
  lookUpDocuments,
  setDocumentAccess,
  type Args,
  type Principal,
} from "@carrel/contracts";
import { afterAll, beforeAll, expect, it } from "@jest/globals";
import { startTestIngest, workspaceScope, type TestIngest } from "../../test/test-ingest.ts";

let ingest: TestIngest;
const ids: string[] = [];
const add = async (filename: string, text: string, more = {}): Promise<string> => {
  const id = await ingest.upload(1, filename, text, more);
  await ingest.until(1, id, "searchable");
  ids.push(id);
  return id;
};
const lookUp = async (
  input: Partial<Args<typeof lookUpDocuments>>,
  principal: Principal = instancePrincipal,
  workspaceId = 1,
) =>
  ingest.client.request(
    lookUpDocuments,
    { limit: 50, ...input },
    { scope: { ...workspaceScope(workspaceId), principal } },
  );
const titles = async (...asked: Parameters<typeof lookUp>): Promise<string[]> =>
  (await lookUp(...asked)).documents.map(({ title }) => title);

beforeAll(async () => {
  ingest = await startTestIngest({ embedder: false });
  await add("Report.txt", "Calm.");
  await add("Report annex.md", "# Tides\n\nHigh water is at four.", { folder: "Harbour/2026" });
  await add("Costs 100%.csv", "a,b\n1,2\n", { folder: "Harbour" });
  const secret = await add("Report (secret).txt", "Hidden.");
  await ingest.client.request(
    setDocumentAccess,
    { documentIds: [secret], readers: [7] },
    { scope: workspaceScope(1) },
  );
});
afterAll(async () => {
  await ingest?.stop();
});

it("finds a document by its ID, however many there are", async () => {
  expect(await lookUp({ filter: { documentIds: [ids[0]!] } })).toMatchObject({
    total: 1,
    documents: [{ id: ids[0], title: "Report.txt", mime: "text/plain", length: "Calm.".length }],
  });
  expect(await lookUp({ filter: { documentIds: [crypto.randomUUID()] } })).toEqual({
    total: 0,
    documents: [],
  });
  expect(await titles({ filter: { documentIds: [ids[0]!] } }, instancePrincipal, 2)).toEqual([]);
});

it("finds by the whole title or by words, newest first", async () => {
  expect(await titles({ title: "REPORT.txt" })).toEqual(["Report.txt"]);
  expect(await titles({ title: "Report" })).toEqual([]);
  expect(await titles({ search: "report" })).toEqual([
    "Report (secret).txt",
    "Report annex.md",
    "Report.txt",
  ]);
  expect(await titles({ search: "annex report" })).toEqual(["Report annex.md"]);
  expect(await titles({ search: "100%" })).toEqual(["Costs 100%.csv"]);
});

it("filters in the database, with a total of all that match", async () => {
  expect(await titles({ filter: { folders: ["Harbour"] } })).toEqual([
    "Costs 100%.csv",
    "Report annex.md",
  ]);
  expect(await titles({ filter: { types: ["md"], folders: ["Harbour"] } })).toEqual([
    "Report annex.md",
  ]);
  expect(
    await titles({ filter: { places: { documentIds: [ids[0]!], folders: ["Harbour/2026"] } } }),
  ).toEqual(["Report annex.md", "Report.txt"]);
  const page = await lookUp({ search: "report", offset: 1, limit: 1 });
  expect(page.total).toBe(3);
  expect(page.documents.map(({ title }) => title)).toEqual(["Report annex.md"]);
});

it("shows restricted documents only to their readers", async () => {
  const user = (userId: number): Principal => ({ kind: "user", userId, role: "default" });
  expect(await titles({ search: "secret" }, user(7))).toEqual(["Report (secret).txt"]);
  expect(await lookUp({ search: "secret" }, user(8))).toEqual({ total: 0, documents: [] });
});
