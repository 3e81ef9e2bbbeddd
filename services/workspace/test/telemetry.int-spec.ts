import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { createWorkspace, getSettings, getTelemetry, updateSettings } from "@carrel/contracts";
import { poll } from "@carrel/testing";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import {
  instance,
  service,
  startWorkspaceInstance,
  type WorkspaceInstance,
} from "./workspace-instance.ts";

let carrel: WorkspaceInstance;
let request: WorkspaceInstance["request"];
let collector: Server;
const received: unknown[] = [];

beforeAll(async () => {
  collector = createServer((incoming, reply) => {
    const chunks: Buffer[] = [];
    incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
    incoming.on("end", () => {
      received.push(JSON.parse(Buffer.concat(chunks).toString()) as unknown);
      reply.writeHead(204).end();
    });
  }).listen(0, "127.0.0.1");
  await once(collector, "listening");
  carrel = await startWorkspaceInstance({
    CARREL_TELEMETRY_URL: `http://127.0.0.1:${(collector.address() as AddressInfo).port}/`,
  });
  request = carrel.request;
});
afterAll(async () => {
  collector.close().closeAllConnections();
  await carrel.stop();
});

describe("telemetry", () => {
  const turn = (off: string) =>
    request(updateSettings, { values: { DisableTelemetry: off } }, instance);
  const setting = async () => (await request(getSettings, {}, service)).settings.DisableTelemetry;
  const due = () =>
    carrel.sql.query(
      "UPDATE workspace.preference SET updated_at = now() - interval '25 hours' WHERE label = 'telemetry_report'",
    );

  it("is off until an admin turns it on, then reports what it shows, from one replica", async () => {
    await request(createWorkspace, { name: "One" }, instance);
    expect(await setting()).toBe("true");
    const { report } = await request(getTelemetry, {}, instance);
    expect(report).toEqual({
      instance: null,
      mode: "single-user",
      languageProvider: "extractive",
      embedder: "native",
      vectorStore: "lancedb",
      workspaces: 1,
    });
    expect(received).toEqual([]);
    expect(await turn("false")).toMatchObject({ fault: null });
    expect(await setting()).toBe("false");
    await poll(() => received).toHaveLength(1);
    const shown = (await request(getTelemetry, {}, instance)).report;
    expect(shown).toEqual({ ...report, instance: expect.stringMatching(/^[\da-f-]{36}$/) });
    expect(received).toEqual([shown]);
    // A day later, once more.
    await due();
    await poll(() => received).toEqual([shown, shown]);
  });

  it("takes no other values", async () => {
    expect(await turn("maybe")).toMatchObject({ fault: { code: "setting.option-unknown" } });
    expect(await setting()).toBe("false");
  });
});
