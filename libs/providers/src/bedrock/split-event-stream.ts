import type { EventStreamCodec } from "@smithy/core/event-streams";
import type { StreamSplitter } from "../http/split-stream.ts";
import { wholeReply } from "./read-converse-events.ts";

type EventStreams = typeof import("@smithy/core/event-streams");

/** AWS's own codec, loaded by the first call. */
let codecs: Promise<EventStreams> | undefined;
export const loadEventStreams = (): Promise<EventStreams> =>
  (codecs ??= import("@smithy/core/event-streams"));

const lengthBytes = 4;
/** Limits for the length of a message, in bytes. */
const shortest = 16;
const longest = 16 * 1024 * 1024;
/** Not JSON, so it breaks the answer off, but only after the messages before it. */
const damaged = "{damaged";
const brace = 0x7b;

/**
 * The messages of AWS's binary event streams (application/vnd.amazon.eventstream) as JSON: the type
 * from a message's headers, and its payload.
 */
export class EventStreamMessages implements StreamSplitter {
  private rest: Buffer = Buffer.alloc(0);
  /** Whether the reply is JSON instead, as gateways send; null before its first byte. */
  private isJson: boolean | null = null;
  private readonly codec: EventStreamCodec;

  constructor({ EventStreamCodec: Codec }: EventStreams) {
    this.codec = new Codec(
      (bytes) => (typeof bytes === "string" ? bytes : Buffer.from(bytes).toString("utf8")),
      (text) => Buffer.from(text, "utf8"),
    );
  }

  push(bytes: Uint8Array): string[] {
    let left = this.rest.length === 0 ? Buffer.from(bytes) : Buffer.concat([this.rest, bytes]);
    if (left.length > 0) this.isJson ??= left[0] === brace;
    const events: string[] = [];
    if (this.isJson === true) {
      this.rest = left;
      return left.length > longest ? [damaged] : events;
    }
    while (left.length >= lengthBytes) {
      const length = left.readUInt32BE(0);
      if (length < shortest || length > longest) return [...events, damaged];
      if (left.length < length) break;
      events.push(this.read(left.subarray(0, length)));
      left = left.subarray(length);
    }
    this.rest = left;
    return events;
  }

  /** An incomplete message means that the stream was cut off; so does a missing end. */
  end(): string[] {
    return this.isJson === true
      ? [`{"type":"${wholeReply}","data":${this.rest.toString("utf8")}}`]
      : [];
  }

  /** The codec verifies the message's checksums. */
  private read(message: Buffer): string {
    let decoded;
    try {
      decoded = this.codec.decode(message);
    } catch {
      return damaged;
    }
    const { headers, body } = decoded;
    if (headers[":message-type"]?.value === "error")
      return JSON.stringify({
        error: {
          code: headers[":error-code"]?.value ?? "",
          message: headers[":error-message"]?.value ?? "",
        },
      });
    const type = headers[":event-type"] ?? headers[":exception-type"];
    const payload = Buffer.from(body).toString("utf8");
    return `{"type":${JSON.stringify(String(type?.value))},"data":${payload === "" ? "{}" : payload}}`;
  }
}
