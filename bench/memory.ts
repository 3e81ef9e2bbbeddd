/**
 * Memory of all processes (PSS): idle after the start, while uploading, answering and searching,
 * and a minute later; and the work per second while idle. `--runs=1` instead of five.
 */
import { startFakeProcess, startInstance } from "../libs/testing/src/instance.ts";
import { sleep } from "../tools/process.ts";
import { quantile } from "./client.ts";
import { askQuestions, prepareTarget, search, uploadFiles } from "./memory-load.ts";
import { measureIdleWork, memoryByProgram, total, type IdleWork } from "./memory-processes.ts";

const load = { files: 200, answers: 200, searches: 500 };
/** How long to wait after the start or the load before measuring the idle level. */
const restMs = 60_000;
/** Duration of the idle measurement. */
const idleSeconds = 30;

const option = process.argv.find((text) => text.startsWith("--runs="))?.slice("--runs=".length);
const runs = Number(option ?? 5);

interface Run {
  start: Map<string, number>;
  peak: number;
  end: Map<string, number>;
  idleAfterStart: IdleWork;
  idleAfterLoad: IdleWork;
}

async function measure(): Promise<Run> {
  const fake = await startFakeProcess();
  const instance = await startInstance();
  const pid = instance.process.pid!;
  let peak = 0;
  const sampler = setInterval(() => {
    peak = Math.max(peak, total(memoryByProgram(pid)));
  }, 1_000);
  try {
    await sleep(restMs);
    const start = memoryByProgram(pid);
    const idleAfterStart = await measureIdleWork(instance.home, pid, idleSeconds);
    const target = await prepareTarget(instance.url, fake.url);
    await uploadFiles(target, 0, load.files);
    await askQuestions(target, 0, load.answers);
    await search(target, 0, load.searches);
    const idleAfterLoad = await sleep(restMs - idleSeconds * 1_000).then(() =>
      measureIdleWork(instance.home, pid, idleSeconds),
    );
    return { start, peak, end: memoryByProgram(pid), idleAfterStart, idleAfterLoad };
  } finally {
    clearInterval(sampler);
    await instance.stop();
    fake.stop();
  }
}

const spread = (figures: number[], digits = 0): string =>
  figures.length === 1
    ? figures[0]!.toFixed(digits)
    : `${quantile(figures, 0.5).toFixed(digits)} (${Math.min(...figures).toFixed(digits)}–${Math.max(...figures).toFixed(digits)})`;
/** Results per program, from all runs. */
const byProgram = (maps: Map<string, number>[], digits = 0): string =>
  [...maps[0]!.keys()]
    .map(
      (program) =>
        `${program} ${spread(
          maps.map((map) => map.get(program) ?? 0),
          digits,
        )}`,
    )
    .join(", ");
const print = (row: { what: string; how: string; figure: string; reach: string; goal: string }) =>
  console.log(JSON.stringify(row));

const measured: Run[] = [];
for (let run = 0; run < runs; run++) {
  measured.push(await measure());
  const { start, peak, end } = measured.at(-1)!;
  console.error(
    `memory run ${run}: ${total(start).toFixed(0)}, at most ${peak.toFixed(0)}, ${total(end).toFixed(0)} MB`,
  );
}
const of = `median (min–max) of ${runs}`;
const work = `${load.files} files of 10 kB, ${load.answers} answers, ${load.searches} searches, 8 in flight`;
print({
  what: "memory idle",
  how: `PSS ${restMs / 1000} s after the start, ${of}: ${byProgram(measured.map(({ start }) => start))} MB`,
  figure: `${spread(measured.map(({ start }) => total(start)))} MB`,
  reach: "≤ 350 MB",
  goal: "220 MB",
});
print({
  what: "memory after load",
  how: `${work}; PSS ${restMs / 1000} s later, ${of}: ${byProgram(measured.map(({ end }) => end))} MB; at most ${spread(measured.map(({ peak }) => peak))} MB`,
  figure: `${spread(measured.map(({ end }) => total(end)))} MB`,
  reach: "",
  goal: "330 MB",
});
for (const [what, when, idle] of [
  ["idle work", "after the start", measured.map(({ idleAfterStart }) => idleAfterStart)],
  [
    "idle work after load",
    `${restMs / 1000 - idleSeconds} s after the load`,
    measured.map(({ idleAfterLoad }) => idleAfterLoad),
  ],
] as const)
  print({
    what,
    how: `per second, for ${idleSeconds} s ${when}, ${of}; CPU ${byProgram(
      idle.map(({ cpuMs }) => cpuMs),
      1,
    )} ms`,
    figure: `${spread(
      idle.map(({ cpuMs }) => total(cpuMs)),
      1,
    )} ms CPU; ${spread(
      idle.map(({ commands }) => commands),
      1,
    )} Redis commands; ${spread(
      idle.map(({ transactions }) => transactions),
      1,
    )} PostgreSQL transactions`,
    reach: "",
    goal: "",
  });
