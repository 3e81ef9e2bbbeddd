import { join } from "node:path";
import { Deployment, guardedFolder, startFakeProcess, startTestRedis } from "@carrel/testing";
import { startPostgres } from "../../../tools/postgres.ts";
import { freePort } from "../../../tools/process.ts";
import { processes } from "../../../tools/services.ts";

export interface Stack {
  /** Addresses of the gateways. */
  urls: string[];
  /** Process ids, by the name shown. */
  processes: Map<string, number>;
  /** Lines that the services wrote; they only log warnings and errors. */
  complaints(): { name: string; lines: string[] }[];
  /** From now on, the model sends `tokens` tokens, one every `delayMs`. */
  paceModel(tokens: number, delayMs: number): Promise<void>;
  stop(): Promise<void>;
}

/**
 * The product as separate processes, with this many replicas of each and a fake model in another
 * one. PostgreSQL and Redis store durably, as in production.
 */
export async function startStack(o: {
  replicas: number;
  environment: Record<string, string>;
}): Promise<Stack> {
  const folder = guardedFolder("carrel-load-");
  const stops: (() => unknown)[] = [];
  const stop = async (): Promise<void> => {
    for (const each of stops.reverse()) await each();
  };
  try {
    const postgres = await startPostgres({
      folder: join(folder, "postgres"),
      settings: { max_connections: String(200 * o.replicas) },
    });
    stops.push(() => postgres.stop());
    const redis = await startTestRedis();
    stops.push(() => redis.stop());
    const vendorPort = await freePort();
    let vendor: Awaited<ReturnType<typeof startFakeProcess>> | undefined;
    stops.push(() => vendor?.stop());
    const deployment = new Deployment({
      database: postgres.url,
      redis: redis.url,
      llm: `http://127.0.0.1:${vendorPort}`,
      environment: {
        CARREL_MODEL_HUB: "off",
        CARREL_SETTING_GenericOpenAiTokenLimit: "32000",
        ...o.environment,
      },
      options: ["--max-semi-space-size=8"], // as in the images
    });
    stops.push(() => deployment.stop("SIGTERM"));
    const pids = new Map([
      ["postgres", postgres.pid],
      ["redis-server", redis.pid],
    ]);
    for (const name of processes)
      for (let n = 1; n <= o.replicas; n += 1)
        pids.set(
          o.replicas === 1 ? name : `${name} ${n}`,
          (await deployment.deploy(name)).child.pid!,
        );
    return {
      urls: deployment.named("gateway").map(({ url }) => url),
      processes: pids,
      complaints: () =>
        deployment.deployed.map(({ name, log }) => ({
          name,
          lines: log()
            .split("\n")
            .filter((line) => line !== ""),
        })),
      async paceModel(tokens, delayMs) {
        await vendor?.stop();
        vendor = await startFakeProcess(
          ...["--port", `${vendorPort}`, "--tokens", `${tokens}`, "--delay", `${delayMs}`],
        );
        pids.set("fake model", vendor.pid);
      },
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}
