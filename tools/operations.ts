/**
 * `npm run test:operations [-- <part>…]`: runs the parts below one after the other, then prints a
 * table of the results. A part that lacks its tools (Docker, Go) says so and counts as failed.
 */
import { spawn } from "node:child_process";
import { root } from "./checkout.ts";
import { PlainError, say } from "./terminal.ts";

/** A script of package.json, and what it shows. */
const parts: Record<string, [script: string, shows: string]> = {
  containers: [
    "test:containers",
    "images, Compose: scaling, upgrade, formats, kills, backup and restore",
  ],
  upgrade: ["test:upgrade", "the previous version and this one on one database"],
  rollout: ["test:rollout", "two replicas of everything, restarted while long answers are written"],
  rotation: ["test:rotation", "new instance secret and passwords, under load"],
  helm: ["test:helm", "the chart for two versions of Kubernetes, installed on one"],
  monitoring: ["test:monitoring", "the alert rules and their tests, with promtool"],
  load: ["test:load", "k6 against separate processes"],
  backup: ["test:backup", "backups: damage, interruption, older versions, other keys"],
};

const runScript = (script: string): Promise<boolean> =>
  new Promise((done) => {
    const child = spawn("npm", ["run", "--silent", script], { cwd: root, stdio: "inherit" });
    child.once("error", () => done(false)).once("close", (code) => done(code === 0));
  });

export async function showOperations(names: readonly string[]): Promise<void> {
  const unknown = names.find((name) => !(name in parts));
  if (unknown !== undefined)
    throw new PlainError(
      `There is no part "${unknown}".\nWhat to do: choose from ${Object.keys(parts).join(", ")}.`,
    );
  const rows: string[][] = [["part", "result", "time", "shows"]];
  for (const [name, [script, shows]] of Object.entries(parts)) {
    if (names.length > 0 && !names.includes(name)) continue;
    say(`npm run ${script}`);
    const began = performance.now();
    const passed = await runScript(script);
    const seconds = Math.round((performance.now() - began) / 1000);
    rows.push([name, passed ? "passed" : "FAILED", `${seconds} s`, shows]);
    if (!passed) process.exitCode = 1;
  }
  for (const [name = "", result = "", time = "", shows = ""] of rows)
    process.stdout.write(`${name.padEnd(12)}${result.padEnd(8)}${time.padStart(7)}  ${shows}\n`);
}
