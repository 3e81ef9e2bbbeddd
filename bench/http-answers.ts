import { inFlight, json, prose, quantile, timeStream, type StreamTimes } from "./client.ts";
import { cpuOfOne, describeCpu, readCpu, type Cpu, type Processes } from "./http-cpu.ts";
import { total } from "./memory-processes.ts";

export interface Row {
  what: string;
  how: string;
  figure: string;
  reach: string;
  goal: string;
}
export interface Target {
  url: string;
  processes: Processes;
  print: (row: Row) => void;
}

const isFirst = (frame: string): boolean =>
  frame.includes("textResponseChunk") && !frame.includes('"textResponse":""');
const isLast = (frame: string): boolean => frame.includes("finalizeResponseStream");
const ms = (value: number): string => `${value.toFixed(1)} ms`;

export const makeWorkspace = async (url: string, name: string): Promise<string> =>
  (await json<{ workspace: { slug: string } }>(url, "POST", "/api/workspace/new", { name }))
    .workspace.slug;

/** Latency that Carrel adds to the first token of a vendor that answers instantly. */
export async function measureOverhead(
  { url, print }: Target,
  vendorUrl: string,
  o: { slug: string; question: (n: number) => string; documents: string; goal: string },
): Promise<void> {
  const body = {
    model: "fake-model",
    stream: true,
    messages: [{ role: "user", content: "hello" }],
  };
  const product: number[] = [];
  const vendor: number[] = [];
  for (let n = 0; n < 220; n++) {
    const message = { message: o.question(n) };
    const times = await timeStream(
      url,
      `/api/workspace/${o.slug}/stream-chat`,
      message,
      isFirst,
      isLast,
    );
    if (times.error) throw new Error(times.error);
    const alone = await timeStream(
      vendorUrl,
      "/v1/chat/completions",
      body,
      (frame) => /"content":"[^"]/.test(frame),
      (frame) => frame.includes("[DONE]"),
    );
    if (n < 20) continue;
    product.push(times.first);
    vendor.push(alone.first);
  }
  const alone = quantile(vendor, 0.5);
  print({
    what: `latency added to the first token, ${o.documents}`,
    how: "one question after the other; first token through the product, less the vendor's own median; p50 / p95 of 200",
    figure: `${(quantile(product, 0.5) - alone).toFixed(1)} / ${ms(quantile(product, 0.95) - alone)}`,
    reach: "",
    goal: o.goal,
  });
}

const alternations = 300;

/** First token through OpenAI's API against the app's own route, one question of each in turn. */
export async function measureOpenAiRoute({ url, print }: Target): Promise<void> {
  const slug = await makeWorkspace(url, "Both routes");
  const { apiKey } = await json<{ apiKey: { secret: string } }>(
    url,
    "POST",
    "/api/system/generate-api-key",
    {},
  );
  const ask = {
    app: (question: string) =>
      timeStream(url, `/api/workspace/${slug}/stream-chat`, { message: question }, isFirst, isLast),
    openAi: (question: string) =>
      timeStream(
        url,
        "/api/v1/openai/chat/completions",
        { model: slug, stream: true, messages: [{ role: "user", content: question }] },
        (frame) => /"content":"[^"]/.test(frame),
        (frame) => frame.includes('"finish_reason":"stop"'),
        { authorization: `Bearer ${apiKey.secret}` },
      ),
  };
  const times = { app: [] as number[], openAi: [] as number[] };
  for (let round = 0; round < alternations + 20; round++)
    // Whichever comes second may find caches warm, so they take turns.
    for (const route of round % 2 === 0
      ? (["app", "openAi"] as const)
      : (["openAi", "app"] as const)) {
      const { first, error, complete } = await ask[route](`Question number ${round}?`);
      if (error !== null || !complete) throw new Error(error ?? "the stream broke off");
      if (round >= 20) times[route].push(first);
    }
  const [app, openAi] = [quantile(times.app, 0.5), quantile(times.openAi, 0.5)];
  print({
    what: "first token through OpenAI's API against the app's own route",
    how: `no documents, in turn, medians of ${alternations}: ${ms(openAi)} against ${ms(app)}`,
    figure: `${openAi >= app ? "+" : "−"}${ms(Math.abs(openAi - app))}`,
    reach: "",
    goal: "≤ 3 ms",
  });
}

/** Creates threads; the returned function asks a question in all of them at once. */
export async function openThreads(
  url: string,
  name: string,
  count: number,
): Promise<() => Promise<StreamTimes[]>> {
  const slug = await makeWorkspace(url, name);
  const path = `/api/workspace/${slug}/thread`;
  const threads = await inFlight(
    count,
    16,
    async () => (await json<{ thread: { slug: string } }>(url, "POST", `${path}/new`)).thread.slug,
  );
  let asked = 0;
  return () => {
    const message = prose((asked += 1), 60);
    return Promise.all(
      threads.map((thread) =>
        timeStream(url, `${path}/${thread}/stream-chat`, { message }, isFirst, isLast),
      ),
    );
  };
}

/** CPU of one of 40 simultaneous answers; the vendor sends 200 tokens, 10 ms apart. */
export async function measureBurst({ url, processes, print }: Target): Promise<void> {
  const ask = await openThreads(url, "Burst", 40);
  await ask();
  const rounds: Cpu[] = [];
  for (let round = 0; round < 5; round++) {
    const before = readCpu(processes);
    const failed = (await ask()).filter((times) => times.error !== null || !times.complete);
    if (failed.length > 0) throw new Error(`${failed.length} answers failed: ${failed[0]!.error}`);
    rounds.push(cpuOfOne(before, readCpu(processes), 40));
  }
  const totals = rounds.map(total);
  print({
    what: "CPU of one 200-token answer in a burst",
    how: `40 at once in existing threads; median of 5 by process: ${describeCpu(rounds)} ms`,
    figure: `${quantile(totals, 0.5).toFixed(1)} (${Math.min(...totals).toFixed(1)}–${ms(Math.max(...totals))})`,
    reach: "14 ms",
    goal: "6 ms",
  });
}

const goals: Record<number, string> = { 20: "2.05 s", 200: "2.3 s", 1000: "4.0 s" };

/** Concurrent answers of 200 tokens, 10 ms apart. */
export async function measureStreams(
  { url, processes, print }: Target,
  count: number,
): Promise<void> {
  const ask = await openThreads(url, `Streams ${count}`, count);
  const before = readCpu(processes);
  const times = await ask();
  const cpu = cpuOfOne(before, readCpu(processes), count);
  const bad = times.filter((each) => each.error !== null || !each.complete);
  // At 10 ms per token no answer can be faster than this; a faster one means that the fake answered
  // instantly.
  if (times.some((each) => each.complete && each.total < 1900))
    throw new Error("the fake vendor did not keep its pace");
  const p95 = quantile(
    times.map((each) => each.total),
    0.95,
  );
  print({
    what: `${count} streams`,
    how: `200 tokens at 10 ms each, first questions of new threads, started at once, fake in its own process; ideal 2.0 s; CPU of each: ${describeCpu([cpu])} ms`,
    figure: `${count - bad.length} complete, ${bad.length} failed; p95 ${(p95 / 1000).toFixed(2)} s = ${(p95 / 2000).toFixed(2)} x`,
    reach: "",
    goal: goals[count] ?? "",
  });
  if (bad.length > 0)
    console.error(`first failure: ${bad[0]!.error ?? "stream ended before its end"}`);
}
