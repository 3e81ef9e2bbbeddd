import { createHmac, randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import {
  answerFinished,
  createWebhook,
  createWorkspace,
  deleteWebhook,
  documentFinished,
  listDeliveries,
  listEvents,
  listWebhooks,
  replayDelivery,
  rotateWebhookSecret,
  testWebhook,
  updateWebhook,
  type Args,
  type EventPayload,
  type Out,
  syncStopped,
} from "@carrel/contracts";
import { poll } from "@carrel/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import { Webhook } from "standardwebhooks";
import {
  instance,
  person,
  scopeOf,
  startWorkspaceInstance,
  type WorkspaceInstance,
} from "./workspace-instance.ts";

const admin = instance;
let carrel: WorkspaceInstance;
let request: WorkspaceInstance["request"];
let receiver: Server;
let url: string;
let received: { path: string; headers: IncomingHttpHeaders; body: string }[];
/** What the receiver answers next; after that, 204 again. */
let answers: number[];
let [first, second] = [0, 0];

beforeAll(async () => {
  receiver = createServer((incoming, reply) => {
    const chunks: Buffer[] = [];
    incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
    incoming.on("end", () => {
      const body = Buffer.concat(chunks).toString();
      received.push({ path: incoming.url ?? "", headers: incoming.headers, body });
      const status = answers.shift() ?? 204;
      reply.writeHead(status, { location: "/elsewhere" }).end(status === 204 ? "" : "Not today.\0");
    });
  }).listen(0, "127.0.0.1");
  await once(receiver, "listening");
  url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook?token=s3cret`;
  carrel = await startWorkspaceInstance();
  request = carrel.request;
  const created = await Promise.all(
    ["One", "Two"].map((name) => request(createWorkspace, { name }, admin)),
  );
  [first, second] = created.map(({ workspace }) => workspace!.id) as [number, number];
});
afterAll(async () => {
  receiver.close().closeAllConnections();
  await carrel.stop();
});
beforeEach(async () => {
  [received, answers] = [[], []];
  await carrel.sql.query("DELETE FROM workspace.webhook");
});

const create = (fields: Partial<Args<typeof createWebhook>> = {}) =>
  request(createWebhook, { url, events: ["answer.finished"], ...fields }, admin);
const answer = (workspaceId: number): EventPayload<typeof answerFinished> => ({
  id: randomUUID(),
  workspaceId,
  chatId: 7,
  threadSlug: null,
  userId: null,
  state: "done",
  at: "2026-01-01T12:00:00.000Z",
});
const deliveriesOf = async (
  id: number,
  page: Partial<Args<typeof listDeliveries>> = {},
): Promise<Out<typeof listDeliveries>> => request(listDeliveries, { id, ...page }, admin);

describe("webhooks", () => {
  it("store address and secret encrypted; only creating and rotating shows the secret", async () => {
    const { webhook, secret } = await create({ description: " Build server " });
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(webhook).toMatchObject({
      url,
      description: "Build server",
      events: ["answer.finished"],
      workspaceIds: null,
      enabled: true,
      lastDelivery: null,
    });
    expect((await request(listWebhooks, {}, admin)).webhooks).toEqual([webhook]);
    const rotated = await request(rotateWebhookSecret, { id: webhook.id }, admin);
    expect(rotated.secret).not.toBe(secret);
    const stored = JSON.stringify(await carrel.sql.query("SELECT * FROM workspace.webhook"));
    for (const text of ["s3cret", secret.slice(6, 30), rotated.secret.slice(6, 30)])
      expect(stored).not.toContain(text);
    const { logs } = await request(listEvents, { limit: 2 }, admin);
    expect(logs.map(({ event }) => event)).toEqual(["webhook_secret_rotated", "webhook_created"]);
    expect(JSON.stringify(logs)).not.toContain("s3cret");
  });

  it("receive each event once, signed, from the workspaces they want", async () => {
    const { webhook, secret } = await create({ workspaceIds: [first] });
    const event = answer(first);
    for (const each of [answer(second), event, event]) await carrel.tell(answerFinished, each);
    await poll(async () => (await deliveriesOf(webhook.id)).deliveries).toMatchObject([
      { event: "answer.finished", state: "delivered", attempts: 1, status: 204, fault: null },
    ]);
    expect(received).toHaveLength(1);
    const { headers, body, path } = received[0]!;
    expect(path).toBe("/hook?token=s3cret");
    expect(new Webhook(secret).verify(body, headers as Record<string, string>)).toEqual({
      id: event.id,
      type: "answer.finished",
      timestamp: event.at,
      workspace: { id: first, slug: "one", name: "One" },
      data: { chatId: 7, threadSlug: null, userId: null, state: "done" },
    });
    // The same, without the library that signed it.
    const key = Buffer.from(secret.slice("whsec_".length), "base64");
    const signed = `${event.id}.${String(headers["webhook-timestamp"])}.${body}`;
    expect(headers["webhook-signature"]).toBe(
      `v1,${createHmac("sha256", key).update(signed).digest("base64")}`,
    );
    expect((await request(listWebhooks, {}, admin)).webhooks[0]!.lastDelivery?.state).toBe(
      "delivered",
    );
  });

  it("get ready and failed documents apart, with the reason as text", async () => {
    const { webhook } = await create({ events: ["document.failed"] });
    const document = {
      workspaceId: first,
      documentId: randomUUID(),
      title: "plan.pdf",
      docpath: "custom-documents/plan.json",
      at: "2026-01-01T12:00:00.000Z",
    };
    await carrel.tell(documentFinished, {
      ...document,
      id: randomUUID(),
      state: "ready",
      reason: null,
    });
    await carrel.tell(documentFinished, {
      ...document,
      id: randomUUID(),
      state: "failed",
      reason: JSON.stringify({ code: "webhook.not-found" }),
    });
    await poll(() => received.length).toBe(1);
    expect(JSON.parse(received[0]!.body)).toMatchObject({
      type: "document.failed",
      data: { title: "plan.pdf", error: "This webhook doesn't exist." },
    });
    expect((await deliveriesOf(webhook.id)).deliveries).toHaveLength(1);
  });

  it("get what live sync has given up", async () => {
    await create({ events: ["sync.stopped"] });
    await carrel.tell(syncStopped, {
      id: randomUUID(),
      workspaceId: first,
      documentId: randomUUID(),
      connectionId: null,
      title: "plan.html",
      isRemoved: false,
      fault: { code: "source.missing", params: { host: "plans.example" } },
      at: "2026-01-01T12:00:00.000Z",
    });
    await poll(() => received.length).toBe(1);
    expect(JSON.parse(received[0]!.body)).toMatchObject({
      type: "sync.stopped",
      data: {
        title: "plan.html",
        removed: false,
        error: "plans.example doesn't have this item.",
      },
    });
  });

  it("are asked again later after a failure, and at once when replayed", async () => {
    const { webhook } = await create();
    answers = [500];
    await carrel.tell(answerFinished, answer(first));
    await poll(async () => (await deliveriesOf(webhook.id)).deliveries).toMatchObject([
      {
        state: "pending",
        attempts: 1,
        status: 500,
        fault: { code: "webhook.refused", params: { status: 500 } },
        reply: "Not today.",
        nextAttemptAt: expect.any(String),
        finishedAt: null,
      },
    ]);
    const [delivery] = (await deliveriesOf(webhook.id)).deliveries;
    await request(replayDelivery, { id: webhook.id, deliveryId: delivery!.id }, admin);
    await poll(async () => (await deliveriesOf(webhook.id)).deliveries).toMatchObject([
      { id: delivery!.id, state: "delivered", attempts: 2, nextAttemptAt: null },
    ]);
    expect(received.map(({ body }) => body)).toEqual([delivery!.payload, delivery!.payload]);
    expect(received[1]!.headers["webhook-id"]).toBe(received[0]!.headers["webhook-id"]);
  });

  it.each([
    [410, { state: "failed", status: 410 }],
    [302, { state: "pending", status: null, fault: { code: "egress.redirected" } }],
  ])("after status %i", async (status, expected) => {
    const { webhook } = await create();
    answers = [status];
    await request(testWebhook, { id: webhook.id }, admin);
    await poll(async () => (await deliveriesOf(webhook.id)).deliveries).toMatchObject([
      { event: "webhook.test", attempts: 1, ...expected },
    ]);
    expect(received).toHaveLength(1);
  });

  it("get nothing while disabled or after deletion", async () => {
    const { webhook } = await create();
    const { id } = webhook;
    await request(updateWebhook, { id, url, events: ["answer.finished"], enabled: false }, admin);
    await carrel.tell(answerFinished, answer(first));
    await expect(request(testWebhook, { id }, admin)).rejects.toMatchObject({
      code: "webhook.disabled",
    });
    await request(deleteWebhook, { id }, admin);
    const calls = [
      () => request(deleteWebhook, { id }, admin),
      () => request(testWebhook, { id }, admin),
      () => request(listDeliveries, { id }, admin),
      () => request(rotateWebhookSecret, { id }, admin),
      () => request(updateWebhook, { id, url, events: ["answer.finished"] }, admin),
    ];
    for (const call of calls)
      await expect(call()).rejects.toMatchObject({ code: "webhook.not-found" });
    expect(received).toEqual([]);
  });

  it("list deliveries in pages, newest first", async () => {
    const { webhook } = await create();
    const { id } = webhook;
    for (const _ of [1, 2, 3]) await request(testWebhook, { id }, admin);
    await poll(async () => (await deliveriesOf(id, { state: "delivered" })).deliveries.length).toBe(
      3,
    );
    const page = await deliveriesOf(id, { limit: 2 });
    const rest = await deliveriesOf(id, { limit: 2, cursor: page.nextCursor! });
    expect([page.deliveries.length, rest.deliveries.length, rest.nextCursor]).toEqual([2, 1, null]);
    const all = [...page.deliveries, ...rest.deliveries];
    expect(new Set(all.map((each) => each.id)).size).toBe(3);
    expect(all.map((each) => each.createdAt)).toEqual(
      all
        .map((each) => each.createdAt)
        .toSorted()
        .reverse(),
    );
    const yearZero = ["0000-01-01T00:00:00Z", "00000000-0000-4000-8000-000000000000"];
    for (const cursor of ["nonsense", Buffer.from(JSON.stringify(yearZero)).toString("base64url")])
      await expect(deliveriesOf(id, { cursor })).rejects.toMatchObject({
        code: "request.cursor-invalid",
      });
  });

  it.each([
    ["http://user:pass@127.0.0.1/", "egress.credentials-in-address"],
    ["http://169.254.169.254/latest", "egress.metadata-address"],
  ])("refuse the address %s", async (address, code) => {
    await expect(create({ url: address })).rejects.toMatchObject({ code });
  });

  it("are for admins", async () => {
    await expect(request(listWebhooks, {}, scopeOf(person(2, "manager")))).rejects.toMatchObject({
      code: "access.forbidden",
    });
  });
});
