/**
 * `npm run test:stops [-- <part of a state's name>…]`: stops the product in each of these states,
 * which must end with "Stopped", exit code 0 and no process left. Exits with 1 otherwise.
 */
import { ensureBuilt } from "../../../tools/build.ts";
import { canRun, StopRun } from "./stop-run.ts";
import { stopStates } from "./stop-states.ts";

const names = process.argv.slice(2);
const say = (words: string): void => void process.stdout.write(`${words}\n`);

await ensureBuilt();
const run = await StopRun.open();
for (const state of stopStates) {
  if (names.length > 0 && !names.some((name) => state.name.includes(name))) continue;
  if (!canRun(state)) {
    say(`${state.name.padEnd(44)} not run: ../shared/models is missing`);
    continue;
  }
  const { seconds, faults } = await run.run(state);
  if (faults.length > 0) process.exitCode = 1;
  say(
    `${state.name.padEnd(44)} ${`${seconds.toFixed(1)} s`.padStart(7)}  ${faults.join("; ") || "stopped"}`,
  );
}
await run.close();
process.exit();
