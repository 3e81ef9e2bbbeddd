// Asks STREAMS questions at the same time, each in its own thread.
import { sleep } from "k6";
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
import { ask } from "./work.ts";

/** A chat replica writes at most 1,024 answers at once. */
const streams = numberFrom("STREAMS", 1000);
const rounds = numberFrom("ROUNDS", 1);
/** The questions of a round are spread over this time. */
const rampSeconds = numberFrom("RAMP_SECONDS", 10);
/** The longest an answer may take, which depends on the model. */
const answerSeconds = numberFrom("ANSWER_SECONDS", 60);

export const options: Options = {
  setupTimeout: "10m",
  scenarios: {
    chats: {
      executor: "per-vu-iterations",
      vus: streams,
      iterations: rounds,
      maxDuration: `${rounds * (rampSeconds + answerSeconds) * 2}s`,
    },
  },
  thresholds: {
    iterations: ["count>0"], // a rate threshold passes without samples
    answers_complete: ["rate==1"],
    answer_accepted: ["p(95)<5000"],
    answer_duration: [`p(95)<${answerSeconds * 1000}`],
    http_req_failed: ["rate==0"],
  },
};

export function setup(): Ground & { threads: string[] } {
  const ground = prepare("chats");
  const threads = openThreads(ground, streams);
  startMeasuring();
  return { ...ground, threads };
}

export default function chats({ token, slug, threads }: ReturnType<typeof setup>): void {
  const vu = exec.vu.idInTest - 1;
  if (exec.vu.iterationInScenario === 0) sleep((rampSeconds * vu) / streams);
  ask(token, slug, threads[vu % streams]!, vu);
}

export function teardown(ground: Ground): void {
  stopMeasuring();
  cleanUp(ground);
}
