import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { commandLine, endProcess, isRunning, readPid, signal, sleep } from "./process.ts";
import { PlainError, say } from "./terminal.ts";

/**
 * Allows only one launcher per data folder, because two would write to the same files. The lock
 * names the launcher and, if npm started it, npm: a launcher whose npm was killed is an orphan and
 * ends. Returns the function that releases the lock.
 */
export async function claimHome(home: string): Promise<() => void> {
  const file = join(home, "carrel.pid");
  const other = findLauncher(home);
  if (other !== null) {
    const [, parent = "", state = ""] = readFileSync(file, "utf8").split("\n");
    const orphan = parent !== "" && !isRunning(Number(parent));
    if (!orphan && state !== "stopping") {
      throw new PlainError(
        `Carrel is already running with the data folder ${home} (process ${other}).\nWhat to do: use that instance, stop it first, or set CARREL_HOME and CARREL_PORT to run a second one.`,
      );
    }
    say("Waiting for the previous Carrel to stop");
    if (orphan) signal(other, "SIGTERM");
    for (let i = 0; i < 600 && usesHome(other); i++) await sleep(50);
    if (usesHome(other)) await endProcess(other, "SIGKILL");
  }
  writeFileSync(file, `${process.pid}\n${startedByNpm ? process.ppid : ""}\n`);
  return () => {
    if (readPid(file) === process.pid) rmSync(file);
  };
}

/** Whether the process is one of the commands that start the data folder's servers. */
const usesHome = (pid: number): boolean =>
  isRunning(pid) &&
  /(carrel\.ts|backup\.js) (start|backup|restore|replace-secret|rotate-secret|reset-password)/.test(
    commandLine(pid),
  );

/** The process, other than this one, that has claimed the data folder. */
export function findLauncher(home: string): number | null {
  const pid = readPid(join(home, "carrel.pid"));
  return pid !== null && pid !== process.pid && usesHome(pid) ? pid : null;
}

/** A launcher that npm started ends when npm does. */
export const startedByNpm = process.env.npm_lifecycle_event !== undefined;
