/**
 * A thread of 1,000 turns in a real browser: seeded in PostgreSQL, opened, scrolled from end to
 * beginning, then continued. Figures are medians of three runs, each in a fresh browser profile.
 */
import { chromium, type CDPSession, type Page } from "@playwright/test";
import pg from "pg";
import type { SourceWire } from "../libs/contracts/src/index.ts";
import { startFakeLlm } from "../libs/testing/src/fakes/fake-llm.ts";
import { startInstance } from "../libs/testing/src/instance.ts";
import { testDatabase } from "../libs/testing/src/test-database.ts";
import { findChromium } from "../tools/chromium.ts";
import { json, prose, quantile } from "./client.ts";

const turnCount = 1_000;
const print = (row: { what: string; how: string; figure: string; reach: string; goal: string }) =>
  console.log(JSON.stringify(row));

/**
 * An answer as models write them: headings, lists, a table, citations, and occasional code and
 * formulas.
 */
function answer(n: number): string {
  const words = prose(n, 400 + ((n * 137) % 900)).trim();
  const parts = [`${words} [1]`];
  if (n % 3 === 0)
    parts.push(
      `## What follows from it\n\n${Array.from({ length: 5 }, (_, item) => `- **${prose(n * 10 + item, 12).trim()}**: ${prose(n * 20 + item, 90).trim()} [2]`).join("\n")}`,
    );
  if (n % 7 === 0)
    parts.push(
      `| Part | Before | After |\n| --- | ---: | ---: |\n${Array.from({ length: 6 }, (_, row) => `| ${prose(n + row, 14).trim()} | ${n + row} | ${n * 2 + row} |`).join("\n")}`,
    );
  if (n % 10 === 0)
    parts.push(
      `\`\`\`ts\n${Array.from({ length: 12 }, (_, line) => `export const value${line} = compute(${n + line}, 'text ${line}'); // line ${line}`).join("\n")}\n\`\`\``,
    );
  if (n % 25 === 0) parts.push(`$$\nE_{${n}} = \\sum_{i=1}^{n} \\frac{x_i^2}{\\sqrt{1 + y_i}}\n$$`);
  return parts.join("\n\n");
}

const sources = (n: number): SourceWire[] =>
  [1, 2].map((number) => ({
    id: `${n}-${number}`,
    url: "",
    title: `Record ${n % 40}.pdf`,
    docAuthor: "",
    description: "",
    docSource: "",
    chunkSource: "",
    published: "",
    wordCount: 50,
    token_count_estimate: 75,
    text: prose(n + number, 300),
    score: 0.7,
    documentId: "00000000-0000-4000-8000-000000000001",
    docpath: `custom-documents/record-${n % 40}.json`,
    page: number,
    start: 0,
    end: 300,
    headingPath: [],
  }));

async function seed(databaseUrl: string, workspaceId: number, thread: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query("SET search_path TO chat");
    const threadId = Number(
      (await client.query("SELECT id FROM chat.thread WHERE slug = $1", [thread])).rows[0].id,
    );
    const metrics = {
      prompt_tokens: 900,
      completion_tokens: 240,
      total_tokens: 1140,
      outputTps: 80,
      duration: 3,
      model: "fake-model",
      provider: "generic-openai",
      timestamp: new Date().toISOString(),
    };
    for (let n = 1; n <= turnCount; n++) {
      await client.query(
        `INSERT INTO chat.turn (
          thread_id, workspace_id, user_id, question, answer, sources, state, metrics
        )
        VALUES ($1, $2, NULL, $3, $4, $5, 'done', $6)`,
        [
          threadId,
          workspaceId,
          `Question ${n}: ${prose(n + 5_000, 60)}`,
          answer(n),
          JSON.stringify(sources(n)),
          JSON.stringify(metrics),
        ],
      );
    }
    const branches = await client.query(
      `SELECT 1 FROM information_schema.columns
      WHERE table_schema = 'chat' AND table_name = 'turn' AND column_name = 'parent_id'`,
    );
    if (branches.rowCount)
      await client.query(
        `UPDATE chat.turn SET parent_id = (
          SELECT max(p.id) FROM chat.turn p WHERE p.thread_id = turn.thread_id AND p.id < turn.id
        )
        WHERE thread_id = $1`,
        [threadId],
      );
  } finally {
    await client.end();
  }
}

/** Script with which the page records measurements of itself from the start. */
const watch = `(() => {
  const noted = { data: null, first: null, longest: 0, gap: 0, nodes: 0 };
  window.noted = noted;
  new PerformanceObserver((list) => { for (const entry of list.getEntries()) noted.longest = Math.max(noted.longest, entry.duration); }).observe({ type: 'longtask' });
  const count = () => { const walk = document.createTreeWalker(document); let n = 1; while (walk.nextNode()) n++; return n; };
  let last = performance.now();
  const frame = () => {
    const now = performance.now();
    noted.gap = Math.max(noted.gap, now - last);
    last = now;
    if (noted.data === null && document.querySelector('[data-workspace]')) noted.data = now;
    if (noted.first === null && document.querySelector('article .md p')) noted.first = now;
    noted.nodes = Math.max(noted.nodes, count());
    requestAnimationFrame(frame);
  };
  requestAnimationFrame(frame);
})()`;
interface Noted {
  /** First frame with data of the instance: its workspaces. */
  data: number | null;
  /** First frame with an answer. */
  first: number | null;
  longest: number;
  gap: number;
  nodes: number;
}
const take = (page: Page): Promise<Noted> =>
  page.evaluate(() => {
    const page = globalThis as unknown as { noted: Noted };
    const noted = { ...page.noted };
    Object.assign(page.noted, { longest: 0, gap: 0, nodes: 0 });
    return noted;
  });
async function heapMegabytes(session: CDPSession): Promise<number> {
  await session.send("HeapProfiler.collectGarbage");
  return (await session.send("Runtime.getHeapUsage")).usedSize / 2 ** 20;
}

const [vendor, database] = await Promise.all([
  startFakeLlm({ delayMs: 8, reply: [3, 7, 10, 25].map(answer).join("\n\n") }),
  testDatabase(),
]);
const instance = await startInstance({ DATABASE_URL: database.url });
const browser = await chromium.launch({
  executablePath: findChromium(),
  args: ["--no-sandbox"],
});
const runs: { open: Noted; scroll: Noted; stream: Noted; heap: number; seconds: number }[] = [];
try {
  const saved = await json<{ error: string | false }>(
    instance.url,
    "POST",
    "/api/system/update-env",
    {
      LLMProvider: "generic-openai",
      GenericOpenAiBasePath: `${vendor.url}/v1`,
      GenericOpenAiModelPref: "fake-model",
      GenericOpenAiTokenLimit: "32000",
      GenericOpenAiMaxTokens: "4096",
      EmbeddingEngine: "generic-openai",
      EmbeddingBasePath: `${vendor.url}/v1`,
      EmbeddingModelPref: "fake-embedding",
      EmbeddingModelMaxChunkLength: "1000",
    },
  );
  if (saved.error !== false) throw new Error(saved.error);
  const { workspace } = await json<{ workspace: { id: number; slug: string } }>(
    instance.url,
    "POST",
    "/api/workspace/new",
    { name: "Long" },
  );
  const { thread } = await json<{ thread: { slug: string } }>(
    instance.url,
    "POST",
    `/api/workspace/${workspace.slug}/thread/new`,
  );
  await seed(database.url, workspace.id, thread.slug);
  for (let run = 0; run < 3; run++) {
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
    const page = await context.newPage();
    const session = await context.newCDPSession(page);
    await page.addInitScript(watch);
    await page.goto(`${instance.url}/workspace/${workspace.slug}/t/${thread.slug}`);
    await page.locator("article .md").last().waitFor();
    await page.waitForTimeout(2_000); // prefetches are done by then
    const open = await take(page);

    await page.getByRole("log").hover();
    const begun = Date.now();
    while ((await page.getByText("Question 1:").count()) === 0) {
      if (Date.now() - begun > 240_000)
        throw new Error("the beginning of the thread was not reached in 4 minutes");
      await page.mouse.wheel(0, -1_800);
    }
    const seconds = (Date.now() - begun) / 1000;
    await page.waitForTimeout(500);
    const scroll = await take(page);

    await page.getByRole("button", { name: "Jump to the end" }).click();
    await page.waitForTimeout(1_000);
    await take(page);
    await page.getByLabel("Message", { exact: true }).fill("And then?");
    await page.keyboard.press("Enter");
    await page.locator("article[data-writing]").waitFor();
    await page.locator("article[data-writing]").waitFor({ state: "detached", timeout: 120_000 });
    const stream = await take(page);
    runs.push({ open, scroll, stream, heap: await heapMegabytes(session), seconds });
    await context.close();
  }
} finally {
  await browser.close();
  await instance.stop();
  await vendor.stop();
  await database.drop();
}

const median = (of: (run: (typeof runs)[number]) => number): number => quantile(runs.map(of), 0.5);
/** Browsers report tasks from 50 ms on. */
const task = (milliseconds: number): string =>
  milliseconds < 50 ? "< 50 ms" : `${milliseconds.toFixed(0)} ms`;
const how = `thread of ${turnCount} turns, 1440 × 900, median of 3`;
print({
  what: "thread, open",
  how: `navigation until the last answer is drawn; ${how}`,
  figure: `${median((run) => run.open.first ?? Number.NaN).toFixed(0)} ms`,
  reach: "",
  goal: "",
});
print({
  what: "thread, text",
  how: `the same, relative to the first frame with any data; the last answer has code and a formula; ${how}`,
  figure: median((run) => (run.open.first ?? Number.NaN) / (run.open.data ?? Number.NaN)).toFixed(
    2,
  ),
  reach: "",
  goal: "≤ 1.5",
});
print({
  what: "thread, nodes",
  how: `most DOM nodes (elements and texts) while scrolling from the end to the beginning and while an answer streams; ${how}`,
  figure: median((run) => Math.max(run.open.nodes, run.scroll.nodes, run.stream.nodes)).toFixed(0),
  reach: "≤ 3000",
  goal: "",
});
print({
  what: "thread, heap",
  how: `JavaScript heap after all turns were seen and one was answered, garbage collected; ${how}`,
  figure: `${median((run) => run.heap).toFixed(0)} MB`,
  reach: "",
  goal: "",
});
print({
  what: "thread, scrolling",
  how: `longest task from the end to the beginning, all pages fetched (${median((run) => run.seconds).toFixed(1)} s; longest time between two frames ${median((run) => run.scroll.gap).toFixed(0)} ms); ${how}`,
  figure: task(median((run) => run.scroll.longest)),
  reach: "",
  goal: "< 50 ms",
});
print({
  what: "thread, streaming",
  how: `longest task from the question to the end of the answer (longest time between two frames ${median((run) => run.stream.gap).toFixed(0)} ms); ${how}`,
  figure: task(median((run) => run.stream.longest)),
  reach: "",
  goal: "< 50 ms",
});
