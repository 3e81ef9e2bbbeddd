/**
 * Memory of all processes over an hour of uploads, answers and searches; `--minutes=6` for a
 * shorter run with less work. Fails if memory at the end is more than 10 % above the level after a
 * sixth of the time.
 */
import { startFakeProcess, startInstance } from "../libs/testing/src/instance.ts";
import { sleep } from "../tools/process.ts";
import { quantile } from "./client.ts";
import { askQuestions, prepareTarget, search, uploadFiles } from "./memory-load.ts";
import { memoryByProgram, total } from "./memory-processes.ts";

const perHour = { files: 1_000, answers: 5_000, searches: 10_000 };
const option = process.argv
  .find((text) => text.startsWith("--minutes="))
  ?.slice("--minutes=".length);
const minutes = Number(option ?? 60);
/** The load is spread over rounds of this length. */
const roundMs = 10_000;
const rounds = Math.max(6, Math.round((minutes * 60_000) / roundMs));
/** A level is the median over this many rounds: two minutes of an hour. */
const levelRounds = Math.max(1, Math.round(rounds / 30));
const maxGrowth = 1.1;

/** The share of the `hourly` work done in the previous rounds. */
const doneBefore = (hourly: number, round: number): number =>
  Math.round((hourly * round * roundMs) / 3_600_000);
const share = (hourly: number, round: number): [from: number, count: number] => {
  const from = doneBefore(hourly, round);
  return [from, doneBefore(hourly, round + 1) - from];
};

const fake = await startFakeProcess();
const instance = await startInstance();
const samples: number[] = [];
const levelAt = (round: number): number =>
  quantile(samples.slice(Math.max(0, round - levelRounds), round), 0.5);
let late = 0;
try {
  const target = await prepareTarget(instance.url, fake.url);
  for (let round = 0; round < rounds; round++) {
    const begun = performance.now();
    await uploadFiles(target, ...share(perHour.files, round));
    await askQuestions(target, ...share(perHour.answers, round));
    await search(target, ...share(perHour.searches, round));
    const left = roundMs - (performance.now() - begun);
    if (left > 0) await sleep(left);
    else late++;
    const memory = memoryByProgram(instance.process.pid!);
    samples.push(total(memory));
    if (round % 6 === 5)
      console.error(
        `minute ${(round + 1) / 6}: ${total(memory).toFixed(0)} MB (${[...memory].map(([program, megabytes]) => `${program} ${megabytes.toFixed(0)}`).join(", ")})`,
      );
  }
} finally {
  await instance.stop();
  fake.stop();
}
const early = levelAt(Math.round(rounds / 6));
const end = levelAt(rounds);
const growth = end / early;
console.log(
  JSON.stringify({
    what: "soak",
    how: `${minutes} min: ${doneBefore(perHour.files, rounds)} files of 10 kB, ${doneBefore(perHour.answers, rounds)} answers, ${doneBefore(perHour.searches, rounds)} searches; PSS after ${(minutes / 6).toFixed(0)} min and at the end, highest ${Math.max(...samples).toFixed(0)} MB; ${late} of ${rounds} rounds took longer than ${roundMs / 1000} s`,
    figure: `${early.toFixed(0)} MB, ${end.toFixed(0)} MB (${growth > 1 ? "+" : ""}${((growth - 1) * 100).toFixed(1)} %)`,
    reach: "+10 %",
    goal: "+10 %",
  }),
);
if (growth > maxGrowth) process.exitCode = 1;
