import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { expect, it } from "@jest/globals";

/** Runs a process that stops like this and gets SIGTERM; returns its exit code. */
async function codeAfterSignal(stop: string): Promise<number> {
  const file = JSON.stringify(join(import.meta.dirname, "end-on-signal.ts"));
  const child = spawn(
    process.execPath,
    [
      "--input-type=module",
      "--disable-warning=ExperimentalWarning",
      "--eval",
      `import { endOnSignal } from ${file};
       endOnSignal(${stop}, 500);
       setInterval(() => undefined, 1_000);
       process.stdout.write("ready");`,
    ],
    { stdio: ["ignore", "pipe", "ignore"] },
  );
  await once(child.stdout, "data");
  child.kill("SIGTERM");
  const [code] = (await once(child, "exit")) as [number];
  return code;
}

it.each([
  ["ends once it has stopped", "async () => {}", 0],
  ["ends if stopping fails", "() => Promise.reject(new Error())", 1],
  ["ends although stopping never does", "() => new Promise(() => {})", 1],
])("a process %s", async (_what, stop, code) => expect(await codeAfterSignal(stop)).toBe(code));
