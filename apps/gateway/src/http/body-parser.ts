import type { IncomingMessage } from "node:http";
import { StringDecoder } from "node:string_decoder";
import { setImmediate as nextTurn } from "node:timers/promises";
import { CarrelError, type Endpoint } from "@carrel/contracts";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { JsonReader } from "./json-reader.ts";
import { startBodyHash } from "./request-key.ts";
import { refuse } from "./send-reply.ts";

/** Maximum time for a body to arrive, except uploads. */
const bodyMs = 30_000;

/** Maximum size of a JSON body in bytes, unless the contract says otherwise. */
export const defaultBodyLimit = 1_000_000;
/** The same limit for routes that anyone can call. */
const publicBodyLimit = 32_000;
/**
 * A client that declares more than this is cut off; below that, the rest of the body is read and
 * discarded so that the client sees the response.
 */
const drainLimit = 1_000_000_000;

/** Maximum nesting depth of lists and objects in a body. */
const deepest = 100;
/** Maximum number of values in a body, unless the contract says otherwise. */
const mostValues = 20_000;
/** How long to parse a body before other work gets its turn. */
const sliceMs = 10;
const largeBytes = 256 * 1024;

export const bodyLimitOf = ({ bodyLimit, access }: Endpoint): number =>
  bodyLimit ?? (access.who === "public" ? publicBodyLimit : defaultBodyLimit);

async function readJson(request: FastifyRequest, body: IncomingMessage): Promise<unknown> {
  const { bodyLimit, config } = request.routeOptions;
  const limit = bodyLimit ?? defaultBodyLimit;
  if (config.endpoint?.rawBody === true) return {};
  const reader = new JsonReader({
    depth: deepest,
    values: config.endpoint?.bodyValues ?? mostValues,
  });
  const decoder = new StringDecoder("utf8");
  const bodyHash = startBodyHash(request);
  let bytes = 0;
  let sliceEnds = performance.now() + sliceMs;
  // Not destroyed on an error, so that the rest is discarded and the client sees the response.
  for await (const piece of body.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    bytes += piece.length;
    if (bytes > limit) throw new CarrelError("request.too-large");
    bodyHash?.update(piece);
    reader.write(decoder.write(piece));
    if (performance.now() < sliceEnds) continue;
    await nextTurn();
    sliceEnds = performance.now() + sliceMs;
  }
  reader.write(decoder.end());
  // Validating a large body deserves its own turn of the event loop.
  if (bytes > largeBytes) await nextTurn();
  return reader.end();
}

/**
 * Existing clients send JSON without a content type, as text/plain or as something else, even with
 * DELETE (wire-contract 0), so anything that isn't multipart is parsed as JSON. An empty body is
 * `{}`.
 */
export function readEverythingAsJson(instance: FastifyInstance, slowestMs: number = bodyMs): void {
  instance.removeAllContentTypeParsers();
  instance.addContentTypeParser("application/json", readJson);
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
function cutSlowBody(raw: IncomingMessage, reply: FastifyReply, slowestMs: number): void {
  const timer = setTimeout(() => {
    if (raw.complete) return;
    // It was refused before it was read.
    if (reply.sent) {
      raw.destroy();
      return;
    }
    void reply.header("connection", "close");
    raw.emit("error", Object.assign(new Error("The body came too slowly."), { statusCode: 408 }));
  }, slowestMs).unref(); // the connection keeps the process alive
  raw.once("end", () => clearTimeout(timer));
  raw.once("close", () => clearTimeout(timer));
}

/** Responds before reading the body, so that none of it is buffered. */
function refuseBody(raw: IncomingMessage, reply: FastifyReply, declared: number): void {
  if (declared > drainLimit) reply.header("connection", "close");
  else raw.resume();
  refuse(reply, 413, { code: "request.too-large" });
}
