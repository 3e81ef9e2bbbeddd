import { reparseDocuments, retryDocument } from "@carrel/contracts";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import {
  libraryScope,
  startTestIngest,
  workspaceScope,
  type TestIngest,
} from "../../test/test-ingest.ts";

let ingest: TestIngest;
beforeAll(async () => {
  ingest = await startTestIngest({ embedder: false, reconcileMs: 600_000 });
});
afterAll(async () => {
  await ingest?.stop();
});

/** The queues that got a job for the document's retry. */
async function queuesOf(documentId: string): Promise<string[]> {
  const { commands } = ingest.shared.messaging.connections;
  const queues: string[] = [];
  for (const queue of ["parse", "parse-slow", "recognise"]) {
    const events = await commands.xrange(`carrel:ingest-${queue}:events`, "-", "+");
    if (events.some(([, fields]) => fields.some((field) => field.endsWith(`${documentId}/2`))))
      queues.push(queue);
  }
  return queues;
}

const retries: Record<string, (documentId: string) => Promise<unknown>> = {
  "in its workspace": (documentId) =>
    ingest.client.request(retryDocument, { slug: "w1", documentId }, { scope: workspaceScope(1) }),
  "in the library": (documentId) =>
    ingest.client.request(
      reparseDocuments,
      { selection: { documentIds: [documentId] } },
      { scope: libraryScope },
    ),
};

describe.each(Object.keys(retries))("a failed document retried %s", (where) => {
  it.each([
    ["parse", "is_slow = false"],
    ["parse-slow", "is_slow = true"],
    ["recognise", "recognition_pages = 1"],
    // Versions before is_slow mark slow documents like this.
    ["parse", "recognition_pages = 0"],
  ])("is parsed by the queue %s if %s", async (queue, mark) => {
    const id = await ingest.upload(1, "signal.txt", `The signal at ${where} is ${mark}.`);
    await ingest.until(1, id, "searchable");
    await ingest.sql(
      `UPDATE ingest.document SET state = 'failed', reason = '{"code":"file.parsing-failed"}', ${mark} WHERE id = $1`,
      [id],
    );
    await ingest.sql(
      `UPDATE ingest.workspace_document SET state = 'failed' WHERE document_id = $1`,
      [id],
    );
    await retries[where]!(id);
    await ingest.until(1, id, "searchable");
    expect(await queuesOf(id)).toEqual([queue]);
  });
});
