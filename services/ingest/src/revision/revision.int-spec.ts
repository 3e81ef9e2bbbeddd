import { createHash } from "node:crypto";
import {
  diffDocumentVersion,
  documentChecked,
  documentsGone,
  listDocumentStatuses,
  listDocumentVersions,
  reviseDocument,
  revisionFailed,
  setDocumentAccess,
  updatePin,
  type EventPayload,
  type In,
  type Out,
} from "@carrel/contracts";
import { Consume } from "@carrel/messaging";
import { defineService, startService } from "@carrel/runtime";
import { poll, waitFor } from "@carrel/testing";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { Injectable, Module } from "@nestjs/common";
import { makeWorkbook, makeZip } from "../../test/fixtures/make-office.ts";
import {
  libraryScope,
  startTestIngest,
  textsOf,
  workspaceScope,
  type TestIngest,
} from "../../test/test-ingest.ts";

let ingest: TestIngest;
beforeAll(async () => {
  ingest = await startTestIngest();
});
afterAll(async () => {
  await ingest?.stop();
});

/** Minutes of the day on which the sources are asked. */
const at = (minute: number): string => new Date(Date.UTC(2026, 10, 28, 0, minute)).toISOString();

const revise = (
  documentId: string,
  content: string | Buffer,
  minute: number,
  more: Partial<In<typeof reviseDocument>> = {},
): Promise<Out<typeof reviseDocument>["state"]> =>
  ingest.revise(documentId, content, at(minute), more);

const check = (documentId: string, minute: number) =>
  ingest.client.request(
    documentChecked,
    { documentId, checkedAt: at(minute) },
    { scope: libraryScope },
  );

const revisionOf = async (documentId: string) => {
  const [row] = await ingest.sql<{ revision: number; notes: unknown; checkedAt: Date | null }>(
    `SELECT revision, notes, checked_at AS "checkedAt" FROM ingest.document WHERE id = $1`,
    [documentId],
  );
  return row!;
};

const untilRevision = (documentId: string, revision: number) =>
  poll(async () => (await revisionOf(documentId)).revision, { timeoutMs: 30_000 }).toBe(revision);

/** Nothing of what prepares a revision is left. */
async function expectNoTrace(): Promise<void> {
  await poll(() => ingest.sql(`SELECT id FROM ingest.document WHERE revises IS NOT NULL`)).toEqual(
    [],
  );
  expect(await ingest.sql(`SELECT 1 FROM ingest.revision_publication`)).toEqual([]);
}

describe("new content of a document", () => {
  it("replaces the old one in all workspaces at once, under the same id", async () => {
    const id = await ingest.upload(1, "tides.txt", "The tide turns at noon in Heronmouth.");
    await ingest.until(1, id, "embedded");
    const docpath = (await ingest.state1(1, id))!.docpath!;
    await ingest.change(2, [docpath]);
    await ingest.until(2, id, "embedded");
    await ingest.client.request(
      updatePin,
      { slug: "w1", docPath: docpath, pinStatus: true },
      { scope: workspaceScope(1) },
    );

    expect(await revise(id, "The tide turns at dusk in Heronmouth.", 1)).toBe("revising");
    let asked = 0;
    const seen = await waitFor(
      async () => {
        const found = await Promise.all(
          [1, 2].map((workspace) => ingest.search(workspace, "When does the tide turn?")),
        );
        asked++;
        for (const { passages, dense } of found) {
          expect(passages).toHaveLength(1);
          expect(dense).toBe(true);
          expect(passages[0]!.text).toMatch(/^The tide turns at (noon|dusk) in Heronmouth\.$/);
        }
        const texts = found.flatMap(({ passages }) => textsOf(passages));
        return texts.every((text) => text.includes("dusk")) ? texts : null;
      },
      { timeoutMs: 30_000, intervalMs: 1 },
    );
    expect(seen).toHaveLength(2);
    expect(asked).toBeGreaterThan(1);

    for (const workspace of [1, 2]) {
      const { documents } = await ingest.client.request(
        listDocumentStatuses,
        { slug: `w${workspace}` },
        { scope: workspaceScope(workspace) },
      );
      expect(documents.find(({ documentId }) => documentId === id)).toMatchObject({
        docpath,
        state: "embedded",
        pinned: workspace === 1,
      });
    }
    expect(await revisionOf(id)).toMatchObject({ revision: 2, checkedAt: new Date(at(1)) });
    await expectNoTrace();
  });

  it("is ignored if it is the same or older than what is known", async () => {
    const id = await ingest.upload(1, "ferry.txt", "The ferry leaves at eight.");
    await ingest.until(1, id, "embedded");
    expect(await revise(id, "The ferry leaves at eight.", 5)).toBe("unchanged");
    expect((await revisionOf(id)).checkedAt).toEqual(new Date(at(5)));
    expect(await revise(id, "The ferry left at six.", 4)).toBe("unchanged");
    expect(await revise(id, "The ferry leaves at nine.", 7)).toBe("revising");
    expect(await revise(id, "The ferry leaves at ten.", 9)).toBe("revising");
    expect(await revise(id, "The ferry leaves at nine.", 7)).toBe("unchanged");
    await poll(async () => textsOf((await ingest.search(1, "ferry leaves")).passages)).toEqual([
      "The ferry leaves at ten.",
    ]);
    await check(id, 12);
    expect((await revisionOf(id)).checkedAt).toEqual(new Date(at(12)));
    await expectNoTrace();
  });

  it("that may be readable later is asked for again, because its source won't tell of it", async () => {
    const told: EventPayload<typeof revisionFailed>[] = [];
    @Injectable()
    class Connectors {
      @Consume(revisionFailed)
      async note(event: EventPayload<typeof revisionFailed>): Promise<void> {
        told.push(event);
      }
    }
    class ConnectorsModule {}
    Module({ providers: [Connectors] })(ConnectorsModule);
    const connectors = await startService(
      defineService({
        name: "connectors",
        module: ConnectorsModule,
        contracts: { operations: [], jobs: [], events: [revisionFailed] },
      }),
      ingest.config,
      { shared: ingest.shared, healthPort: false },
    );
    try {
      const id = await ingest.upload(1, "log.txt", "The log of the lighthouse.");
      await ingest.until(1, id, "embedded");
      // What can't be read later either isn't asked for.
      await revise(id, makeZip({}), 1, { filename: "log.docx" });
      await poll(async () => (await revisionOf(id)).notes).toHaveLength(1);
      const speech = Buffer.concat([Buffer.from("RIFF\x24\x00\x00\x00WAVEfmt "), Buffer.alloc(28)]);
      await revise(id, speech, 2, { filename: "log.wav" });
      // A model that isn't there yet.
      const fault = { code: "whisper.downloads-disabled" };
      await poll(() => told).toEqual([
        {
          documentId: id,
          sha256: createHash("sha256").update(speech).digest("hex"),
          fault: expect.objectContaining(fault),
        },
      ]);
      await poll(async () => (await revisionOf(id)).notes).toMatchObject([
        { code: "file-note.not-updated", params: { reason: fault } },
      ]);
    } finally {
      await connectors.stop();
    }
  });

  it("is noted to be missing at the source until it is there again", async () => {
    const id = await ingest.upload(1, "pier.txt", "The pier closes at dusk.");
    await ingest.until(1, id, "embedded");
    const noteGone = () =>
      ingest.client.request(documentsGone, { documentIds: [id] }, { scope: libraryScope });
    await noteGone();
    await noteGone();
    expect((await revisionOf(id)).notes).toEqual([{ code: "file-note.gone" }]);
    await check(id, 1);
    expect((await revisionOf(id)).notes).toBeNull();
    await noteGone();
    expect(await revise(id, "The pier closes at dusk.", 2)).toBe("unchanged");
    expect((await revisionOf(id)).notes).toBeNull();
  });

  it("that can't be read leaves the old one and says why, until a later one can", async () => {
    const id = await ingest.upload(1, "chart.txt", "The chart shows a reef off Gullcliff.");
    await ingest.until(1, id, "embedded");
    expect(await revise(id, makeZip({}), 1, { filename: "chart.docx" })).toBe("revising");
    await poll(async () => (await revisionOf(id)).notes).toMatchObject([
      { code: "file-note.not-updated", params: { reason: { code: expect.any(String) } } },
    ]);
    await expectNoTrace();
    expect(textsOf((await ingest.search(1, "reef")).passages)[0]).toContain("Gullcliff");
    expect((await ingest.state1(1, id))?.state).toBe("embedded");
    // That the source hasn't changed since doesn't make the old text newer.
    const before = await revisionOf(id);
    await check(id, 2);
    expect(await revisionOf(id)).toEqual(before);
    const old = "The chart shows a reef off Gullcliff.";
    expect(await revise(id, old, 3, { filename: "chart.txt" })).toBe("unchanged");
    expect(await revisionOf(id)).toMatchObject({ notes: null, checkedAt: new Date(at(3)) });
    await revise(id, makeZip({}), 4, { filename: "chart.docx" });
    await poll(async () => (await revisionOf(id)).notes).toHaveLength(1);
    await revise(id, "The chart shows a wreck off Gullcliff.", 5, { filename: "chart.txt" });
    await untilRevision(id, 2);
    expect((await revisionOf(id)).notes).toBeNull();
    expect(textsOf((await ingest.search(1, "wreck")).passages)[0]).toContain("wreck");
  });

  it("is read instead of the old one if that never was", async () => {
    const id = await ingest.upload(1, "log.docx", makeZip({}));
    await ingest.until(1, id, "failed");
    expect(await revise(id, "The log was kept by Ines.", 1, { filename: "log.txt" })).toBe(
      "revising",
    );
    await ingest.until(1, id, "embedded");
    expect(textsOf((await ingest.search(1, "Who kept the log?")).passages)[0]).toContain("Ines");
  });

  it("of 1,000 chunks with one changed paragraph embeds at most five", async () => {
    const paragraphs = Array.from(
      { length: 5_000 },
      (_, n) =>
        `On day ${n} of the voyage the crew of the Merganser counted ${(n * 7919) % 997} gulls and noted wind of force ${n % 9}, while the mate wrote that the lamp number ${(n * 104_729) % 10_007} had been trimmed twice.`,
    );
    const id = await ingest.upload(1, "voyage.txt", paragraphs.join("\n\n"));
    await ingest.until(1, id, "embedded");
    const [{ n }] = (await ingest.sql<{ n: number }>(
      `SELECT chunk_count AS n FROM ingest.workspace_document WHERE document_id = $1`,
      [id],
    )) as [{ n: number }];
    expect(n).toBeGreaterThan(1_000);
    // The embedder itself is also asked to check whether its vectors mean anything.
    const embedded = async (): Promise<number> =>
      (await ingest.sql(`SELECT 1 FROM ingest.embedding_cache`)).length;
    const before = await embedded();
    paragraphs[2_345] = "On this day the Merganser met an iceberg, and nobody counted anything.";
    await revise(id, paragraphs.join("\n\n"), 1, { filename: "voyage.txt" });
    await untilRevision(id, 2);
    expect((await embedded()) - before).toBeLessThanOrEqual(5);
    expect(await embedded()).toBeGreaterThan(before);
    expect(textsOf((await ingest.search(1, "iceberg")).passages)[0]).toContain("iceberg");
  }, 90_000);

  it("keeps the last five versions, and shows what each of them changed", async () => {
    const id = await ingest.upload(1, "menu.txt", "Menu\n\nSoup of day 0\n\nBread");
    await ingest.until(1, id, "embedded");
    for (let day = 1; day <= 7; day++) {
      await revise(id, `Menu\n\nSoup of day ${day}\n\nBread`, day, { filename: "menu.txt" });
      await untilRevision(id, day + 1);
    }
    const request = { slug: "w1", documentId: id };
    const { versions } = await ingest.client.request(listDocumentVersions, request, {
      scope: workspaceScope(1),
    });
    expect(versions.map(({ version }) => version)).toEqual([8, 7, 6, 5, 4, 3]);
    expect(versions[0]).toMatchObject({ until: null, checkedAt: at(7), hasText: true });
    expect(versions[1]).toMatchObject({ until: versions[0]!.since, checkedAt: at(6) });
    const diff = (version: number, workspace = 1) =>
      ingest.client.request(
        diffDocumentVersion,
        { ...request, version },
        { scope: workspaceScope(workspace) },
      );
    for (const version of [4, 7])
      expect(await diff(version)).toMatchObject({
        added: 1,
        removed: 1,
        hunks: [
          {
            lines: [
              { kind: "same", text: "Menu" },
              { kind: "same", text: "" },
              { kind: "removed", text: `Soup of day ${version - 1}` },
              { kind: "added", text: `Soup of day ${version}` },
              { kind: "same", text: "" },
              { kind: "same", text: "Bread" },
            ],
          },
        ],
      });
    await expect(diff(2)).rejects.toMatchObject({ code: "document.version-not-kept" });
    await expect(diff(7, 2)).rejects.toMatchObject({ code: "document.not-in-workspace" });
    const { passages } = await ingest.search(1, "soup");
    expect(passages[0]).toMatchObject({ asOf: at(7), revision: 8 });
  }, 60_000);

  it("of a workbook replaces its sheets by name, adds new ones and removes missing ones", async () => {
    const book = (sheets: Record<string, string>): Promise<Buffer> =>
      makeWorkbook(
        Object.fromEntries(
          Object.entries(sheets).map(([name, text]) => [name, [["Item"], [text]]]),
        ),
        "xlsx",
      );
    const id = await ingest.upload(
      1,
      "Stock.xlsx",
      await book({ Ropes: "twelve ropes", Sails: "four sails", Oars: "ten oars" }),
    );
    const sheets = async () =>
      Object.fromEntries(
        (
          await ingest.sql<{ name: string; id: string; state: string | null }>(
            `SELECT split_part(d.title, 'Sheet:', 2) AS name, d.id, w.state
            FROM ingest.document d
            LEFT JOIN ingest.workspace_document w ON w.document_id = d.id
            WHERE (d.id = $1 OR d.upload_id = $1) AND d.in_library`,
            [id],
          )
        ).map(({ name, ...row }) => [name, row]),
      );
    const embedded = { id: expect.any(String), state: "embedded" };
    await poll(sheets).toEqual({ Ropes: embedded, Sails: embedded, Oars: embedded });
    const before = await sheets();
    await revise(
      id,
      await book({ Oars: "nine oars", Lamps: "two lanterns", Sails: "four sails" }),
      1,
      { filename: "Stock.xlsx" },
    );
    await poll(sheets).toEqual({
      Oars: { ...embedded, id: before.Oars!.id },
      Sails: { ...embedded, id: before.Sails!.id },
      // The first document stands for the workbook.
      Lamps: { ...embedded, id },
    });
    const found = async (words: string): Promise<string> =>
      textsOf((await ingest.search(1, words)).passages).join(" ");
    expect(await found("oars")).toContain("nine oars");
    expect(await found("lanterns")).toContain("two lanterns");
    expect(await found("ropes")).not.toContain("twelve");
    await expectNoTrace();

    // Everyone who watches the workspace is told of a removal.
    const removalOf = (documentId: string) =>
      ingest.frames.find(
        (frame) => frame.type === "document_removed" && frame.documentId === documentId,
      );
    await ingest.client.request(
      setDocumentAccess,
      { documentIds: [id], readers: [] },
      { scope: libraryScope },
    );
    // As if the change came while these were written.
    await ingest.sql(
      `CREATE FUNCTION ingest.miss_audience() RETURNS trigger LANGUAGE plpgsql
      AS $$ BEGIN NEW.audience_id = NULL; RETURN NEW; END $$`,
    );
    await ingest.sql(
      `CREATE TRIGGER miss_audience BEFORE INSERT ON ingest.document
      FOR EACH ROW EXECUTE FUNCTION ingest.miss_audience()`,
    );
    const lesser = { Oars: "nine oars", Lamps: "three lanterns", Flags: "a flag" };
    await revise(id, await book(lesser), 2, { filename: "Stock.xlsx" });
    await poll(() => removalOf(before.Sails!.id)).toEqual({
      type: "document_removed",
      documentId: before.Sails!.id,
      docpath: null,
    });
    await ingest.sql(`DROP FUNCTION ingest.miss_audience CASCADE`);
    const restricted = await ingest.sql<{ title: string; isRestricted: boolean }>(
      `SELECT title, audience_id IS NOT NULL AS "isRestricted" FROM ingest.document
      WHERE (id = $1 OR upload_id = $1) AND in_library`,
      [id],
    );
    expect(restricted).toHaveLength(3);
    expect(restricted.filter(({ isRestricted }) => !isRestricted)).toEqual([]);
  }, 60_000);

  it("is lost with its document", async () => {
    const id = await ingest.upload(1, "short-lived.txt", "A mayfly lives a day.");
    await ingest.until(1, id, "embedded");
    const docpath = (await ingest.state1(1, id))!.docpath!;
    await revise(id, "A mayfly lives two days.", 1);
    await ingest.change(1, [], [docpath]);
    await ingest.sql(`DELETE FROM ingest.document WHERE id = $1`, [id]);
    await expectNoTrace();
    await expect(revise(id, "A mayfly lives three days.", 2)).rejects.toMatchObject({
      code: "document.not-found",
    });
  });
});
