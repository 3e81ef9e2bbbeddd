import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { freePort } from "../../../tools/process.ts";
import { guardedFolder } from "./guard.ts";
import { waitFor } from "./waiting.ts";

const root = resolve(import.meta.dirname, "../../..");

/** One deployable in its own process. */
export interface Deployed {
  name: string;
  child: ChildProcess;
  health: string;
  url: string;
  /** CPU time that it took until it was ready. */
  startSeconds: number;
  log(): string;
}

/**
 * The built product as separate processes: any number of each service and of the gateway, with a
 * database, Redis and model that the caller provides.
 */
export class Deployment {
  readonly deployed: Deployed[] = [];
  readonly home = guardedFolder("carrel-processes-");
  private readonly environment: NodeJS.ProcessEnv;

  /** @param o.llm address of an OpenAI-compatible vendor that also embeds */
  constructor(
    private readonly o: {
      database: string;
      redis: string;
      llm: string;
      environment?: Record<string, string>;
      /** Node options for each process. */
      options?: string[];
    },
  ) {
    this.environment = {
      PATH: process.env.PATH,
      NODE_COMPILE_CACHE: join(root, ".tools/compile-cache"),
      CARREL_HOME: this.home,
      CARREL_SECRET: "processes-".repeat(5),
      DATABASE_URL: o.database,
      REDIS_URL: o.redis,
      CARREL_LOG_LEVEL: "warn",
      CARREL_SETTING_LLMProvider: "generic-openai",
      CARREL_SETTING_GenericOpenAiBasePath: `${o.llm}/v1`,
      CARREL_SETTING_GenericOpenAiModelPref: "fake-model",
      CARREL_SETTING_GenericOpenAiTokenLimit: "8192",
      CARREL_SETTING_EmbeddingEngine: "generic-openai",
      CARREL_SETTING_EmbeddingBasePath: `${o.llm}/v1`,
      CARREL_SETTING_EmbeddingModelPref: "fake-embedding",
      ...o.environment,
    };
  }

  get running(): Deployed[] {
    return this.deployed.filter(
      ({ child }) => child.exitCode === null && child.signalCode === null,
    );
  }

  /** The running deployables of this name. */
  named(name: string): Deployed[] {
    return this.running.filter((each) => each.name === name);
  }

  /** Runs a service's migrations, like the step before an upgrade. */
  async migrate(name: string, checkout = root): Promise<void> {
    const child = spawn(process.execPath, [join(checkout, `dist/${name}.js`), "migrate"], {
      cwd: checkout,
      env: this.environment,
      stdio: ["ignore", "ignore", "inherit"],
    });
    const [code] = (await once(child, "exit")) as [number | null];
    if (code !== 0) throw new Error(`migrating ${name} ended with ${code}`);
  }

  /**
   * Starts a deployable (`gateway`, `auth`, `chat` …) from a built checkout and waits until it is
   * ready. `environment` takes precedence over the deployment's.
   */
  async deploy(
    name: string,
    checkout = root,
    environment: Record<string, string> = {},
  ): Promise<Deployed> {
    const [port, healthPort] = [await freePort(), await freePort()];
    const child = spawn(
      process.execPath,
      [...(this.o.options ?? []), join(checkout, `dist/${name}.js`)],
      {
        cwd: checkout,
        env: {
          ...this.environment,
          ...environment,
          CARREL_PORT: String(port),
          CARREL_HEALTH_PORT: String(healthPort),
        },
        stdio: ["ignore", "pipe", "pipe"],
      },
    );
    const output: Buffer[] = [];
    for (const stream of [child.stdout, child.stderr])
      stream.on("data", (data: Buffer) => void output.push(data));
    const log = (): string => Buffer.concat(output).toString();
    const one: Deployed = {
      name,
      child,
      health: `http://127.0.0.1:${healthPort}`,
      url: `http://127.0.0.1:${port}`,
      startSeconds: Infinity,
      log,
    };
    this.deployed.push(one);
    await waitFor(
      async () => {
        if (child.exitCode !== null) throw new Error(`${name} ended:\n${log().slice(-20_000)}`);
        return fetch(`${one.health}/readyz`).then(
          (reply) => reply.status === 200,
          () => false,
        );
      },
      { timeoutMs: 90_000, what: name },
    );
    const figures = await (await fetch(`${one.health}/metrics`)).text();
    one.startSeconds = Number(/^process_cpu_seconds_total(?:\{.*\})? (\S+)$/m.exec(figures)?.[1]);
    return one;
  }

  async kill(one: Deployed, signal: NodeJS.Signals = "SIGKILL"): Promise<void> {
    if (one.child.exitCode !== null || one.child.signalCode !== null) return;
    const ended = once(one.child, "exit");
    one.child.kill(signal);
    await ended;
  }

  async stop(signal?: NodeJS.Signals): Promise<void> {
    await Promise.all(this.deployed.map((one) => this.kill(one, signal)));
    rmSync(this.home, { recursive: true, force: true });
  }
}
