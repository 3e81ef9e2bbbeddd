import { afterEach, describe, expect, it } from "@jest/globals";
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

  it("are parsed later if they would hold all threads", async () => {
    ingest = await startTestIngest({
      embedder: false,
      environment: { CARREL_PARSE_THREADS: "1" },
    });
    const parts = `--b\n\na\n`.repeat(45_000);
    const mail = `Subject: parts\nFrom: a@b.c\nContent-Type: multipart/mixed; boundary=b\n\n${parts}--b--`;
    const ids: string[] = [];
    for (const n of [1, 2, 3]) ids.push(await ingest.upload(2, `${n}.eml`, mail + n));
    await timeText("next.txt");
    await Promise.all(ids.map((id) => ingest.until(2, id, "searchable", "embedding", "embedded")));
    const [{ late } = { late: 0 }] = await ingest.sql<{ late: number }>(
      `SELECT count(*)::int AS late FROM ingest.document WHERE recognition_pages = 0 AND state = 'parsed'`,
    );
    expect(late).toBeGreaterThan(0);
  }, 180_000);
});
