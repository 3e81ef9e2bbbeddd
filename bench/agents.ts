/**
 * What agents add to a model that answers at once: runs one after the other and 200 at once, the
 * first token of direct answers, and statements. Each run has three steps that cost nothing
 * themselves. `--only=runs,burst,first-token,statements`; `--runs=20` instead of 200 in a row;
 * `--list` prints the statements of a step.
 */
import { startFakeProcess } from "../libs/testing/src/instance.ts";
import {
  countStatements,
  describeCounts,
  makeAgentWorkspace,
  openRuns,
  rawRun,
  runAgent,
  steps,
  timeFirstToken,
} from "./agents-runs.ts";
import { inFlight, json, quantile } from "./client.ts";
import { cpuOfOne, describeCpu, readCpu, type Cpu } from "./http-cpu.ts";
import { startProduct } from "./ingest-product.ts";

const options = process.argv.slice(2);
const wanted = options
  .filter((option) => option.startsWith("--only="))
  .flatMap((option) => option.replace("--only=", "").split(","));
const measures = (row: string) => wanted.length === 0 || wanted.includes(row);
const runs = Number(
  options.find((option) => option.startsWith("--runs="))?.replace("--runs=", "") ?? 200,
);
const rounds = 5;
const atOnce = 200;

const print = (row: { what: string; how: string; figure: string; goal: string }) =>
  console.log(JSON.stringify({ ...row, reach: "" }));
const ms = (value: number): string => `${value.toFixed(1)} ms`;

const [calling, answering] = await Promise.all([
  startFakeProcess("--steps", String(steps)),
  startFakeProcess(),
]);
const product = await startProduct("one", answering.url);
const { url } = product;
const processes = new Map([...product.pids].filter(([name]) => name !== "redis"));
const useModel = async (vendor: string): Promise<void> => {
  const { error } = await json<{ error: string | false }>(url, "POST", "/api/system/update-env", {
    LLMProvider: "generic-openai",
    GenericOpenAiBasePath: `${vendor}/v1`,
    GenericOpenAiModelPref: "fake-model",
    GenericOpenAiTokenLimit: "32000",
    GenericOpenAiMaxTokens: "1024",
  });
  if (error !== false) throw new Error(error);
};

/** CPU of one of `runs` runs in a row, by process; medians over rounds. */
async function measureCpu(slug: string): Promise<Cpu[]> {
  const measured: Cpu[] = [];
  for (let round = 0; round < rounds; round++) {
    const before = readCpu(processes);
    await inFlight(runs / rounds, 1, () => runAgent(url, slug));
    measured.push(cpuOfOne(before, readCpu(processes), runs / rounds));
  }
  return measured;
}
const perStep = (withSteps: Cpu[], direct: Cpu[]): Cpu[] =>
  withSteps.map(
    (cpu, round) =>
      new Map([...cpu].map(([name, used]) => [name, (used - direct[round]!.get(name)!) / steps])),
  );
const medianOf = (measured: Cpu[], name: string): number =>
  quantile(
    measured.map((cpu) => cpu.get(name) ?? 0),
    0.5,
  );

async function measureRuns(): Promise<void> {
  const slug = await makeAgentWorkspace(url, "Runs");
  await useModel(answering.url);
  await inFlight(40, 1, () => runAgent(url, slug));
  const direct = await measureCpu(slug);
  await useModel(calling.url);
  await inFlight(40, 1, () => runAgent(url, slug));
  const ran = await measureCpu(slug);
  const overheads: number[] = [];
  const directOverheads: number[] = [];
  for (let n = 0; n < runs; n++) {
    const { total } = await runAgent(url, slug);
    overheads.push(total - (await rawRun(calling.url, steps)));
  }
  await useModel(answering.url);
  for (let n = 0; n < runs; n++) {
    const { total } = await runAgent(url, slug);
    directOverheads.push(total - (await rawRun(answering.url, 0)));
  }
  print({
    what: "added to a run of three steps",
    how: `one after the other; from the question to the end of the stream, less four calls of the vendor's own; p50 / p95 of ${runs}; a direct answer: ${ms(quantile(directOverheads, 0.5))}`,
    figure: `${quantile(overheads, 0.5).toFixed(1)} / ${ms(quantile(overheads, 0.95))}`,
    goal: "≤ 15 ms",
  });
  const added = perStep(ran, direct);
  print({
    what: "CPU of a step",
    how: `runs of three steps less direct answers, by three; medians of ${rounds}: ${describeCpu(added)} ms; a whole run takes ${describeCpu(ran)} ms`,
    figure: ms(medianOf(added, "carrel")),
    goal: "≤ 5 ms",
  });
}

async function measureBurst(): Promise<void> {
  await useModel(calling.url);
  const ask = await openRuns(url, atOnce);
  await ask();
  const p95s: number[] = [];
  const cpus: Cpu[] = [];
  for (let round = 0; round < 3; round++) {
    const before = readCpu(processes);
    const times = await ask();
    cpus.push(cpuOfOne(before, readCpu(processes), atOnce * steps));
    p95s.push(
      quantile(
        times.map(({ total }) => total / steps),
        0.95,
      ),
    );
  }
  print({
    what: `${atOnce} runs of three steps at once`,
    how: `all complete; time from the question to the end, by three, p95; median of 3; CPU of a step, with its share of the answer: ${describeCpu(cpus)} ms`,
    figure: `${(quantile(p95s, 0.5) / 1000).toFixed(2)} s`,
    goal: "≤ 1 s",
  });
}

async function measureFirstToken(): Promise<void> {
  await useModel(answering.url);
  const slug = await makeAgentWorkspace(url, "First token");
  const times = { automatic: [] as number[], chat: [] as number[] };
  const warmUp = 20;
  for (let n = 0; n < runs + warmUp; n++)
    // Whichever comes second may find caches warm, so they take turns.
    for (const mode of n % 2 === 0
      ? (["automatic", "chat"] as const)
      : (["chat", "automatic"] as const)) {
      const first = await timeFirstToken(url, slug, mode);
      if (n >= warmUp) times[mode].push(first);
    }
  const [automatic, chat] = [quantile(times.automatic, 0.5), quantile(times.chat, 0.5)];
  print({
    what: "first token in automatic mode against chat",
    how: `a model that answers directly, no documents, in turn; medians of ${runs}: ${ms(automatic)} against ${ms(chat)}`,
    figure: (automatic / chat).toFixed(2),
    goal: "≤ 1.3",
  });
}

async function measureStatements(): Promise<void> {
  const slug = await makeAgentWorkspace(url, "Statements");
  const count = async (vendor: string): Promise<Map<string, number>> => {
    await useModel(vendor);
    await inFlight(10, 1, () => runAgent(url, slug));
    return countStatements(product.databaseUrl, 50, () => runAgent(url, slug));
  };
  const direct = await count(answering.url);
  const ran = await count(calling.url);
  const added = new Map(
    [...ran].map(([query, calls]) => [query, (calls - (direct.get(query) ?? 0)) / steps]),
  );
  const sum = (counts: Map<string, number>): number =>
    [...counts.values()].reduce((all, calls) => all + calls, 0);
  if (options.includes("--list"))
    console.error(`A step:\n${describeCounts(added)}\nA direct answer:\n${describeCounts(direct)}`);
  print({
    what: "statements of a step",
    how: `runs of three steps less direct answers (${sum(direct).toFixed(1)} statements), by three; BEGIN and COMMIT count`,
    figure: sum(added).toFixed(1),
    goal: "",
  });
}

try {
  if (measures("runs")) await measureRuns();
  if (measures("burst")) await measureBurst();
  if (measures("first-token")) await measureFirstToken();
  if (measures("statements")) await measureStatements();
} finally {
  await product.stop();
  await Promise.all([calling.stop(), answering.stop()]);
}
