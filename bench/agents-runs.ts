import { inFlight, json, prose, timeStream, type StreamTimes } from "./client.ts";
import { makeWorkspace } from "./http-answers.ts";
import { withClient } from "./ingest-counters.ts";

/** Steps of a run. */
export const steps = 3;

const isFirst = (frame: string): boolean =>
  frame.includes("textResponseChunk") && !frame.includes('"textResponse":""');
const isLast = (frame: string): boolean => frame.includes("finalizeResponseStream");
const stream = { "X-Carrel-Stream": "1" };

/** With all skills that need no account and no folder, as each costs something. */
export async function makeAgentWorkspace(url: string, name: string): Promise<string> {
  await json(url, "POST", "/api/admin/system-preferences", {
    default_agent_skills:
      "web-browsing,request-user-input,create-chart,code-interpreter,create-files-agent",
  });
  return makeWorkspace(url, name);
}

let asked = 0;
const nextQuestion = (): string => prose((asked += 1), 60);

async function ask(url: string, path: string, mode: "automatic" | "chat"): Promise<StreamTimes> {
  const question = { message: nextQuestion(), mode };
  const times = await timeStream(url, path, question, isFirst, isLast, stream);
  if (times.error !== null || !times.complete)
    throw new Error(times.error ?? "the stream broke off");
  return times;
}

export const runAgent = (url: string, slug: string): Promise<StreamTimes> =>
  ask(url, `/api/workspace/${slug}/stream-chat`, "automatic");

export const timeFirstToken = async (
  url: string,
  slug: string,
  mode: "automatic" | "chat",
): Promise<number> => (await ask(url, `/api/workspace/${slug}/stream-chat`, mode)).first;

/** Creates threads; the returned function starts a run in each of them at once. */
export async function openRuns(url: string, count: number): Promise<() => Promise<StreamTimes[]>> {
  const path = `/api/workspace/${await makeAgentWorkspace(url, "Burst")}/thread`;
  const threads = await inFlight(
    count,
    16,
    async () => (await json<{ thread: { slug: string } }>(url, "POST", `${path}/new`)).thread.slug,
  );
  return () =>
    Promise.all(threads.map((thread) => ask(url, `${path}/${thread}/stream-chat`, "automatic")));
}

/** The vendor's calls of a run, without Carrel. Returns milliseconds. */
export async function rawRun(vendor: string, made: number): Promise<number> {
  const messages: unknown[] = [{ role: "user", content: nextQuestion() }];
  const tools = [{ type: "function", function: { name: "read-result", parameters: {} } }];
  let total = 0;
  for (let call = 0; call <= made; call++) {
    const body = { model: "fake-model", stream: true, messages, tools };
    const times = await timeStream(
      vendor,
      "/v1/chat/completions",
      body,
      () => false,
      (frame) => frame.includes("[DONE]"),
    );
    total += times.total;
    messages.push({ role: "tool", tool_call_id: `call_${call}`, content: "Nothing." });
  }
  return total;
}

/** Statements of one call of `work`, by text; the mean, as each call has the same. */
export async function countStatements(
  database: string,
  times: number,
  work: () => Promise<unknown>,
): Promise<Map<string, number>> {
  const read = (): Promise<Map<string, number>> =>
    withClient(database, async (client) => {
      const { rows } = await client.query<{ query: string; calls: number }>(
        `SELECT regexp_replace(query, '\\s+', ' ', 'g') AS query, sum(calls)::float8 AS calls
        FROM pg_stat_statements WHERE query NOT LIKE '%pg_stat%' GROUP BY 1`,
      );
      return new Map(rows.map(({ query, calls }) => [query, calls]));
    });
  const before = await read();
  await inFlight(times, 1, work);
  const after = await read();
  return new Map(
    [...after].map(([query, calls]) => [query, (calls - (before.get(query) ?? 0)) / times]),
  );
}

/** Those that occur, the most frequent first; rare ones are timers'. */
export const describeCounts = (counts: Map<string, number>): string =>
  [...counts]
    .filter(([, calls]) => Math.abs(calls) >= 0.1)
    .sort(([, a], [, b]) => b - a)
    .map(([query, calls]) => `${calls.toFixed(2)}  ${query.slice(0, 200)}`)
    .join("\n");
