import type { ServerResponse } from "node:http";
import { setTimeout as wait } from "node:timers/promises";

/** A reply as some server sends it, byte by byte. */
export interface RawReply {
  body: string | Uint8Array;
  /** Default: text/event-stream. */
  contentType?: string;
  headers?: Record<string, string>;
  /** Sends the body in pieces of this many bytes; by default all at once. */
  pieceBytes?: number;
  /** Leaves the connection open after the body. */
  staysOpen?: boolean;
  /** Breaks the connection after the body. */
  breaks?: boolean;
}

export async function sendRaw(
  { body, contentType = "text/event-stream", headers, pieceBytes, staysOpen, breaks }: RawReply,
  response: ServerResponse,
): Promise<void> {
  const bytes = Buffer.from(body);
  response.writeHead(200, { "content-type": contentType, ...headers });
  const size = pieceBytes ?? Math.max(1, bytes.length);
  for (let at = 0; at < bytes.length; at += size) {
    response.write(bytes.subarray(at, at + size));
    if (at + size < bytes.length) await wait(1, undefined, { ref: false });
  }
  if (breaks === true) response.write("\n", () => response.destroy());
  else if (staysOpen !== true) response.end();
}
