// Single steps of people's work, which count failures.
import { check } from "k6";
import http from "k6/http";
import { Rate, Trend } from "k6/metrics";
import { get, paramsOf, post, urlOf, type Token } from "./client.ts";
import { fileOf } from "./ground.ts";
import { prose } from "./prose.ts";

/** Share of answers that came completely and without an error. */
const complete = new Rate("answers_complete");
/**
 * Time from the question to the beginning of the reply: the question is stored and runs or waits.
 */
const accepted = new Trend("answer_accepted", true);
/** Time from the question to the end of its answer. */
const duration = new Trend("answer_duration", true);

const isComplete = (body: string): boolean =>
  body.includes('"type":"finalizeResponseStream"') &&
  body.includes('"type":"textResponseChunk"') &&
  !body.includes('"type":"abort"');

/** Asks in a thread and reads the stream to its end. */
export function ask(token: Token, slug: string, thread: string, seed: number): void {
  const reply = post(
    token,
    `/workspace/${slug}/thread/${thread}/stream-chat`,
    "ask",
    { message: prose(seed, 60) },
    { timeout: "300s" },
  );
  const ok = reply.status === 200 && isComplete(reply.body);
  if (!ok) {
    const said = `${reply.status} ${reply.error} ${(reply.body ?? "").slice(-400)}`;
    console.warn(`${new Date().toISOString().slice(11, 19)} ask: ${said.trim()}`);
  }
  complete.add(ok);
  accepted.add(reply.timings.waiting);
  duration.add(reply.timings.duration);
}

/** Reads what the app reads when somebody opens a workspace. */
export function openPage(token: Token, slug: string, thread?: string): void {
  const place = thread === undefined ? "" : `/thread/${thread}`;
  for (const [name, path] of [
    ["list workspaces", "/workspaces"],
    ["read workspace", `/workspace/${slug}`],
    ["list threads", `/workspace/${slug}/threads`],
    ["read history", `/workspace/${slug}${place}/chats`],
    ["list documents", `/workspace/${slug}/documents?limit=50`],
  ] as const)
    check(get(token, path, name), { [`${name}: 200`]: ({ status }) => status === 200 });
}

export function upload(token: Token, slug: string, seed: number, bytes: number): boolean {
  const params = paramsOf(token, "upload", { timeout: "120s", responseType: "text" });
  const reply = http.post(
    urlOf(`/workspace/${slug}/upload-and-embed`),
    fileOf(seed, bytes),
    params,
  );
  return check(reply, {
    "upload: accepted": ({ status, body }) =>
      status === 200 && String(body).includes('"success":true'),
  });
}

/**
 * Searches for words of a document.
 *
 * @param key API key of the developer API
 * @param seed seed of the document
 */
export function search(key: string, slug: string, seed: number): void {
  const query = { query: prose(seed, 200).slice(40, 120), topN: 4 };
  check(post(key, `/v1/workspace/${slug}/vector-search`, "search", query), {
    "search: found something": ({ status, body }) =>
      status === 200 && (JSON.parse(body) as { results: unknown[] }).results.length > 0,
  });
}
