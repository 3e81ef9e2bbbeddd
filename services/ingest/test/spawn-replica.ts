import { spawn, type ChildProcess } from "node:child_process";
import path from "node:path";

const root = path.resolve(import.meta.dirname, "../../..");

/**
 * An ingest service in a separate process; with `built`, from the output of `./carrel build` with
 * the flags of `./carrel start`. From source, it writes a line once it is ready.
 */
export function spawnReplica(environment: NodeJS.ProcessEnv, built: boolean): ChildProcess {
  const fromSource = [
    "--disable-warning=ExperimentalWarning",
    "--import",
    path.join(root, "tools/swc-hook.mjs"),
    "--conditions=@carrel/source",
    path.join(import.meta.dirname, "replica.ts"),
  ];
  return spawn(
    process.execPath,
    built ? ["--max-semi-space-size=8", path.join(root, "dist/ingest.js")] : fromSource,
    {
      cwd: root,
      env: {
        PATH: process.env.PATH,
        NODE_OPTIONS: process.env.CARREL_NODE_OPTIONS, // set by `./carrel bench profile`
        ...environment,
      },
      stdio: ["ignore", built ? "ignore" : "pipe", "inherit"],
    },
  );
}
