import { createHash } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

const text = (value: string): Buffer => {
  const bytes = Buffer.from(value);
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(bytes.length));
  return Buffer.concat([length, bytes]);
};
const count = (value: number): Buffer => {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(BigInt(value));
  return bytes;
};
const integer = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
};

/** A GGUF file with a header and no tensors; the rest is filling. */
export function makeGguf(bytes: number): Buffer {
  const entry = (key: string, value: string) => [text(key), integer(8), text(value)];
  const header = Buffer.concat([
    Buffer.from("GGUF"),
    integer(3),
    count(0),
    count(1),
    ...entry("general.architecture", "llama"),
  ]);
  return Buffer.concat([header, Buffer.alloc(Math.max(0, bytes - header.length), 7)]);
}

export interface HubFault {
  /** Answers everything with this status. */
  status?: number;
  /** Ends the connection after this many bytes of a reply. */
  cutAfter?: number;
  /** Sends this many bytes of a reply, and then nothing more until `release`. */
  holdAfter?: number;
  /** Announces another checksum. */
  wrongHash?: boolean;
  /** Announces this size. */
  announcedBytes?: number;
}

/**
 * A hub as its download documentation describes it: large files redirect to a store with
 * x-linked-etag (SHA-256) and x-linked-size; Range is supported.
 */
export class FakeModelHub {
  body = makeGguf(600_000);
  fault: HubFault = {};
  readonly ranges: (string | null)[] = [];
  readonly paths: string[] = [];
  url = "";
  private readonly held = new Set<ServerResponse>();
  private readonly server: Server = createServer((request, reply) => this.serve(request, reply));

  async start(): Promise<void> {
    await new Promise<void>((resolve) => this.server.listen(0, "127.0.0.1", resolve));
    this.url = `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  reset(): void {
    this.fault = {};
    this.ranges.length = 0;
    this.paths.length = 0;
    for (const reply of this.held) reply.destroy();
    this.held.clear();
  }

  private serve({ url = "", headers }: IncomingMessage, reply: ServerResponse): void {
    const { fault, body } = this;
    if (fault.status !== undefined) {
      reply.writeHead(fault.status).end();
      return;
    }
    if (url.includes("/resolve/")) {
      this.paths.push(url);
      const hash = createHash("sha256").update(fault.wrongHash ? "other" : body);
      reply
        .writeHead(302, {
          location: "/store/file",
          "x-linked-size": fault.announcedBytes ?? body.length,
          "x-linked-etag": `"${hash.digest("hex")}"`,
        })
        .end();
      return;
    }
    this.ranges.push(headers.range ?? null);
    const start = Number(/bytes=(\d+)-/.exec(headers.range ?? "")?.[1] ?? 0);
    if (start >= body.length) {
      reply.writeHead(416, { "content-range": `bytes */${body.length}` }).end();
      return;
    }
    const rest = body.subarray(start);
    reply.writeHead(start > 0 ? 206 : 200, {
      "content-length": rest.length,
      ...(start > 0 && { "content-range": `bytes ${start}-${body.length - 1}/${body.length}` }),
    });
    if (fault.cutAfter !== undefined)
      reply.write(rest.subarray(0, fault.cutAfter), () => setTimeout(() => reply.destroy(), 50));
    else if (fault.holdAfter !== undefined) {
      this.held.add(reply);
      reply.write(rest.subarray(0, fault.holdAfter));
    } else reply.end(rest);
  }
}
