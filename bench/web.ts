/**
 * The first page in Chromium with an empty cache: paints, transferred JavaScript, requests and
 * layout shift; then the requests when it is opened once more. Each figure is the median of five
 * visits, each in a fresh profile.
 */
import { chromium } from "@playwright/test";
import { startInstance } from "../libs/testing/src/instance.ts";
import { findChromium } from "../tools/chromium.ts";
import { call, json, prose, quantile, uploadText } from "./client.ts";
import { visit, type Visit } from "./web-page.ts";

const visits = 5;

interface PageGoals {
  fcp: string;
  lcp: string;
  script: string;
  requests: string;
}
const homeGoals: PageGoals = { fcp: "0.35 s", lcp: "0.5 s", script: "180 kB", requests: "20" };
const chatGoals: PageGoals = { fcp: "0.4 s", lcp: "0.6 s", script: "", requests: "" };

function print(name: string, goals: PageGoals, runs: Visit[]): void {
  const row = (what: string, of: (run: Visit) => number, unit: string, goal: string): void => {
    const values = runs.map(of);
    const digits = { s: 2, kB: 1 }[unit] ?? 0;
    const text = (value: number): string => value.toFixed(digits);
    const main = quantile(
      runs.map((run) => run.mainThread),
      0.5,
    ).toFixed(0);
    const shift = Math.max(...runs.map((run) => run.layoutShift)).toFixed(3);
    console.log(
      JSON.stringify({
        what: `${name}, ${what}`,
        how: `Chromium, 1440 × 900, cold cache, until 4 s after the content; median of ${visits} (${text(Math.min(...values))}–${text(Math.max(...values))}); main thread ${main} ms, largest layout shift ${shift}`,
        figure: `${text(quantile(values, 0.5))} ${unit}`.trim(),
        reach: "",
        goal: goal && `≤ ${goal}`,
      }),
    );
  };
  row("FCP", (run) => run.fcp / 1000, "s", goals.fcp);
  row("LCP", (run) => run.lcp / 1000, "s", goals.lcp);
  row("JavaScript", (run) => run.scriptBytes / 1000, "kB", goals.script);
  row("requests", (run) => run.requests, "", goals.requests);
  row("requests when opened again", (run) => run.warmRequests, "", "12");
}

const instance = await startInstance();
const browser = await chromium.launch({ executablePath: findChromium(), args: ["--no-sandbox"] });
try {
  const measure = async (name: string, path: string, shown: string, goals: PageGoals) => {
    await visit(browser, instance.url + path, shown); // the server's own caches
    const runs: Visit[] = [];
    for (let run = 0; run < visits; run++)
      runs.push(await visit(browser, instance.url + path, shown));
    print(name, goals, runs);
  };
  await measure("first start", "/", "A quiet desk for your documents", homeGoals);
  const { workspace } = await json<{ workspace: { slug: string } }>(
    instance.url,
    "POST",
    "/api/workspace/new",
    { name: "Bench" },
  );
  await uploadText(instance.url, workspace.slug, "record.txt", prose(1, 10_000));
  await measure("home", "/", "What would you like to know?", homeGoals);
  await call(instance.url, "POST", `/api/workspace/${workspace.slug}/stream-chat`, {
    message: prose(1, 60),
  });
  await measure("workspace chat", `/workspace/${workspace.slug}`, prose(1, 20), chatGoals);
} finally {
  await browser.close();
  await instance.stop();
}
