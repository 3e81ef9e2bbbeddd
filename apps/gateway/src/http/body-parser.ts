import { CarrelError } from "@carrel/contracts";
import type { FastifyInstance } from "fastify";
import { isNestedDeeper } from "./json-depth.ts";
import { refuse } from "./send-failure.ts";

/** Maximum time for a body to arrive, except uploads. */
const bodyMs = 30_000;

/** Maximum size of a JSON body in bytes, unless the contract says otherwise. */
export const defaultBodyLimit = 1_000_000;
/**
 * A client that declares more than this is cut off; below it, the rest of the body is read and
 * discarded so that the client sees the response.
 */
const drainLimit = 1_000_000_000;

/** Maximum nesting depth of lists and objects in a body. */
const deepest = 100;

function parseJson(text: string): unknown {
  if (text.trim() === "") return {};
  if (isNestedDeeper(text, deepest))
    throw new CarrelError("request.body-too-deep", { limit: deepest });
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch (error) {
    throw new CarrelError("request.body-not-json", {}, { cause: error });
  }
  // PostgreSQL text cannot hold U+0000; the escape is rare, so parse the body only if it appears.
  if (text.includes("\\u0000") && JSON.stringify(body).replaceAll("\\\\", "").includes("\\u0000"))
    throw new CarrelError("request.body-null-character");
  return body;
}

/**
 * Existing clients send JSON without a content type, as text/plain or as something else, on DELETE
 * too (wire-contract 0), so anything that is not multipart is parsed as JSON. An empty body is
 * `{}`.
 */
export function readEverythingAsJson(instance: FastifyInstance, slowestMs: number = bodyMs): void {
  instance.removeAllContentTypeParsers();
  instance.addContentTypeParser(
    "application/json",
    { parseAs: "string" },
    (_request, text, done) => {
      try {
        done(null, parseJson(text as string));
      } catch (error) {
        done(error as Error);
      }
    },
  );
  instance.addHook("onRequest", (request, reply, done) => {
    const headers = request.raw.headers;
    if (headers["content-type"]?.toLowerCase().startsWith("multipart/") === true) {
      done();
      return;
    }
    const declared = Number(headers["content-length"] ?? 0);
    if (declared > (request.routeOptions.bodyLimit ?? defaultBodyLimit)) {
      refuseBody(request.raw, reply, declared);
      return;
    }
    if (
      declared > 0 ||
      headers["transfer-encoding"] !== undefined ||
      headers["content-type"] !== undefined
    )
      headers["content-type"] = "application/json";
    if (declared > 0 || headers["transfer-encoding"] !== undefined)
      cutSlowBody(request.raw, reply, slowestMs);
    done();
  });
}

/**
 * A body that trickles in holds a connection and memory: respond with 408 and close the connection.
 */
function cutSlowBody(
  raw: import("node:http").IncomingMessage,
  reply: import("fastify").FastifyReply,
  slowestMs: number,
): void {
  const timer = setTimeout(() => {
    if (raw.complete || reply.sent) return;
    void reply.header("connection", "close");
    raw.emit("error", Object.assign(new Error("The body came too slowly."), { statusCode: 408 }));
  }, slowestMs);
  raw.once("end", () => clearTimeout(timer));
  raw.once("close", () => clearTimeout(timer));
}

/** Responds before reading the body, so that no byte of it is buffered. */
function refuseBody(
  raw: import("node:http").IncomingMessage,
  reply: import("fastify").FastifyReply,
  declared: number,
): void {
  if (declared > drainLimit) reply.header("connection", "close");
  else raw.resume();
  refuse(reply, 413, { code: "request.too-large" });
}
