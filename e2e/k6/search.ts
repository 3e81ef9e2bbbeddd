// Searches by words and meaning among DOCUMENTS texts of 5 kB, as fast as Carrel answers.
import exec from "k6/execution";
import type { Options } from "k6/options";
import { numberFrom } from "./client.ts";
import {
  addDocuments,
  cleanUp,
  makeKey,
  prepare,
  removeKey,
  startMeasuring,
  stopMeasuring,
  type Ground,
} from "./ground.ts";
import { search } from "./work.ts";

const documents = numberFrom("DOCUMENTS", 200);

export const options: Options = {
  setupTimeout: "15m",
  scenarios: {
    search: {
      executor: "constant-vus",
      vus: numberFrom("USERS", 8),
      duration: `${numberFrom("SECONDS", 30)}s`,
    },
  },
  thresholds: {
    iterations: ["count>0"], // a rate threshold passes without samples
    checks: ["rate==1"],
    http_req_failed: ["rate==0"],
    "http_req_duration{name:search}": ["p(95)<500"],
  },
};

export function setup(): Ground & { key: { id: number; secret: string } } {
  const ground = prepare("search");
  addDocuments(ground, documents, 5_000);
  const key = makeKey(ground.token);
  startMeasuring();
  return { ...ground, key };
}

export default function searches({ slug, key }: ReturnType<typeof setup>): void {
  search(key.secret, slug, exec.scenario.iterationInTest % documents);
}

export function teardown(data: ReturnType<typeof setup>): void {
  stopMeasuring();
  removeKey(data.token, data.key.id);
  cleanUp(data);
}
