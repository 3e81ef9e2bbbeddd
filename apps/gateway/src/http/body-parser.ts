import type { IncomingMessage } from "node:http";
import { StringDecoder } from "node:string_decoder";
import { setImmediate as nextTurn } from "node:timers/promises";
import { CarrelError, type Endpoint } from "@carrel/contracts";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
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

/** Bodies that aren't declared as JSON, on routes that need it. */
const isOtherType = new WeakSet<IncomingMessage>();

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
  const parsed = reader.end();
  return isOtherType.has(body) ? {} : parsed;
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
    const isJson = headers["content-type"]?.toLowerCase().startsWith("application/json") === true;
    if (request.routeOptions.config.endpoint?.needsJsonType === true && !isJson)
      isOtherType.add(request.raw);
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

type Container = unknown[] | Record<string, unknown>;
/** What may come next. */
type Expected = "value" | "first item" | "first key" | "key" | "colon" | "next" | "nothing";

const quote = 34,
  colon = 58,
  comma = 44,
  openList = 91,
  closeList = 93,
  openObject = 123,
  closeObject = 125;
const isSpace = (code: number): boolean => code === 32 || code === 10 || code === 13 || code === 9;
/** Every character that can occur in a number, `true`, `false` or `null`. */
const scalarText = /[-+.0-9a-zA-Z]*/y;
const longestScalar = 1_000;
/** Needs decoding, or is not allowed in a JSON string. */
const special = /[\\\p{Cc}]/u;
/** How many values a list or object counts as: an empty one costs as much as several texts. */
const containerWeight = 3;

export interface JsonLimits {
  /** Nesting levels of lists and objects. */
  depth: number;
  /** Number of values, excluding keys; a list or object counts as three. */
  values: number;
}

/**
 * Parses JSON piece by piece as it arrives, so that no body, however large, holds up other
 * requests, and a body with too many values or levels is rejected as soon as it exceeds its limit.
 * Accepts what `JSON.parse` accepts, except U+0000 in texts, which PostgreSQL can't store. Half
 * surrogate pairs become U+FFFD for the same reason.
 */
export class JsonReader {
  private readonly open: Container[] = [];
  private readonly keys: string[] = [];
  private expected: Expected = "value";
  private values = 0;
  private root: unknown;
  /** The string being read; null outside of strings. */
  private string: string | null = null;
  private isEscaped = false;
  /** A number or word, or the start of an escape sequence, that the next piece continues. */
  private rest = "";

  constructor(private readonly limits: JsonLimits) {}

  write(piece: string): void {
    const text = this.rest + piece;
    const isScalar = this.string === null && this.rest !== "";
    this.rest = "";
    let at = 0;
    if (this.string !== null) at = this.readString(text, at);
    else if (isScalar) at = this.readScalar(text, at);
    while (at < text.length) {
      const code = text.charCodeAt(at);
      if (isSpace(code)) at++;
      else if (code === quote) {
        if (this.expected === "colon") throw notJson();
        this.string = "";
        at = this.readString(text, at + 1);
      } else at = this.readSign(code, text, at);
    }
  }

  /** The parsed value; `{}` if there was nothing but white space. */
  end(): unknown {
    if (this.string !== null) throw notJson();
    if (this.rest !== "") this.add(parse(this.rest));
    if (this.expected === "value" && this.values === 0) return {};
    if (this.expected !== "nothing") throw notJson();
    return this.root;
  }

  private readSign(code: number, text: string, at: number): number {
    if (code === openList) this.enter([], "first item");
    else if (code === openObject) this.enter({}, "first key");
    else if (code === closeList) this.leave(true, "first item");
    else if (code === closeObject) this.leave(false, "first key");
    else if (code === colon) {
      if (this.expected !== "colon") throw notJson();
      this.expected = "value";
    } else if (code === comma) {
      if (this.expected !== "next") throw notJson();
      this.expected = Array.isArray(this.open.at(-1)) ? "value" : "key";
    } else return this.readScalar(text, at);
    return at + 1;
  }

  private readScalar(text: string, from: number): number {
    scalarText.lastIndex = from;
    scalarText.test(text);
    const end = scalarText.lastIndex;
    if (end === from || end - from > longestScalar) throw notJson();
    const scalar = text.slice(from, end);
    if (end === text.length) this.rest = scalar;
    else this.add(parse(scalar));
    return end;
  }

  /** Continues reading a string; returns where to continue after it. */
  private readString(text: string, from: number): number {
    const end = endOfString(text, from);
    if (end === -1) {
      const complete = endOfEscapes(text, from);
      this.decode(text.slice(from, complete));
      this.rest = text.slice(complete);
      return text.length;
    }
    this.decode(text.slice(from, end));
    const value = this.isEscaped ? this.string!.toWellFormed() : this.string!;
    this.string = null;
    this.isEscaped = false;
    if (this.expected === "key" || this.expected === "first key") {
      this.keys.push(value);
      this.expected = "colon";
    } else this.add(value);
    return end + 1;
  }

  private decode(raw: string): void {
    if (!special.test(raw)) {
      this.string += raw;
      return;
    }
    const decoded = parse(`"${raw}"`) as string;
    if (decoded.includes("\0")) throw new CarrelError("request.body-null-character");
    this.isEscaped = true;
    this.string += decoded;
  }

  private enter(container: Container, expected: Expected): void {
    this.count(containerWeight);
    if (this.open.length >= this.limits.depth)
      throw new CarrelError("request.body-too-deep", { limit: this.limits.depth });
    this.put(container);
    this.open.push(container);
    this.expected = expected;
  }

  private leave(isList: boolean, empty: Expected): void {
    const container = this.open.pop();
    const isDone = this.expected === "next" || this.expected === empty;
    if (container === undefined || !isDone || Array.isArray(container) !== isList) throw notJson();
    this.expected = this.open.length === 0 ? "nothing" : "next";
  }

  private add(value: unknown): void {
    this.count(1);
    this.put(value);
    this.expected = this.open.length === 0 ? "nothing" : "next";
  }

  private put(value: unknown): void {
    if (this.expected !== "value" && this.expected !== "first item") throw notJson();
    const container = this.open.at(-1);
    if (container === undefined) this.root = value;
    else if (Array.isArray(container)) container.push(value);
    else {
      const key = this.keys.pop()!;
      // Assigning `__proto__` would change the object's prototype instead of adding a key.
      if (key === "__proto__")
        Object.defineProperty(container, key, {
          value,
          enumerable: true,
          configurable: true,
          writable: true,
        });
      else container[key] = value;
    }
  }

  private count(weight: number): void {
    this.values += weight;
    if (this.values > this.limits.values)
      throw new CarrelError("request.body-too-complex", { limit: this.limits.values });
  }
}

const notJson = (cause?: unknown): CarrelError =>
  new CarrelError("request.body-not-json", {}, { cause });

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw notJson(error);
  }
}

/** Number of backslashes right before `at`, starting no earlier than `from`. */
function backslashes(text: string, from: number, at: number): number {
  let start = at;
  while (start > from && text[start - 1] === "\\") start--;
  return at - start;
}

/** Index of the quote that ends the string; -1 if it isn't in this text. */
function endOfString(text: string, from: number): number {
  let end = text.indexOf('"', from);
  while (end !== -1 && backslashes(text, from, end) % 2 === 1) end = text.indexOf('"', end + 1);
  return end;
}

/**
 * Where an escape sequence starts that the text doesn't complete; the text's length if there is
 * none.
 */
function endOfEscapes(text: string, from: number): number {
  const last = text.lastIndexOf("\\");
  const isRecent = last >= from && text.length - last < "\\u0000".length;
  if (!isRecent || backslashes(text, from, last + 1) % 2 === 0) return text.length;
  const isComplete = last + 1 < text.length && text[last + 1] !== "u";
  return isComplete ? text.length : last;
}
