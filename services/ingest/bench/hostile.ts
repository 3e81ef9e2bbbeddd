/**
 * Benchmarks how long a fresh text of 10 kB waits beside a hostile file, while that is parsed, stored
 * and indexed: the ingest service in a separate process, as built, with the defaults of
 * `./carrel start`. One row per kind of file, with the longest wait and the service's peak memory;
 * `--beside=2,6,20` uploads two of them at once, then six, then twenty, and `--megabytes=3` makes text and PDF files larger (archives unpack to almost the limit anyway),
 * `--only=lines.eml,cells.xlsx` measures only the named kinds. On a busy machine, raise the priority
 * of the whole session first: `echo -15 >/proc/self/autogroup`, as root, in a shell of `setsid`.
 */
import { hostileFiles, type HostileFile } from "../test/fixtures/hostile-files.ts";
import { startTestIngest, type TestIngest } from "../test/test-ingest.ts";
import { watchPss } from "./load-memory.ts";
import { prose } from "./load-prose.ts";

const option = (name: string): string | undefined =>
  process.argv
    .slice(2)
    .find((argument) => argument.startsWith(`--${name}=`))
    ?.slice(name.length + 3);
const wanted = option("only")?.split(",");
const besides = (option("beside") ?? "1").split(",").map(Number);
const megabytes = Number(option("megabytes") ?? 1);
/** Time for uploading texts beside the hostile files, one after the other. */
const maxSeconds = Number(option("seconds") ?? 15);

let seed = 1;
async function timeText(ingest: TestIngest): Promise<number> {
  const started = performance.now();
  const id = await ingest.upload(1, `text-${seed}.txt`, prose(seed++, 10_000));
  await ingest.until(1, id, "searchable", "embedding", "embedded");
  return (performance.now() - started) / 1000;
}

async function measure({ filename, make }: HostileFile, beside: number): Promise<void> {
  const ingest = await startTestIngest({
    elsewhere: true,
    environment: { CARREL_PARSE_THREADS: "" },
    reconcileMs: 60_000,
  });
  try {
    const { pid } = await ingest.startReplica(true);
    await timeText(ingest);
    const alone = await timeText(ingest);
    const bytes = make(megabytes);
    const peak = watchPss(pid);
    const started = performance.now();
    const seconds = (): number => (performance.now() - started) / 1000;
    // Different names keep them from being taken for the same file.
    const hostile = await Promise.all(
      Array.from({ length: beside }, (_, n) => ingest.upload(2, `${n}-${filename}`, bytes)),
    );
    await ingest.until(2, hostile[0]!, "parsing", "parsed", "failed", "embedded");
    const delayed: number[] = [];
    let end: string | null = null;
    while (end === null && seconds() < maxSeconds) {
      delayed.push(await timeText(ingest));
      const states = await Promise.all(hostile.map((id) => ingest.state1(2, id)));
      if (states.every((state) => /^(?:failed|embedded)$/.test(state?.state ?? "failed")))
        end = `${seconds().toFixed(1)} s (${states[0]?.state})`;
    }
    console.log(
      JSON.stringify({
        what: `10 kB beside ${beside} × ${filename}`,
        how: `longest of ${delayed.length} until searchable, and alone; the hostile files of ${(bytes.length / 1e6).toFixed(1)} MB took ${end ?? `over ${maxSeconds} s`}`,
        figure: `${Math.max(...delayed).toFixed(2)} s, alone ${alone.toFixed(2)} s; peak ${peak().toFixed(0)} MB`,
        reach: "2 s more than alone",
        goal: "1 s more than alone",
      }),
    );
  } finally {
    await ingest.stop();
  }
}

for (const file of hostileFiles)
  if (wanted === undefined || wanted.includes(file.filename))
    for (const beside of besides) await measure(file, beside);
