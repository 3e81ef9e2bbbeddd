// Texts of 10 kB from several users at once, and how long another file waits meanwhile.
import { sleep } from "k6";
import exec from "k6/execution";
import { Trend } from "k6/metrics";
import type { Options } from "k6/options";
import { bodyOf, get, numberFrom } from "./client.ts";
import {
  addDocuments,
  cleanUp,
  prepare,
  startMeasuring,
  stopMeasuring,
  waitForDocuments,
  type Ground,
} from "./ground.ts";
import { upload } from "./work.ts";

const seconds = numberFrom("SECONDS", 30);
const bytes = numberFrom("BYTES", 10_000);
/** Time from the upload until the file can be searched by words, or by meaning as well. */
const searchable = new Trend("document_searchable", true);
const embedded = new Trend("document_embedded", true);

export const options: Options = {
  setupTimeout: "5m",
  teardownTimeout: "15m",
  scenarios: {
    uploads: {
      executor: "constant-arrival-rate",
      rate: numberFrom("PER_SECOND", 5),
      timeUnit: "1s",
      duration: `${seconds}s`,
      preAllocatedVUs: 50,
      maxVUs: 200,
    },
    other: {
      executor: "constant-vus",
      vus: 1,
      duration: `${seconds}s`,
      gracefulStop: "5m",
      exec: "watch",
    },
  },
  thresholds: {
    iterations: ["count>0"], // a rate threshold passes without samples
    checks: ["rate==1"],
    http_req_failed: ["rate==0"],
    dropped_iterations: ["count==0"],
    "http_req_duration{name:upload}": ["p(95)<1000"],
    document_searchable: ["p(95)<30000"],
    document_embedded: ["p(95)<60000"],
  },
};

export function setup(): { crowd: Ground; other: Ground } {
  const grounds = { crowd: prepare("uploads"), other: prepare("another person's uploads") };
  // A process that has just started takes several times as long for its first files.
  addDocuments(grounds.other, 40, bytes);
  startMeasuring();
  return grounds;
}

export default function uploads({ crowd }: ReturnType<typeof setup>): void {
  // Other texts than those of the preparation, whose vectors would be reused.
  upload(crowd.token, crowd.slug, 10_000 + exec.scenario.iterationInTest, bytes);
}

/** Uploads a file and follows it. */
export function watch({ other: { token, slug } }: ReturnType<typeof setup>): void {
  const begun = Date.now();
  if (!upload(token, slug, 1_000_000 + exec.scenario.iterationInTest, bytes)) return;
  for (let hasText = false; ; sleep(0.1)) {
    const { documents } = bodyOf<{ documents: { state: string }[] }>(
      get(token, `/workspace/${slug}/documents?limit=200`, "follow the file"),
    );
    const states = new Set(documents.map(({ state }) => state));
    const still = (...names: string[]): boolean => names.some((name) => states.has(name));
    if (!hasText && !still("queued", "parsing", "parsed", "indexing")) {
      hasText = true;
      searchable.add(Date.now() - begun);
    }
    if (hasText && !still("searchable", "embedding")) break;
  }
  embedded.add(Date.now() - begun);
  sleep(0.5);
}

export function teardown({ crowd, other }: ReturnType<typeof setup>): void {
  // Parsing and embedding these documents is part of what is measured.
  waitForDocuments(crowd, 800);
  stopMeasuring();
  cleanUp(crowd);
  cleanUp(other);
}
