import { connect } from "node:net";
import multipart from "@fastify/multipart";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import fastify, { type FastifyInstance } from "fastify";
import { mapError } from "../http/error-map.ts";
import { sendFailure } from "../http/send-reply.ts";
import { receivePicture } from "./picture-upload.ts";

/** For uploads that must time out; others may take long on a busy machine. */
const stalled = "/?limitMs=300";
let server: FastifyInstance;
let port = 0;
beforeAll(async () => {
  server = fastify();
  await server.register(multipart);
  server.setErrorHandler((error, _request, reply) => sendFailure(reply, mapError(error)));
  server.post<{ Querystring: { limitMs?: string } }>("/", async (request) => ({
    bytes: (
      await receivePicture(
        request,
        "file",
        { width: 8, height: 8, fit: "cover" },
        "picture.missing",
        Number(request.query.limitMs ?? 20_000),
      )
    ).length,
  }));
  await server.listen({ port: 0, host: "127.0.0.1" });
  port = (server.server.address() as { port: number }).port;
});
afterAll(() => server.close());

describe("receivePicture", () => {
  it("refuses a body that trickles in with 408 and closes the connection", async () => {
    const started = Date.now();
    const answer = await new Promise<string>((resolve) => {
      let text = "";
      const socket = connect(port, "127.0.0.1", () => {
        socket.write(
          `POST ${stalled} HTTP/1.1\r\nHost: x\r\nContent-Type: multipart/form-data; boundary=x\r\nContent-Length: 100000\r\n\r\n--x\r\nContent-Disposition: form-data; name="file"; filename="a.png"\r\n\r\nabc`,
        );
      });
      socket
        .on("data", (piece: Buffer) => {
          text += piece.toString();
        })
        .on("error", () => undefined)
        .on("close", () => resolve(text));
    });
    expect(answer).toMatch(/^HTTP\/1\.1 408 /);
    expect(Date.now() - started).toBeLessThan(30_000);
  });

  it("recovers within the time limit when every slot is held by a stalled upload", async () => {
    const head = `POST ${stalled} HTTP/1.1\r\nHost: x\r\nContent-Type: multipart/form-data; boundary=x\r\nContent-Length: 100000\r\n\r\n--x\r\n`;
    const sockets = Array.from({ length: 16 }, () => {
      const socket = connect(port, "127.0.0.1", () => socket.write(head));
      socket.on("error", () => undefined);
      return socket;
    });
    await new Promise((resolve) => setTimeout(resolve, 100));
    const form = new FormData();
    form.append(
      "file",
      new Blob([
        new Uint8Array(
          Buffer.from(
            "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==",
            "base64",
          ),
        ),
      ]),
      "a.png",
    );
    const reply = await fetch(`http://127.0.0.1:${port}/`, { method: "POST", body: form });
    expect({
      status: reply.status,
      bytes: ((await reply.json()) as { bytes: number }).bytes > 0,
    }).toEqual({ status: 200, bytes: true });
    for (const socket of sockets) socket.destroy();
  });
});
