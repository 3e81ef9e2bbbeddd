import { createServer, type Server } from "node:http";
import { createServer as createSocketServer, type Server as SocketServer } from "node:net";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "@jest/globals";
import { dockerAnswers } from "./docker.ts";
import { guardedFolder } from "./guard.ts";

const before = process.env.DOCKER_HOST;
let server: Server | SocketServer | undefined;
afterEach(() => {
  server?.close();
  if (before === undefined) delete process.env.DOCKER_HOST;
  else process.env.DOCKER_HOST = before;
});

async function engineAt(listener: Server | SocketServer): Promise<void> {
  const path = join(guardedFolder("carrel-docker-"), "docker.sock");
  server = listener;
  await new Promise<void>((resolve) => listener.listen(path, resolve));
  process.env.DOCKER_HOST = `unix://${path}`;
}

describe("dockerAnswers", () => {
  it("says yes when the engine answers its ping", async () => {
    await engineAt(
      createServer((incoming, reply) =>
        reply.writeHead(incoming.url === "/_ping" ? 200 : 404).end("OK"),
      ),
    );
    expect(await dockerAnswers()).toBe(true);
  });

  it("says no if there is no socket", async () => {
    process.env.DOCKER_HOST = "unix:///nowhere/docker.sock";
    expect(await dockerAnswers()).toBe(false);
  });

  it("says no after two seconds if an engine hangs", async () => {
    await engineAt(createSocketServer((socket) => socket.unref()));
    const begun = performance.now();
    expect(await dockerAnswers()).toBe(false);
    expect(performance.now() - begun).toBeGreaterThan(1900);
    expect(performance.now() - begun).toBeLessThan(10_000);
  });

  it("says no if something else answers", async () => {
    await engineAt(createServer((_incoming, reply) => reply.writeHead(500).end()));
    expect(await dockerAnswers()).toBe(false);
  });
});
