import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { freePort } from "../../../tools/process.ts";
import { guardedFolder } from "./guard.ts";
import { testDatabase } from "./test-database.ts";

export { freePort } from "../../../tools/process.ts";

const root = resolve(import.meta.dirname, "../../..");

export interface Instance {
  url: string;
  home: string;
  process: ChildProcess;
  stop(): Promise<void>;
}

/** Tests may change its database directly. */
export interface TestInstance extends Instance {
  databaseUrl: string;
}

/** The whole product, started as a user would, with its own data folder. */
export async function startInstance(environment: Record<string, string> = {}): Promise<Instance> {
  const home = guardedFolder("carrel-instance-"); // leaves no servers behind if the test is killed
  const port = await freePort();
  const child = spawn(join(root, "carrel"), ["start"], {
    cwd: root,
    env: {
      ...process.env,
      // Set by `./carrel bench profile`.
      NODE_OPTIONS: process.env.CARREL_NODE_OPTIONS ?? "",
      CARREL_HOME: home,
      CARREL_PORT: String(port),
      CARREL_LOG_LEVEL: "warn",
      CARREL_MODEL_HUB: "off",
      ...environment,
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  await new Promise<void>((done, fail) => {
    const onData = (data: Buffer) => {
      output += String(data);
      if (output.includes("Carrel is ready at")) done();
    };
    child.stdout.on("data", onData);
    child.stderr.on("data", onData);
    child.once("exit", (code) =>
      fail(new Error(`npm start ended with ${code}:\n${output.slice(-4000)}`)),
    );
  });
  return {
    url: `http://127.0.0.1:${port}`,
    home,
    process: child,
    async stop() {
      if (child.exitCode === null) {
        const ended = new Promise((done) => child.once("exit", done));
        child.kill("SIGTERM");
        await ended;
      }
      rmSync(home, { recursive: true, force: true });
    },
  };
}

/**
 * An instance with a database in the PostgreSQL server that all tests of a run share. Starting a
 * separate server would double the CPU time of the start.
 */
export async function startTestInstance(
  environment: Record<string, string> = {},
): Promise<TestInstance> {
  const database = await testDatabase();
  const instance = await startInstance({ DATABASE_URL: database.url, ...environment });
  return {
    ...instance,
    databaseUrl: database.url,
    async stop() {
      await instance.stop();
      await database.drop();
    },
  };
}

/**
 * The fake vendor in a separate process, so that its work isn't measured as ours. `options`: the
 * options of fakes/main.ts, like `--tokens 200 --delay 10`.
 */
export async function startFakeProcess(
  ...options: string[]
): Promise<{ url: string; pid: number; stop(): Promise<void> }> {
  const child = spawn(
    process.execPath,
    [
      "--import",
      join(root, "tools/swc-hook.mjs"),
      "--conditions=@carrel/source",
      join(root, "libs/testing/src/fakes/main.ts"),
      "--port",
      "0",
      ...options,
    ],
    { cwd: root, stdio: ["ignore", "pipe", "inherit"] },
  );
  const line = await new Promise<string>((done, fail) => {
    child.stdout.once("data", (data) => done(String(data)));
    child.once("exit", (code) => fail(new Error(`the fake vendor ended with ${code}`)));
  });
  return {
    url: (JSON.parse(line) as { url: string }).url,
    pid: child.pid!,
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, "exit");
      child.kill();
      await ended;
    },
  };
}
