/**
 * Benchmarks how long a fresh text of 10 kB waits beside three hostile files: the ingest service in
 * a separate process, as built, with the defaults of `./carrel start`. One row per file.
 * `./carrel bench hostile --only=lines.eml,cells.xlsx` measures only the named files.
 */
import { waitFor } from "@carrel/testing";
import { hostileFiles } from "../test/fixtures/hostile-files.ts";
import { startTestIngest, type TestIngest } from "../test/test-ingest.ts";
import { prose } from "./load-prose.ts";

const wanted = process.argv
  .slice(2)
  .find((option) => option.startsWith("--only="))
  ?.slice("--only=".length)
  .split(",");
const beside = 3;
/** How long the end of the hostile files is awaited. */
const maxSeconds = 15;

let seed = 1;
async function timeText(ingest: TestIngest): Promise<number> {
  const started = performance.now();
  const id = await ingest.upload(1, `text-${seed}.txt`, prose(seed++, 10_000));
  await ingest.until(1, id, "searchable", "embedding", "embedded");
  return (performance.now() - started) / 1000;
}

for (const { filename, make } of hostileFiles) {
  if (wanted !== undefined && !wanted.includes(filename)) continue;
  const ingest = await startTestIngest({
    elsewhere: true,
    environment: { CARREL_PARSE_THREADS: "" },
    reconcileMs: 60_000,
  });
  try {
    await ingest.startReplica(true);
    await timeText(ingest);
    const alone = await timeText(ingest);
    const bytes = make();
    const started = performance.now();
    // Different names keep them from being taken for the same file.
    const hostile = await Promise.all(
      Array.from({ length: beside }, (_, n) => ingest.upload(2, `${n}-${filename}`, bytes)),
    );
    for (const id of hostile) await ingest.until(2, id, "parsing", "parsed", "failed", "embedded");
    const delayed = await timeText(ingest);
    const end = await waitFor(
      async () => {
        const states = await Promise.all(hostile.map((id) => ingest.state1(2, id)));
        return states.every((state) => state !== null && !/queued|parsing/.test(state.state))
          ? `${((performance.now() - started) / 1000).toFixed(1)} s (${states[0]!.state})`
          : null;
      },
      { timeoutMs: maxSeconds * 1000, what: "the hostile files" },
    ).catch(() => `over ${maxSeconds} s`);
    console.log(
      JSON.stringify({
        what: `10 kB beside ${beside} × ${filename}`,
        how: `until searchable, and alone; the hostile files of ${(bytes.length / 1e6).toFixed(1)} MB took ${end}`,
        figure: `${delayed.toFixed(2)} s, alone ${alone.toFixed(2)} s`,
        reach: "2 s more than alone",
        goal: "1 s more than alone",
      }),
    );
  } finally {
    await ingest.stop();
  }
}
