import { spawn } from "node:child_process";
import { join } from "node:path";
import { root } from "./checkout.ts";
import { redisProgram } from "./redis-program.ts";

/**
 * `npm run test:chaos [-- --rounds=20 --streams=100 --seed=1 --agents=1]`: see e2e/src/chaos/chaos.ts. Takes
 * about ten minutes.
 */
export async function chaos(options: string[]): Promise<void> {
  await redisProgram();
  const child = spawn(
    process.execPath,
    [
      "--disable-warning=ExperimentalWarning",
      "--import",
      join(root, "tools/swc-hook.mjs"),
      "--conditions=@carrel/source",
      join(root, "e2e/src/chaos/chaos.ts"),
      ...options,
    ],
    {
      cwd: root,
      env: { ...process.env, NODE_OPTIONS: "" },
      stdio: ["ignore", "inherit", "inherit"],
    },
  );
  const pass = (name: NodeJS.Signals) => child.kill(name);
  process.on("SIGTERM", pass).on("SIGHUP", pass);
  process.exitCode = await new Promise<number>((resolve) =>
    child.once("exit", (code) => resolve(code ?? 1)),
  );
}
