import type { IncomingMessage, ServerResponse } from "node:http";
import type { Operation, Out } from "@carrel/contracts";
import { faultHeaders } from "./fault-of.ts";

/** What the app expects, besides the messages that the gateway writes for other clients. */
type Reply<Contract> = Out<Contract> & { error?: unknown; message?: unknown };

/** A call to the fake gateway, with ways to answer it. */
export interface FakeCall {
  method: string;
  /** Without "/api" and the query. */
  path: string;
  query: URLSearchParams;
  body: Record<string, unknown>;
  raw: Buffer;
  bearer: string | null;
  lastEventId: string | null;
  response: ServerResponse;
  /** Answers as this operation does: its contract gives the type of the reply. */
  reply: <Contract extends Operation>(operation: Contract, value: Reply<Contract>) => void;
  /** Fails, as every operation may. */
  json: (value: unknown, status?: number) => void;
  text: (value?: string, status?: number) => void;
}

/** Reads a call to the end. Each answer is sent through `send`, which may delay it. */
export async function readCall(
  request: IncomingMessage,
  response: ServerResponse,
  url: URL,
  send: (answer: () => void) => void,
): Promise<FakeCall> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const raw = Buffer.concat(chunks);
  const isJson = (request.headers["content-type"] ?? "").includes("json") && raw.length > 0;
  const answer = (value: unknown, written: string, type: string, status: number): void =>
    send(() => {
      response.writeHead(status, { "Content-Type": type, ...faultHeaders(value, status) });
      response.end(written);
    });
  return {
    method: request.method ?? "GET",
    path: url.pathname.slice(4),
    query: url.searchParams,
    body: isJson ? (JSON.parse(raw.toString()) as Record<string, unknown>) : {},
    raw,
    bearer: /^Bearer (.+)$/.exec(request.headers.authorization ?? "")?.[1] ?? null,
    lastEventId: (request.headers["last-event-id"] as string | undefined) ?? null,
    response,
    reply: ({ success }, value) =>
      answer(value, JSON.stringify(value), "application/json", success.status),
    json: (value, status = 200) => answer(value, JSON.stringify(value), "application/json", status),
    text: (value = "OK", status = 200) => answer(value, value, "text/plain", status),
  };
}

/** Matches a call's method and path; the result has the path's parameters. */
export const matcher =
  ({ method, path }: Pick<FakeCall, "method" | "path">) =>
  (wanted: string, pattern: RegExp): RegExpExecArray | null =>
    method === wanted ? pattern.exec(path) : null;

/** Returned by a handler that has answered the call. */
export const answered = (_reply: void): true => true;

/** Answers with an event stream that stays open; `onClose` runs when the client leaves. */
export function openStream(response: ServerResponse, onClose: () => void): void {
  response.writeHead(200, { "Content-Type": "text/event-stream" });
  response.write(": hello\n\n");
  response.on("close", onClose);
}
