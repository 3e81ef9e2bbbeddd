import { afterEach, describe, expect, it } from "@jest/globals";
import { waitFor } from "@carrel/testing";
import { hostileFiles } from "../../test/fixtures/hostile-files.ts";
import { startTestIngest, type TestIngest } from "../../test/test-ingest.ts";

let ingest: TestIngest;
afterEach(() => ingest.stop());

async function timeText(name: string): Promise<number> {
  const started = performance.now();
  const id = await ingest.upload(1, name, `The ${name} rings bicycle bells. `.repeat(300));
  await ingest.until(1, id, "searchable", "embedding", "embedded");
  return performance.now() - started;
}
const makeHostile = (filename: string): Buffer =>
  hostileFiles.find((file) => file.filename === filename)!.make();
const isUnfinished = (state: string): boolean => /^(queued|parsing)$/.test(state);

describe("files that take long", () => {
  it("don't delay a small one by more than 2 s", async () => {
    ingest = await startTestIngest({ embedder: false });
    // Both texts wait for a thread to start.
    const alone = await timeText("first.txt");
    const ids: string[] = [];
    for (const filename of ["chapter.epub", "shared-content.pdf", "paragraphs.docx"])
      ids.push(await ingest.upload(2, filename, makeHostile(filename)));
    for (const id of ids.slice(0, 2)) await ingest.until(2, id, "parsing");
    const delayed = await timeText("second.txt");
    const states = await Promise.all(ids.map((id) => ingest.state1(2, id)));
    expect(states.every((state) => isUnfinished(state!.state))).toBe(true);
    // Where other programs slow everything down, alone takes longer, too.
    expect(delayed).toBeLessThan(2_000 + 4 * alone);
  }, 180_000);

  it("are parsed by the queue of slow files if they hold all threads", async () => {
    ingest = await startTestIngest({
      embedder: false,
      environment: { CARREL_PARSE_THREADS: "1" },
    });
    const id = await ingest.upload(1, "slow.txt", "The ferry sails at one.");
    await ingest.until(1, id, "searchable");
    // As a slow file is left behind when Redis loses its data.
    await ingest.sql(
      `UPDATE ingest.document SET state = 'queued', is_slow = true, updated_at = now() - interval '1 minute' WHERE id = $1`,
      [id],
    );
    await waitFor(async () => {
      const rows = await ingest.sql(
        `SELECT 1 FROM ingest.document WHERE id = $1 AND state = 'parsed' AND is_slow`,
        [id],
      );
      return rows.length > 0;
    });
    // They take minutes, so the text is only parsed because one of them ends.
    const bytes = makeHostile("shared-content.pdf");
    for (const n of [1, 2]) await ingest.upload(2, `${n}.pdf`, bytes);
    await timeText("next.txt");
    const waiting = await ingest.sql(
      `SELECT 1 FROM ingest.document WHERE is_slow AND state IN ('queued', 'parsing')`,
    );
    expect(waiting).toHaveLength(1);
  }, 180_000);
});
