import {
  findPageStart,
  getDocumentText,
  instancePrincipal,
  lookUpDocuments,
  readDocumentPart,
  setDocumentAccess,
  type Args,
  type Principal,
} from "@carrel/contracts";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { makeTextPdf } from "../../test/fixtures/make-pdf.ts";
import { startTestIngest, workspaceScope, type TestIngest } from "../../test/test-ingest.ts";

let ingest: TestIngest;
const ids: string[] = [];
const add = async (filename: string, text: string | Buffer, more = {}): Promise<string> => {
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
  const [reader, stranger] = [user(7), user(8)];
  expect(await titles({ search: "secret" }, reader)).toEqual(["Report (secret).txt"]);
  expect(await lookUp({ search: "secret" }, stranger)).toEqual({ total: 0, documents: [] });
  const filter = { documentIds: [ids[3]!] };
  expect(await lookUp({ filter }, stranger)).toEqual({ total: 0, documents: [] });
  const ask = (principal: Principal) => ({ scope: { ...workspaceScope(1), principal } });
  const part = { documentId: ids[3]!, start: 0, end: 90 };
  const page = { documentId: ids[3]!, page: 1 };
  const { client } = ingest;
  expect(await client.request(readDocumentPart, part, ask(reader))).toMatchObject({
    text: "Hidden.",
  });
  for (const refused of [
    client.request(readDocumentPart, part, ask(stranger)),
    client.request(findPageStart, page, ask(stranger)),
  ])
    await expect(refused).rejects.toMatchObject({ code: "document.not-found" });
});

describe("a part of a document", () => {
  const scope = workspaceScope(1);
  const part = (documentId: string, start: number, end: number) =>
    ingest.client.request(readDocumentPart, { documentId, start, end }, { scope });
  const pageStart = async (documentId: string, page: number) =>
    (await ingest.client.request(findPageStart, { documentId, page }, { scope })).start;

  it("comes with every page in it, and the one at its start", async () => {
    const pages = Array.from({ length: 12 }, (_, index) => ({
      lines: [`This is page ${index + 1}.`],
    }));
    const id = await add("paged.pdf", makeTextPdf(pages));
    const whole = await part(id, 0, 100_000);
    expect(whole.pages.map(({ page }) => page)).toEqual(pages.map((_, index) => index + 1));
    for (const { page, start } of whole.pages) {
      expect(whole.text.slice(start).trimStart()).toMatch(new RegExp(`^This is page ${page}\\.`));
      expect(await pageStart(id, page)).toBe(start);
    }
    expect([await pageStart(id, 0), await pageStart(id, 13)]).toEqual([null, null]);
    const [, second, third, fourth] = whole.pages;
    const middle = await part(id, second!.start + 3, fourth!.start);
    expect(middle.pages).toEqual([second, third]);
    expect(middle.text).toBe(whole.text.slice(second!.start + 3, fourth!.start));
  });

  it("comes with every heading in it, and the path at its start", async () => {
    const text = "# Harbour\n\nA.\n\n## Tides\n\nB.\n\n### March\n\nC.\n\n## Winds\n\nD.\n";
    const id = await add("headings.md", text);
    const whole = await part(id, 0, 1_000);
    expect(whole.pages).toEqual([]);
    expect(whole.headings.map(({ path }) => path.join(" > "))).toEqual([
      "Harbour",
      "Harbour > Tides",
      "Harbour > Tides > March",
      "Harbour > Winds",
    ]);
    // As the viewer has it.
    for (const { path, start } of whole.headings)
      expect(
        await ingest.client.request(
          getDocumentText,
          { slug: "w1", documentId: id, start, end: start + 1 },
          { scope },
        ),
      ).toMatchObject({ headingPath: path });
    const at = whole.text.indexOf("C.");
    expect((await part(id, at, at + 2)).headings).toEqual([whole.headings[2]]);
  });

  it("ends early if its pages or headings would fill the reply", async () => {
    const title = "x".repeat(150);
    const text = Array.from({ length: 600 }, (_, n) => `# ${n} ${title}\n\n## ${title}\n\n`);
    const id = await add("many.md", `${text.join("")}End.`);
    const first = await part(id, 0, 100_000);
    expect(first.end).toBeLessThan(100_000);
    const next = await part(id, first.end, 100_000);
    expect(next.headings[0]!.start).toBe(first.end);
    expect(first.headings.at(-1)!.start).toBeLessThan(first.end);
  });

  it("isn't there for others, or in another workspace", async () => {
    const other = { scope: workspaceScope(2) };
    const asked = { documentId: ids[0]!, start: 0, end: 5 };
    await expect(ingest.client.request(readDocumentPart, asked, other)).rejects.toMatchObject({
      code: "document.not-found",
    });
    await expect(
      ingest.client.request(findPageStart, { documentId: ids[0]!, page: 1 }, other),
    ).rejects.toMatchObject({ code: "document.not-found" });
  });
});
