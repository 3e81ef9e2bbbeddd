// Calls of Carrel's public routes, for the scripts beside this file.
import { fail } from "k6";
import exec from "k6/execution";
import http, { type Params, type RefinedResponse } from "k6/http";

/** The caller: a session's token, or null where no password is set. */
export type Token = string | null;
export type Reply = RefinedResponse<"text">;

/** One address, or several separated by commas; each virtual user stays with one of them. */
const addresses = (__ENV.CARREL_URL ?? "http://localhost:3001").split(",");
const address = (): string => addresses[exec.vu.idInTest % addresses.length]!.replace(/\/+$/, "");

/** A number from `-e NAME=…`. */
export function numberFrom(name: string, otherwise: number): number {
  const text = __ENV[name];
  if (text === undefined || text === "") return otherwise;
  const number = Number(text);
  if (!(number > 0)) throw new Error(`${name} must be a number above 0`);
  return number;
}

/** @param name identifies requests in the results; without names of single workspaces */
export function paramsOf(token: Token, name: string, more: Params = {}): Params {
  return {
    ...more,
    headers: {
      ...(token === null ? {} : { Authorization: `Bearer ${token}` }),
      ...more.headers,
    },
    tags: { name },
  };
}

export const urlOf = (path: string): string => `${address()}/api${path}`;

export function get(token: Token, path: string, name: string): Reply {
  return http.get(urlOf(path), paramsOf(token, name, { responseType: "text" })) as Reply;
}

export function post(
  token: Token,
  path: string,
  name: string,
  body: unknown,
  more?: Params,
): Reply {
  const params = paramsOf(token, name, {
    responseType: "text",
    ...more,
    headers: { "Content-Type": "application/json" },
  });
  return http.post(urlOf(path), JSON.stringify(body), params) as Reply;
}

/** Returns the body of a reply that the script needs to continue. */
export function bodyOf<T>(reply: Reply): T {
  if (reply.status !== 200)
    fail(`${reply.request.method} ${reply.url}: ${reply.status} ${reply.error} ${reply.body}`);
  return JSON.parse(reply.body) as T;
}

export function remove(token: Token, path: string, name: string): void {
  http.del(urlOf(path), null, paramsOf(token, name));
}
