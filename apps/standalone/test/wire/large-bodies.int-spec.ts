import { connect } from "node:net";
import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import {
  CarrelError,
  findLocalFiles,
  moveLibraryFiles,
  registerDocument,
  removeDocuments,
  startGeneration,
} from "@carrel/contracts";
import { startGatewayInstance, type GatewayInstance } from "./gateway-instance.ts";

let instance: GatewayInstance;
beforeAll(async () => {
  instance = await startGatewayInstance();
  instance.chat.answer(startGeneration, {
    generationId: null,
    chatId: null,
    queued: false,
    frames: [],
  });
  instance.ingest
    .answer(findLocalFiles, { documents: [] })
    .answer(moveLibraryFiles, { moved: 0, held: 0, failed: 0 })
    .answer(removeDocuments, undefined)
    .answer(registerDocument, (() => {
      throw new CarrelError("request.queue-full");
    }) as never);
});
afterAll(() => instance?.stop());

/** Another thread's fetch, so that this one's CPU time is the gateway's alone. */
const sender = `
const { parentPort, workerData } = require("node:worker_threads");
const { url, method, headers, start, unit, count, end } = workerData;
const body = Buffer.concat([Buffer.from(start), Buffer.alloc(unit.length * count, unit), Buffer.from(end)]);
fetch(url, { method, headers, body }).then(
  async (response) => parentPort.postMessage({ status: response.status, text: await response.text() }),
  (error) => parentPort.postMessage({ status: 0, text: String(error.cause ?? error) }),
);
`;
interface Body {
  start: string;
  unit: string;
  count: number;
  end: string;
}

async function send(
  method: string,
  path: string,
  bearer: string | null,
  body: Body,
): Promise<{ status: number; text: string; longestMs: number; totalMs: number }> {
  const headers = bearer === null ? {} : { authorization: `Bearer ${bearer}` };
  const worker = new Worker(sender, {
    eval: true,
    execArgv: [],
    workerData: { url: `${instance.url}/api${path}`, method, headers, ...body },
  });
  // CPU time of each turn of the event loop: other processes can't make it longer.
  let longestMs = 0;
  let totalMs = 0;
  let before = process.threadCpuUsage();
  let isDone = false;
  const watch = (): void => {
    const { user, system } = process.threadCpuUsage(before);
    before = process.threadCpuUsage();
    longestMs = Math.max(longestMs, (user + system) / 1000);
    totalMs += (user + system) / 1000;
    if (!isDone) setImmediate(watch);
  };
  setImmediate(watch);
  const [reply] = (await once(worker, "message")) as [{ status: number; text: string }];
  isDone = true;
  await worker.terminate();
  return { ...reply, longestMs, totalMs };
}

const objects: Body = { start: '{"a":[{}', unit: ",{}", count: 16_000_000, end: "]}" };
const texts = (field: string, unit: string, megabytes: number): Body => ({
  start: `{"${field}":"`,
  unit,
  count: Math.floor((megabytes * 1_000_000) / unit.length),
  end: '"}',
});

describe("a body", () => {
  it.each([
    ["GET", "/workspace/w3/stream-chat", 405],
    ["POST", "/nothing-here", 404],
    ["POST", "/workspace/w3/stream-chat", 401],
    ["POST", "/v1/document/raw-text", 403],
    ["DELETE", "/system/remove-documents", 401],
  ])("is not read before the caller is admitted: %s %s", async (method, path, status) => {
    const socket = connect(Number(new URL(instance.url).port), "127.0.0.1");
    socket.write(
      `${method} /api${path} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 900000\r\n\r\n{`,
    );
    const [reply] = (await once(socket, "data")) as [Buffer];
    socket.destroy();
    expect(reply.toString()).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
  });

  it("of 48 MB from nobody costs no more than discarding it", async () => {
    const { status, longestMs } = await send("POST", "/workspace/w3/stream-chat", null, objects);
    expect(status).toBe(401);
    expect(longestMs).toBeLessThan(100);
  });

  it.each(["/request-token", "/system/recover-account", "/invite/abc"])(
    "for anyone is small: %s",
    async (path) => {
      const body = texts("username", "A", 0.033);
      expect((await send("POST", path, null, body)).status).toBe(413);
    },
  );

  const moves = { start: '{"files":[{"from":"a","to":"b"}', end: "]}" };
  const names = { start: '{"names":["a"', end: "]}" };
  it.each<[what: string, method: string, path: string, bearer: string, body: Body, status: number]>(
    [
      ["objects", "POST", "/workspace/w3/stream-chat", "anna", objects, 400],
      [
        "levels",
        "POST",
        "/workspace/w3/stream-chat",
        "anna",
        { ...objects, start: "[", unit: "[[[" },
        400,
      ],
      ["a text", "POST", "/workspace/w3/stream-chat", "anna", texts("message", "A", 48), 413],
      [
        "an escaped text",
        "POST",
        "/workspace/w3/stream-chat",
        "anna",
        texts("message", '\\"', 48),
        413,
      ],
      [
        "a picture",
        "POST",
        "/workspace/w3/stream-chat",
        "anna",
        {
          start:
            '{"message":"x","attachments":[{"name":"a","mime":"b","contentString":"data:image/png;base64,',
          unit: "A",
          count: 26_000_000,
          end: '"}]}',
        },
        200,
      ],
      [
        "a large picture",
        "POST",
        "/workspace/w3/stream-chat",
        "anna",
        {
          start:
            '{"message":"x","attachments":[{"name":"a","mime":"b","contentString":"data:image/png;base64,',
          unit: "A",
          count: 48_000_000,
          end: '"}]}',
        },
        413,
      ],
      [
        "moves",
        "POST",
        "/document/move-files",
        "manager",
        {
          ...moves,
          unit: ',{"from":"custom-documents/a.json","to":"other/a.json"}',
          count: 9_999,
        },
        200,
      ],
      [
        "invalid moves",
        "POST",
        "/document/move-files",
        "manager",
        { ...moves, unit: ",{}", count: 19_000 },
        400,
      ],
      [
        "names",
        "DELETE",
        "/system/remove-documents",
        "manager",
        { ...names, unit: ',"custom-documents/some-name.pdf-0b7d2c7e.json"', count: 49_999 },
        200,
      ],
      [
        "invalid names",
        "DELETE",
        "/system/remove-documents",
        "manager",
        { ...names, unit: ",1", count: 49_999 },
        400,
      ],
      [
        "a document's text",
        "POST",
        "/v1/document/raw-text",
        "key",
        {
          start: '{"metadata":{"title":"x"},"textContent":"',
          unit: "Some \\u00e9 text. ",
          count: 2_500_000,
          end: '"}',
        },
        503,
      ],
    ],
  )(
    "of a signed-in user holds nobody up: %s",
    async (_what, method, path, bearer, body, status) => {
      const answer = await send(method, path, bearer, body);
      expect([answer.status, answer.text]).toEqual([status, expect.anything()]);
      expect(answer.longestMs).toBeLessThan(100);
    },
  );
});
