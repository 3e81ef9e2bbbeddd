import { spawn } from "node:child_process";
import { join } from "node:path";
import { sleep } from "../tools/process.ts";

export interface Started {
  seconds: number;
  pid: number;
  /** What the launcher said, and after how many seconds. */
  said: { seconds: number; text: string }[];
  stop(): Promise<void>;
}

/** Runs `./carrel start` in this checkout until /api/ping answers. */
export async function startCheckout(
  folder: string,
  options: { home: string; port: number; env?: NodeJS.ProcessEnv },
): Promise<Started> {
  const begun = performance.now();
  const child = spawn(join(folder, "carrel"), ["start"], {
    cwd: folder,
    env: {
      ...process.env,
      NODE_OPTIONS: process.env.CARREL_NODE_OPTIONS ?? "", // set by `./carrel bench profile`
      CARREL_MODEL_HUB: "off",
      CARREL_HOME: options.home,
      CARREL_PORT: String(options.port),
      ...options.env,
    },
    stdio: ["ignore", "ignore", "pipe"],
  });
  const elapsed = (): number => (performance.now() - begun) / 1000;
  const said: Started["said"] = [];
  child.stderr.on("data", (data: Buffer) => {
    process.stderr.write(data);
    for (const line of data.toString().split("\n"))
      if (line !== "") said.push({ seconds: elapsed(), text: line.slice("00:00:00  ".length) });
  });
  const ended = new Promise<never>((_, reject) =>
    child.once("exit", (code) =>
      reject(
        new Error(`the start ended with exit code ${code}:\n${said.map((l) => l.text).join("\n")}`),
      ),
    ),
  );
  ended.catch(() => undefined);
  const answered = (async () => {
    for (;;) {
      const reply = await fetch(`http://127.0.0.1:${options.port}/api/ping`).catch(() => null);
      if (reply?.ok) return;
      await sleep(10);
    }
  })();
  await Promise.race([answered, ended]);
  return {
    seconds: elapsed(),
    pid: child.pid!, // the shell replaced itself with Node (exec)
    said,
    stop: () =>
      new Promise((resolve) => {
        child.once("exit", () => resolve());
        child.kill("SIGTERM");
      }),
  };
}
