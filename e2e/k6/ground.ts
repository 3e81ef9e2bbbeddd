// Prepares what a script needs before it measures, through the public routes, and removes it
// afterwards.
import { sleep } from "k6";
import http, { type ObjectBatchRequest } from "k6/http";
import { bodyOf, get, paramsOf, post, remove, urlOf, type Reply, type Token } from "./client.ts";
import { prose } from "./prose.ts";

export interface Ground {
  token: Token;
  workspaceId: number;
  slug: string;
}

const hasAccounts = (): boolean => (__ENV.CARREL_USERNAME ?? "") !== "";
/** Requests in flight while preparing. */
const atOnce = 8;

/** Signs in with CARREL_USERNAME and CARREL_PASSWORD, with a password alone, or not at all. */
function signIn(
  username = __ENV.CARREL_USERNAME ?? "",
  password = __ENV.CARREL_PASSWORD ?? "",
): Token {
  if (password === "") return null;
  const credentials = username === "" ? { password } : { username, password };
  const { token, message } = bodyOf<{ token: Token; message: string | null }>(
    post(null, "/request-token", "sign in", credentials),
  );
  if (token === null) throw new Error(`Couldn't sign in: ${message}`);
  return token;
}

export function prepare(name: string): Ground {
  const token = signIn();
  const { workspace } = bodyOf<{ workspace: { id: number; slug: string } }>(
    post(token, "/workspace/new", "prepare", { name: `Load test: ${name}` }),
  );
  return { token, workspaceId: workspace.id, slug: workspace.slug };
}

/** Call it last in `setup`: everything after this log line is measured. */
export const startMeasuring = (): void => console.log("measuring");
/** Call it first in `teardown`. */
export const stopMeasuring = (): void => console.log("measured");

export function cleanUp({ token, slug }: Ground): void {
  remove(token, `/workspace/${slug}`, "clean up");
}

/** Sends requests in parallel. */
function batch(requests: ObjectBatchRequest[]): Reply[] {
  const replies: Reply[] = [];
  for (let from = 0; from < requests.length; from += atOnce)
    replies.push(...(http.batch(requests.slice(from, from + atOnce)) as Reply[]));
  return replies;
}

const asJson = (token: Token) =>
  paramsOf(token, "prepare", { headers: { "Content-Type": "application/json" } });

export function openThreads({ token, slug }: Ground, count: number): string[] {
  const url = urlOf(`/workspace/${slug}/thread/new`);
  return batch(
    Array.from({ length: count }, () => ({
      method: "POST",
      url,
      body: "{}",
      params: asJson(token),
    })),
  ).map((reply) => bodyOf<{ thread: { slug: string } }>(reply).thread.slug);
}

export const fileOf = (seed: number, bytes: number) => ({
  file: http.file(prose(seed, bytes), `load-${seed}.txt`, "text/plain"),
});

/** Uploads texts and waits until they are embedded. */
export function addDocuments(ground: Ground, count: number, bytes: number): void {
  const url = urlOf(`/workspace/${ground.slug}/upload-and-embed`);
  batch(
    Array.from({ length: count }, (_, seed) => ({
      method: "POST",
      url,
      body: fileOf(seed, bytes),
      params: paramsOf(ground.token, "prepare", { timeout: "120s" }),
    })),
  ).forEach((reply) => bodyOf(reply));
  waitForDocuments(ground, 600);
}

/** Waits until no document of the workspace is waiting; false if they take longer. */
export function waitForDocuments({ token, slug }: Ground, seconds: number): boolean {
  const ends = Date.now() + seconds * 1000;
  for (let offset = 0; Date.now() < ends;) {
    const page = bodyOf<{ documents: { state: string }[]; total: number }>(
      get(token, `/workspace/${slug}/documents?limit=200&offset=${offset}`, "wait for documents"),
    );
    if (page.documents.some(({ state }) => state !== "embedded" && state !== "failed")) sleep(0.5);
    else if ((offset += 200) >= page.total) return true;
  }
  return false;
}

/** An API key that may search; `removeKey` deletes it. */
export function makeKey(token: Token): { id: number; secret: string } {
  const path = hasAccounts() ? "/admin/generate-api-key" : "/system/generate-api-key";
  return bodyOf<{ apiKey: { id: number; secret: string } }>(
    post(token, path, "prepare", { name: "Load test", scopes: ["read", "chat"] }),
  ).apiKey;
}

export function removeKey(token: Token, id: number): void {
  const path = hasAccounts() ? "/admin/delete-api-key" : "/system/api-key";
  remove(token, `${path}/${id}`, "clean up");
}

export interface Person {
  /** null without accounts: everybody is the one user of the instance. */
  id: number | null;
  token: Token;
  thread: string;
}

/** Members of the workspace, each with an account if there are accounts, and with a thread. */
export function invite(ground: Ground, count: number): Person[] {
  if (!hasAccounts())
    return openThreads(ground, count).map((thread) => ({ id: null, token: ground.token, thread }));
  const password = `Load ${String(Math.random()).slice(2)} test`;
  const mark = Date.now().toString(36);
  const userIds = batch(
    Array.from({ length: count }, (_, n) => ({
      method: "POST",
      url: urlOf("/admin/users/new"),
      body: JSON.stringify({ username: `load-${mark}-${n}`, password, role: "default" }),
      params: asJson(ground.token),
    })),
  ).map((reply) => bodyOf<{ user: { id: number } }>(reply).user.id);
  const members = `/admin/workspaces/${ground.workspaceId}/update-users`;
  bodyOf(post(ground.token, members, "prepare", { userIds }));
  return userIds.map((id, n) => {
    const token = signIn(`load-${mark}-${n}`, password);
    const { thread } = bodyOf<{ thread: { slug: string } }>(
      post(token, `/workspace/${ground.slug}/thread/new`, "prepare", {}),
    );
    return { id, token, thread: thread.slug };
  });
}

export function dismiss({ token }: Ground, people: Person[]): void {
  for (const { id } of people) if (id !== null) remove(token, `/admin/user/${id}`, "clean up");
}
