// The app's reads when somebody opens a workspace, as fast as Carrel answers.
import exec from "k6/execution";
import type { Options } from "k6/options";
import { numberFrom } from "./client.ts";
import {
  cleanUp,
  openThreads,
  prepare,
  startMeasuring,
  stopMeasuring,
  type Ground,
} from "./ground.ts";
import { ask, openPage } from "./work.ts";

export const options: Options = {
  setupTimeout: "5m",
  scenarios: {
    reads: {
      executor: "constant-vus",
      vus: numberFrom("USERS", 16),
      duration: `${numberFrom("SECONDS", 30)}s`,
    },
  },
  thresholds: {
    iterations: ["count>0"], // a rate threshold passes without samples
    checks: ["rate==1"],
    http_req_failed: ["rate==0"],
    "http_req_duration{name:list workspaces}": ["p(95)<250"],
    "http_req_duration{name:read workspace}": ["p(95)<250"],
    "http_req_duration{name:list threads}": ["p(95)<250"],
    "http_req_duration{name:read history}": ["p(95)<400"],
    "http_req_duration{name:list documents}": ["p(95)<250"],
  },
};

export function setup(): Ground & { threads: string[] } {
  const ground = prepare("reads");
  const threads = openThreads(ground, 10);
  for (let n = 0; n < 20; n += 1) ask(ground.token, ground.slug, threads[0]!, n);
  startMeasuring();
  return { ...ground, threads };
}

export default function reads({ token, slug, threads }: ReturnType<typeof setup>): void {
  // Every tenth page is another thread's, which has no answers.
  const n = exec.scenario.iterationInTest;
  openPage(token, slug, threads[n % 10 === 0 ? 1 + (n % 9) : 0]);
}

export function teardown(ground: Ground): void {
  stopMeasuring();
  cleanUp(ground);
}
