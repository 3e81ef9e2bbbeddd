/**
 * `npm run test:load [-- <script…> --replicas=1,2,3 -e NAME=value …]`: runs scripts of e2e/k6
 * (without names, the short ones), one after the other, against the product as separate processes,
 * with this many replicas of each. Prints CPU, memory and open files of each process, and compares
 * the CPU per operation of several numbers of replicas. `--tokens` and `--delay` (ms) set the pace of
 * the fake model, `--set NAME=value` a variable of the product. Exits with k6's code: 99 if a
 * threshold failed.
 */
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { ensureBuilt } from "../../../tools/build.ts";
import { Api } from "../api.ts";
import { describeGrowth, type Usage } from "./figures.ts";
import { watchFirstToken } from "./first-token.ts";
import { runK6 } from "./run-k6.ts";
import { scripts } from "./scripts.ts";
import { startStack } from "./stack.ts";

const root = resolve(import.meta.dirname, "../../..");
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    replicas: { type: "string", default: "1" },
    tokens: { type: "string" },
    delay: { type: "string" },
    env: { type: "string", short: "e", multiple: true, default: [] },
    set: { type: "string", multiple: true, default: [] },
  },
});
const say = (words: string): void => void process.stdout.write(`${words}\n`);
const names = positionals.length > 0 ? positionals : ["reads", "search", "uploads", "chats"];
const quit = (words: string): never => {
  process.stderr.write(`${words}\n`);
  process.exit(2);
};
if (names.some((name) => scripts[name] === undefined))
  quit(`Which scripts? ${Object.keys(scripts).join(", ")}`);
const k6 = process.env.CARREL_K6 ?? join(root, ".tools/k6/k6");
if (!existsSync(k6)) {
  if (process.env.CARREL_K6 !== undefined) quit(`CARREL_K6: there is no ${k6}`);
  const { status } = spawnSync(join(root, "e2e/k6/build.sh"), { stdio: "inherit" });
  if (status !== 0) quit("k6 couldn't be built");
}

const counts = values.replicas
  .split(",")
  .map(Number)
  .sort((one, other) => one - other);
if (counts.some((count) => !Number.isInteger(count) || count < 1))
  quit("--replicas takes whole numbers from 1, e.g. --replicas=1,2,3");

const administrator = { username: "load-admin", password: "Load tests 4 everyone" };
let code = 0;
let isInterrupted = false;
for (const signal of ["SIGINT", "SIGTERM"] as const)
  process.on(signal, () => (isInterrupted = true));

/** Runs the scripts with this many replicas; returns the CPU per operation of each. */
async function measure(replicas: number): Promise<Usage[]> {
  const stack = await startStack({
    replicas,
    environment: Object.fromEntries(
      values.set.map((each) => [each.split("=")[0]!, each.slice(each.indexOf("=") + 1)]),
    ),
  });
  try {
    const api = new Api(stack.urls[0]!);
    await api.json("POST", "/system/enable-multi-user", administrator);
    const { token } = await api.json<{ token: string }>("POST", "/request-token", administrator);
    const usage: Usage[] = [];
    for (const name of names) {
      if (isInterrupted) break;
      const pace = scripts[name]!;
      await stack.paceModel(
        Number(values.tokens ?? pace.tokens),
        Number(values.delay ?? pace.delayMs),
      );
      say(`\n${name}, ${replicas} of each`);
      const asksQuestions = pace.delayMs > 0;
      const run = await runK6({
        k6,
        script: join(root, `e2e/k6/${name}.ts`),
        variables: [
          ...values.env,
          `CARREL_URL=${stack.urls.join(",")}`,
          `CARREL_USERNAME=${administrator.username}`,
          `CARREL_PASSWORD=${administrator.password}`,
        ],
        processes: stack.processes,
        say,
        ...(asksQuestions && {
          meanwhile: (signal) => watchFirstToken(stack.urls[0]!, token, signal),
        }),
      });
      code ||= run.code;
      usage.push(run.usage);
    }
    for (const { name, lines } of stack.complaints())
      if (lines.length > 0) {
        say(`${name} logged ${lines.length} lines, the first ones:`);
        for (const line of lines.slice(0, 5)) say(`  ${line.slice(0, 600)}`);
      }
    return usage;
  } finally {
    await stack.stop();
  }
}

await ensureBuilt();
const measured: Usage[][] = [];
for (const count of counts) if (!isInterrupted) measured.push(await measure(count));
if (isInterrupted) process.exit(130);
if (counts.length > 1)
  for (const [n, name] of names.entries())
    say(
      `\n${name}: CPU per operation in ms\n${describeGrowth(
        counts,
        measured.map((usage) => usage[n]!),
      )}`,
    );
process.exit(code);
