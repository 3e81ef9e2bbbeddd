import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { join, resolve } from "node:path";
import { instancePrincipal } from "@carrel/contracts";
import { createLogger } from "@carrel/observability";
import { startTestRedis } from "@carrel/testing";
import { createSharedMessaging } from "../src/index.ts";
import { benchKey, hop } from "./request-hop-operation.ts";

/**
 * Benchmarks a request hop over Redis: 500 bytes each way, signed and validated, from one calling
 * process. Prints one JSON row of the benchmark table per setup.
 */
const root = resolve(import.meta.dirname, "../../..");
const input = { text: "x".repeat(470), tags: ["a", "b"] };
const scope = { principal: instancePrincipal, workspace: null };

async function replica(url: string): Promise<ChildProcess> {
  const program = join(import.meta.dirname, "request-hop-replica.ts");
  const child = spawn(
    process.execPath,
    ["--import", join(root, "tools/swc-hook.mjs"), "--conditions=@carrel/source", program, url],
    { cwd: root, stdio: ["ignore", "pipe", "inherit"] },
  );
  await once(child.stdout!, "data");
  return child;
}

const redis = await startTestRedis();
const shared = createSharedMessaging({
  redisUrl: redis.url,
  key: benchKey,
  logger: createLogger("bench", "error"),
});

async function run(
  inFlight: number,
  requests: number,
): Promise<{ p50Ms: number; p99Ms: number; perSecond: number; callerCpuUs: number }> {
  const times: number[] = [];
  let left = requests;
  const started = performance.now();
  const cpuBefore = process.cpuUsage();
  await Promise.all(
    Array.from({ length: inFlight }, async () => {
      while (left-- > 0) {
        const from = performance.now();
        await shared.client.request(hop, input, { scope });
        times.push(performance.now() - from);
      }
    }),
  );
  const cpu = process.cpuUsage(cpuBefore);
  const seconds = (performance.now() - started) / 1000;
  times.sort((a, b) => a - b);
  const at = (share: number): number => Number(times[Math.floor(times.length * share)]!.toFixed(3));
  return {
    p50Ms: at(0.5),
    p99Ms: at(0.99),
    perSecond: Math.round(requests / seconds),
    callerCpuUs: Math.round((cpu.user + cpu.system) / requests),
  };
}

const children = [await replica(redis.url)];
await run(16, 4_000);
for (const [replicas, inFlight, requests] of [
  [1, 1, 3_000],
  [1, 64, 20_000],
  [2, 1, 3_000],
  [2, 64, 30_000],
] as const) {
  if (children.length < replicas) {
    children.push(await replica(redis.url));
    await run(64, 8_000);
  }
  const { p50Ms, p99Ms, perSecond, callerCpuUs } = await run(inFlight, requests);
  process.stdout.write(
    `${JSON.stringify({
      what: inFlight === 1 ? "request hop, latency" : "request hop, throughput",
      figure: inFlight === 1 ? `p50 ${p50Ms} ms` : `${perSecond}/s`,
      reach: inFlight === 1 ? "p50 ≤ 1.0 ms" : replicas === 2 ? "≥ 5000/s" : "",
      goal: inFlight === 1 ? "0.5 ms" : replicas === 2 ? "10000/s" : "",
      how: `${replicas} replica${replicas > 1 ? "s" : ""}, ${inFlight} in flight, ${requests} requests of ${JSON.stringify(input).length} bytes, signed and validated; p50 ${p50Ms} ms, p99 ${p99Ms} ms, ${callerCpuUs} µs of processor for each in the caller`,
    })}\n`,
  );
}
for (const child of children) child.kill("SIGTERM");
await Promise.all(children.map((child) => once(child, "exit")));
await shared.close();
await redis.stop();
process.exit(0);
