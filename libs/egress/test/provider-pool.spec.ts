import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { setImmediate as nextTurn } from "node:timers/promises";
import { createProviderPool, type ProviderPool, type ProviderReply } from "@carrel/egress";
import { poll } from "@carrel/testing";
import { afterAll, beforeAll, beforeEach, expect, it } from "@jest/globals";

let answer: (request: IncomingMessage, response: ServerResponse) => void;
const sockets = new Set<Socket>();
const server = createServer((request, response) => {
  sockets.add(request.socket);
  request.resume();
  answer(request, response);
});
let pool: ProviderPool;
let url: URL;
beforeAll(async () => {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/chat`);
  pool = createProviderPool({ origin: url.origin });
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});
beforeEach(() => sockets.clear());

const never = new AbortController().signal;
const post = (signal = never, through = pool): Promise<ProviderReply> =>
  through.post({ url, headers: { "content-type": "application/json" }, body: "{}", signal });
async function read(reply: ProviderReply): Promise<{ text: string; error: unknown }> {
  let text = "";
  try {
    for await (const bytes of reply) text += bytes.toString();
    return { text, error: null };
  } catch (error) {
    return { text, error };
  }
}

it("hands over data received before the connection broke", async () => {
  answer = (_request, response) => {
    response.writeHead(200);
    response.write("one ");
    response.write("two ", () => setTimeout(() => response.destroy(), 30));
  };
  const reply = await post();
  // Not read until the connection is gone.
  await new Promise((resolve) => {
    setTimeout(resolve, 150);
  });
  const { text, error } = await read(reply);
  expect(text).toBe("one two ");
  expect(error).toBeInstanceOf(Error);
});

it("keeps the connection after a released reply has ended", async () => {
  let current: ServerResponse;
  answer = (_request, response) => {
    current = response;
    response.write("all");
  };
  for (let call = 0; call < 3; call += 1) {
    const reply = await post();
    for await (const bytes of reply) {
      expect(bytes.toString()).toBe("all");
      reply.release();
      break;
    }
    current!.end();
    await once(current!, "finish");
    // The end has to reach the client of this process too.
    for (let turn = 0; turn < 100; turn += 1) await nextTurn();
  }
  expect(sockets.size).toBe(1);
});

it("ends the call when the reader stops, and a released one that continues", async () => {
  let closed = 0;
  answer = (_request, response) => {
    const timer = setInterval(() => response.write("more "), 10);
    response.on("close", () => {
      clearInterval(timer);
      closed += 1;
    });
  };
  for await (const bytes of await post()) {
    expect(bytes.length).toBeGreaterThan(0);
    break;
  }
  (await post()).release();
  await poll(() => closed).toBe(2);
});

it("waits while the reader is slow", async () => {
  let sent = 0;
  let isOver = false;
  answer = (_request, response) => {
    const piece = Buffer.alloc(64 * 1024, "x");
    const write = (): void => {
      while (sent < 640 && response.write(piece)) sent += 1;
      if (sent < 640) response.once("drain", () => ((sent += 1), write()));
      else if (!isOver) {
        isOver = true;
        response.end();
      }
    };
    write();
  };
  const reply = await post();
  await new Promise((resolve) => {
    setTimeout(resolve, 300);
  });
  expect(isOver).toBe(false);
  const { text, error } = await read(reply);
  expect(error).toBeNull();
  expect(text).toHaveLength(640 * 64 * 1024);
});

it("rejects when the signal aborts, before and after the headers, and refuses redirects", async () => {
  answer = () => undefined;
  await expect(post(AbortSignal.timeout(50))).rejects.toMatchObject({ name: "TimeoutError" });
  answer = (_request, response) => {
    response.writeHead(200);
    response.write("one ");
  };
  const abort = new AbortController();
  const reply = await post(abort.signal);
  let text = "";
  const reading = (async () => {
    for await (const bytes of reply) {
      text += bytes.toString();
      abort.abort(new Error("no longer wanted"));
    }
  })();
  await expect(reading).rejects.toThrow("no longer wanted");
  expect(text).toBe("one ");
  answer = (_request, response) => {
    response.writeHead(302, { location: "http://169.254.169.254/" });
    response.end();
  };
  await expect(post()).rejects.toMatchObject({ name: "EgressError" });
  await expect(
    pool.post({ url: new URL("http://other.test/"), headers: {}, body: "", signal: never }),
  ).rejects.toThrow("are allowed here");
});

it("hands over a paced reply in batches, but its first piece at once", async () => {
  let sendRest: () => void;
  answer = (_request, response) => {
    let count = 1;
    response.write("1 ");
    sendRest = () => {
      const timer = setInterval(() => {
        response.write(`${(count += 1)} `);
        if (count < 50) return;
        clearInterval(timer);
        response.end();
      }, 5);
    };
  };
  const pieces: string[] = [];
  const reply = await post();
  const started = performance.now();
  for await (const bytes of reply) {
    reply.pace(100);
    if (pieces.push(bytes.toString()) === 1) sendRest!();
  }
  expect(pieces[0]).toBe("1 ");
  // One per 100 ms, the first and the last; a slow machine takes longer to send them.
  expect(pieces.length).toBeLessThan((performance.now() - started) / 100 + 4);
  expect(pieces.join("").trim().split(" ")).toHaveLength(50);
});

it("keeps the connection of a paced reply, and hands over what came before it broke", async () => {
  answer = (_request, response) => {
    response.write("one ");
    setTimeout(() => response.end("two "), 20);
  };
  const unused = createProviderPool({ origin: url.origin });
  for (let call = 0; call < 3; call += 1) {
    const reply = await post(never, unused);
    let text = "";
    for await (const bytes of reply) {
      text += bytes.toString();
      reply.pace(120);
    }
    expect(text).toBe("one two ");
    for (let turn = 0; turn < 100; turn += 1) await nextTurn();
  }
  expect(sockets.size).toBe(1);

  answer = (_request, response) => {
    response.write("one ");
    setTimeout(() => response.write("two ", () => response.destroy()), 20);
  };
  const broken = await post(never, unused);
  let text = "";
  const reading = (async () => {
    for await (const bytes of broken) {
      text += bytes.toString();
      broken.pace(120);
    }
  })();
  await expect(reading).rejects.toBeInstanceOf(Error);
  expect(text).toBe("one two ");
});
