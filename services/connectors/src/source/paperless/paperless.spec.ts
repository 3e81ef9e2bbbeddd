import { afterAll, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import {
  listAll,
  readFetched,
  startFixtureServer,
  type FixtureServer,
} from "../../../test/fixture-server.ts";
import { connector } from "./paperless.connector.ts";
import { PaperlessFixture } from "./paperless.fixture.ts";

const modified = "2026-05-01T10:00:00.123456+02:00";

describe("Paperless-ngx", () => {
  let paperless: PaperlessFixture;
  let server: FixtureServer;
  beforeAll(async () => {
    server = await startFixtureServer((...call) => paperless.listener(...call));
  });
  afterAll(() => server.stop());
  beforeEach(() => {
    paperless = new PaperlessFixture();
    paperless.documents = [
      {
        id: 7,
        title: "Invoice 12",
        content: "Total: 40 EUR\n",
        modified,
        created: "2026-04-30",
        correspondent: 3,
        document_type: 9,
        tags: [1, 2, 99],
        archive_serial_number: 41,
        original_file_name: "scan.jpg",
        archived_file_name: "2026-04-30 Invoice 12.pdf",
        notes: [{ note: "Paid twice" }, { note: " " }],
        custom_fields: [
          { field: 1, value: "b" },
          { field: 2, value: true },
          { field: 3, value: null },
          { field: 99, value: "of nobody" },
        ],
      },
    ];
    paperless.names = {
      tags: [
        { id: 1, name: "tax\n# 2026" },
        { id: 2, name: "paid" },
      ],
      correspondents: [{ id: 3, name: "Power & Light" }],
      document_types: [{ id: 9, name: "Invoice" }],
      custom_fields: [
        { id: 1, name: "Account", extra_data: { select_options: [{ id: "b", label: "Home" }] } },
        { id: 2, name: "Deductible", extra_data: {} },
        { id: 3, name: "Due", extra_data: null },
      ],
    };
  });
  const open = (more: object = {}, token = "secret") =>
    connector.open(
      connector.settings.parse({ url: `${server.address}/docs/documents/7/details`, ...more }),
      { token },
      server.context,
    );
  const fetchFirst = async (more: object = {}, version: string | null = null) =>
    (await open(more)).fetch({ id: 7 }, version);

  it("reads what Paperless recognised, with what it knows of the document", async () => {
    const fetched = await fetchFirst();
    expect(await readFetched(fetched)).toBe(
      [
        "# Invoice 12",
        "- Correspondent: Power & Light\n- Type: Invoice\n- Tags: tax # 2026, paid\n- Created: 2026-04-30\n- Serial number: 41\n- Account: Home\n- Deductible: yes",
        "Total: 40 EUR",
        "## Notes",
        "Paid twice\n",
      ].join("\n\n"),
    );
    expect(fetched).toMatchObject({
      filename: "Invoice 12.md",
      version: modified,
      source: {
        connector: "paperless-ngx",
        reference: `${server.address}/docs/documents/7/details`,
      },
      metadata: { title: "Invoice 12", docAuthor: "Power & Light", published: "2026-04-30" },
    });
    expect(await fetchFirst({}, modified)).toEqual({ kind: "unchanged" });
  });

  it("asks once for names, and goes without those that the token may not see", async () => {
    paperless.statuses.set("/docs/api/custom_fields/", [403]);
    delete paperless.names["tags"];
    const source = await open();
    for (const _ of [1, 2])
      expect(await readFetched(await source.fetch({ id: 7 }, null))).toContain(
        "- Correspondent: Power & Light\n- Type: Invoice\n- Created: 2026-04-30\n- Serial number: 41\n\nTotal",
      );
    expect(paperless.asked.filter((path) => path.includes("document_types"))).toHaveLength(1);
    paperless.statuses.set("/docs/api/tags/", [500]);
    await expect(fetchFirst()).rejects.toMatchObject({ code: "source.failing" });
  });

  it("takes files where they are chosen, or where there is no text", async () => {
    const archived = await fetchFirst({ content: "archive" });
    expect(archived).toMatchObject({
      filename: "2026-04-30 Invoice 12.pdf",
      mime: "application/pdf",
    });
    expect(await readFetched(archived)).toBe("archive of 7");
    expect(await readFetched(await fetchFirst({ content: "original" }))).toBe(
      "source.type-unwanted",
    );
    Object.assign(paperless.documents[0]!, { content: " " });
    expect(await readFetched(await fetchFirst())).toBe("archive of 7");
    Object.assign(paperless.documents[0]!, {
      archived_file_name: null,
      original_file_name: "../letter.docx",
    });
    const original = await fetchFirst({ content: "archive" });
    expect(original).toMatchObject({ filename: "letter.docx" });
    expect(await readFetched(original)).toBe("original of 7");
    paperless.fileHeaders = { "content-length": "1000001" };
    expect(await fetchFirst({ content: "archive", maxFileMegabytes: 1 })).toEqual({
      kind: "skipped",
      fault: { code: "source.file-too-large", params: { megabytes: 1 } },
    });
  });

  it("lists 10,000 documents without following links to other servers", async () => {
    paperless.documents = Array.from({ length: 10_000 }, (_, id) => ({
      id,
      title: id === 0 ? "" : `Document ${id}`,
      content: "",
      modified,
    }));
    const items = await listAll(await open());
    expect(new Set(items.map(({ externalId }) => externalId)).size).toBe(10_000);
    expect(items[0]).toMatchObject({ title: "Document 0", version: modified });
  });

  it("takes nothing for gone if documents were deleted while it listed them", async () => {
    const [first] = paperless.documents;
    paperless.documents = Array.from({ length: 300 }, (_, id) => ({ ...first!, id }));
    const source = await open();
    const { next, isPartial } = await source.list(null);
    expect(isPartial).toBeUndefined();
    expect((await source.list(next)).isPartial).toBeUndefined();
    paperless.documents.push({ ...first!, id: 300 });
    expect((await source.list(next)).isPartial).toBeUndefined();
    // As many as before, so that only the ids tell.
    paperless.documents.shift();
    expect(await source.list(next)).toMatchObject({ next: null, isPartial: true });
  });

  it("takes nothing for gone if a page is empty although others follow", async () => {
    const source = await open();
    paperless.pages.set("2", { count: 201, next: "http://elsewhere.example", results: [] });
    const [first] = paperless.documents;
    paperless.documents = Array.from({ length: 201 }, (_, id) => ({ ...first!, id }));
    const { next } = await source.list(null);
    expect(await source.list(next)).toEqual({ items: [], next: null, isPartial: true });
  });

  it("loses deleted documents, and isn't fetched with a wrong token", async () => {
    paperless.documents = [];
    await expect(fetchFirst()).rejects.toMatchObject({ code: "source.missing" });
    await expect((await open({}, "wrong")).check()).rejects.toMatchObject({
      code: "source.denied",
    });
  });

  it.each([
    [429, { "retry-after": "9" }, { code: "source.busy", retryAfter: 9 }],
    [500, {}, { code: "source.failing" }],
    [200, {}, { code: "egress.unexpected-response" }],
  ])("passes on a status of %d", async (status, headers, fault) => {
    paperless.statuses.set("/docs/api/documents/", [status, headers]);
    await expect((await open()).list(null)).rejects.toMatchObject(fault);
  });
});
