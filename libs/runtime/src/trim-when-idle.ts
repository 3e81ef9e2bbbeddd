import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/** Share of one core below which the process counts as idle. */
const idleShare = 0.05;
/**
 * Numbers of consecutive idle checks after which to collect: early, and again once unused caches
 * have been dropped.
 */
const idleLooks = [2, 10];

/**
 * Collects garbage when the process becomes idle: V8 only collects while it allocates, so an idle
 * process would keep the garbage of its last work, up to half of its memory. Returns a function
 * that stops this.
 */
export function trimWhenIdle(lookMs = 5_000): () => void {
  let looks = 0;
  let last = { usage: process.cpuUsage(), at: performance.now() };
  const timer = setInterval(() => {
    const { user, system } = process.cpuUsage(last.usage);
    const share = (user + system) / 1000 / (performance.now() - last.at);
    looks = share > idleShare ? 0 : looks + 1;
    if (idleLooks.includes(looks)) collectGarbage();
    last = { usage: process.cpuUsage(), at: performance.now() };
  }, lookMs).unref();
  return () => clearInterval(timer);
}

type Collect = (options: { type: "major"; execution: "sync" }) => void;
let collect: Collect | undefined;

function collectGarbage(): void {
  if (!collect) {
    // The flag adds `gc` to contexts created from then on.
    setFlagsFromString("--expose-gc");
    collect = runInNewContext("gc") as Collect;
    setFlagsFromString("--no-expose-gc");
  }
  collect({ type: "major", execution: "sync" });
}
