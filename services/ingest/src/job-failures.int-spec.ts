import { randomUUID } from "node:crypto";
import { jobs, libraryChanged, type EventPayload } from "@carrel/contracts";
import { jobMessage } from "@carrel/messaging";
import { poll } from "@carrel/testing";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { startTestIngest, type TestIngest } from "../test/test-ingest.ts";

let ingest: TestIngest;
beforeAll(async () => {
  ingest = await startTestIngest({ reconcileMs: 600_000 });
  // The error with which PostgreSQL rejects U+0000 in jsonb.
  await ingest.sql(`CREATE FUNCTION ingest.refuse() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      RAISE EXCEPTION 'unsupported Unicode escape sequence' USING ERRCODE = '22P05';
    END
  $$`);
});
afterAll(async () => {
  await ingest?.stop();
});

/** Refuses updates of a table that set what the job is about to set. */
async function refusing<Result>(
  table: string,
  update: string,
  run: () => Promise<Result>,
): Promise<Result> {
  await ingest.sql(`CREATE TRIGGER refuse BEFORE UPDATE ON ingest.${table}
    FOR EACH ROW WHEN (${update}) EXECUTE FUNCTION ingest.refuse()`);
  try {
    return await run();
  } finally {
    await ingest.sql(`DROP TRIGGER refuse ON ingest.${table}`);
  }
}

interface Row {
  id: string | number;
  version: number;
  payload: object;
}
interface Failure {
  /** A row whose job is due. */
  prepare: () => Promise<Row>;
  table: string;
  /** The update that PostgreSQL refuses. */
  refused: string;
  /** The row once its job has failed for good. */
  end: (row: Row) => Promise<unknown>;
  ended: unknown;
}

const unfinishedChanges: object[] = [];

const newDocument = (): Promise<string> =>
  ingest.upload(1, "order.txt", `The harbour order ${randomUUID()} applies.`);

const parsing: Failure = {
  async prepare() {
    const id = await newDocument();
    await ingest.until(1, id, "embedded");
    await ingest.sql(
      `UPDATE ingest.workspace_document SET state = 'queued' WHERE document_id = $1`,
      [id],
    );
    await ingest.sql(
      `UPDATE ingest.document SET state = 'queued', version = version + 1 WHERE id = $1`,
      [id],
    );
    return { id, version: 2, payload: { documentId: id, version: 2 } };
  },
  table: "document",
  refused: "NEW.state = 'parsed'",
  // An upload waits for this, in the workspace and in the library.
  async end({ id }) {
    const inWorkspace = await ingest.state1(1, String(id));
    const inLibrary = await ingest.state1(null, String(id));
    return [inWorkspace?.state, inLibrary?.state, inLibrary?.reason];
  },
  ended: ["failed", "failed", { code: "file.parsing-failed" }],
};

/** A workspace document with a due job. */
async function prepareWorkspaceDocument(state: "queued" | "searchable"): Promise<Row> {
  const documentId = await newDocument();
  await ingest.until(1, documentId, "embedded");
  const [row] = await ingest
    .sql<{ id: number; version: number }>(
      `UPDATE ingest.workspace_document SET state = $2, version = version + 1
    WHERE document_id = $1
    RETURNING id, version`,
      [documentId, state],
    )
    .then((result) => (result as unknown as [{ id: number; version: number }[]])[0]);
  const { id, version } = row!;
  return { id, version, payload: { workspaceDocumentId: id, version } };
}
const readWorkspaceDocument = async ({ id }: Row): Promise<unknown> => {
  const [row] = await ingest.sql<{ state: string; reason: string }>(
    `SELECT state, reason FROM ingest.workspace_document WHERE id = $1`,
    [id],
  );
  return row && [row.state, row.reason && JSON.parse(row.reason)];
};

/** For each job: how its row ends, or why nobody waits for it. */
const failures: Record<string, Failure | { nobodyWaits: string }> = {
  "document.parse": parsing,
  "document.parse-slow": parsing,
  "document.recognise": parsing,
  "document.transcribe": parsing,
  "parsed-file.parse": parsing,
  "document.index": {
    prepare: () => prepareWorkspaceDocument("queued"),
    table: "workspace_document",
    refused: "NEW.state = 'searchable'",
    end: readWorkspaceDocument,
    ended: ["failed", { code: "document.not-indexed" }],
  },
  "document.embed": {
    prepare: () => prepareWorkspaceDocument("searchable"),
    table: "workspace_document",
    refused: "NEW.state = 'embedded'",
    end: readWorkspaceDocument,
    ended: ["searchable", { code: "document.vectors-not-stored" }],
  },
  "document.publish-revision": {
    async prepare() {
      const documentId = await newDocument();
      const id = await newDocument();
      for (const each of [documentId, id]) await ingest.until(1, each, "embedded");
      await ingest.sql(`DELETE FROM ingest.workspace_document WHERE document_id = $1`, [id]);
      await ingest.sql(
        `UPDATE ingest.document SET revises = $2, in_library = false WHERE id = $1`,
        [id, documentId],
      );
      return { id, version: 1, payload: { revisionId: id, owner: "u1" } };
    },
    table: "document",
    refused: "NEW.revision = 2",
    async end({ id }) {
      const [row] = await ingest.sql<{ notes: unknown; isKept: boolean }>(
        `SELECT d.notes, r.lease_until > now() AS "isKept"
        FROM ingest.document r
        JOIN ingest.document d ON d.id = r.revises
        WHERE r.id = $1`,
        [id],
      );
      return row;
    },
    // It is tried again later.
    ended: {
      notes: [
        { code: "file-note.not-updated", params: { reason: { code: "document.not-indexed" } } },
      ],
      isKept: true,
    },
  },
  "index.build": {
    async prepare() {
      const id = randomUUID();
      await ingest.sql(
        `INSERT INTO ingest.search_index (
          id, role, engine, model, vector_database, vector_place, text_place, settings
        )
        VALUES ($1, 'building', 'generic-openai', 'm', 'lancedb', 'here', 'here', '{}')`,
        [id],
      );
      return { id, version: 1, payload: { buildId: id, version: 1 } };
    },
    table: "search_index",
    refused: "NEW.state <> 'failed'",
    async end({ id }) {
      const [row] = await ingest.sql<{ state: string; fault: unknown }>(
        `SELECT state, fault FROM ingest.search_index WHERE id = $1`,
        [id],
      );
      return row && [row.state, row.fault !== null];
    },
    ended: ["failed", true],
  },
  "library.change": {
    async prepare() {
      const documentId = await newDocument();
      await ingest.until(1, documentId, "embedded");
      const id = randomUUID();
      ingest.shared.messaging.broadcast.on(`event:${libraryChanged.name}`, (payload) => {
        const { unfinished } = payload as EventPayload<typeof libraryChanged>;
        if (unfinished) unfinishedChanges.push(unfinished);
      });
      await ingest.sql(
        `INSERT INTO ingest.library_change (id, change, user_id) VALUES ($1, $2, 7)`,
        [id, JSON.stringify({ kind: "move", folder: "elsewhere" })],
      );
      await ingest.sql(
        `INSERT INTO ingest.library_change_item (change_id, document_id, added_at) VALUES ($1, $2, now())`,
        [id, documentId],
      );
      return { id, version: 1, payload: { changeId: id, version: 1 } };
    },
    table: "document",
    refused: "NEW.folder = 'elsewhere'",
    end: async ({ id }) => ({
      left: (await ingest.sql(`SELECT 1 FROM ingest.library_change WHERE id = $1`, [id])).length,
      unfinishedChanges,
    }),
    ended: { left: 0, unfinishedChanges: [{ documents: 1, userId: 7 }] },
  },
  "index.sweep": {
    nobodyWaits: "Searches ignore what it would delete, and the reconciler sweeps it later.",
  },
};

const own = jobs.filter(({ service }) => service === "ingest");

describe("whatever fails a job for good ends the wait for it", () => {
  it("is known for every job", () => {
    expect(Object.keys(failures).toSorted()).toEqual(own.map(({ name }) => name).toSorted());
  });

  it.each(
    own
      .filter(({ name }) => "prepare" in (failures[name] ?? {}))
      .map((job) => [job.name, job] as const),
  )("%s", async (name, job) => {
    const failure = failures[name] as Failure;
    const row = await failure.prepare();
    await refusing(failure.table, failure.refused, async () => {
      const message = jobMessage(
        { ...job, attempts: 1 },
        { rowId: row.id, version: row.version, payload: row.payload },
      );
      await ingest.shared.messaging.sender.send(message);
      await poll(() => failure.end(row)).toEqual(failure.ended);
    });
    // Later work isn't held up.
    if (failure.table === "search_index")
      await ingest.sql(`DELETE FROM ingest.search_index WHERE id = $1`, [row.id]);
    const next = await newDocument();
    expect(await ingest.until(1, next, "embedded")).toMatchObject({ reason: null });
  });

  it("answers the upload whose text PostgreSQL refuses", async () => {
    const id = await refusing("document", "NEW.state = 'parsed'", async () => {
      const documentId = await newDocument();
      await ingest.until(1, documentId, "failed");
      return documentId;
    });
    expect(await ingest.state1(null, id)).toMatchObject({
      state: "failed",
      reason: { code: "file.parsing-failed" },
    });
  });
});
