import { once } from "node:events";
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { poll } from "@carrel/testing";
import { Webhook } from "standardwebhooks";
import { startSchedules } from "../../test/schedules.ts";

const received: { path: string; headers: IncomingHttpHeaders; body: string }[] = [];
/** What the receiver answers next; after that, 204 again. */
const answers: number[] = [];
const receiver = createServer((incoming, reply) => {
  const chunks: Buffer[] = [];
  incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
  incoming.on("end", () => {
    const body = Buffer.concat(chunks).toString();
    received.push({ path: incoming.url ?? "", headers: incoming.headers, body });
    reply.writeHead(answers.shift() ?? 204, { location: "/elsewhere" }).end();
  });
}).listen(0, "127.0.0.1");
await once(receiver, "listening");
const { port } = receiver.address() as AddressInfo;
const url = `http://localhost:${port}/hook?token=s3cret`;

const suite = await startSchedules("High tide at noon.", { CARREL_LINK_ALLOW: "localhost" });
const { chat, create, makeDue, waitForRuns, listRuns, count } = suite;
afterAll(() => receiver.close());
beforeEach(() => {
  received.length = 0;
});

it("gets each result, signed, and no thread is kept if its owner wants none", async () => {
  const scope = chat.addWorkspace();
  const { schedule, secret } = await create(scope, { delivery: { thread: "none", webhook: url } });
  // A receiver that is away for a moment gets it later.
  answers.push(503);
  await makeDue(schedule.id);
  const [run] = await waitForRuns(scope, schedule.id);
  const delivered = await waitForDelivery(scope, schedule.id, "delivered");
  expect(delivered).toEqual({ state: "delivered", status: 204, attempts: 2, fault: null });
  expect(received).toHaveLength(2);
  const [{ path, headers, body }] = received as [(typeof received)[number]];
  expect(path).toBe("/hook?token=s3cret");
  expect(headers["webhook-id"]).toBe(run!.id);
  expect(new Webhook(secret!).verify(body, headers as Record<string, string>)).toEqual({
    id: run!.id,
    type: "schedule.result",
    timestamp: expect.any(String),
    workspace: { id: scope.workspace.id, slug: scope.workspace.slug },
    data: {
      schedule: { id: schedule.id, name: "Morning brief" },
      dueAt: run!.dueAt,
      threadSlug: null,
      text: "High tide at noon.",
      deniedCalls: 0,
    },
  });
  expect(await count("chat.thread WHERE workspace_id = $1", [scope.workspace.id])).toBe(0);
});

it.each([
  ["a redirect", 302, { code: "webhook.refused", params: { status: 302 } }],
  ["410", 410, { code: "webhook.refused", params: { status: 410 } }],
])("follows no redirect, and gives up at once after 410: %s", async (_, status, fault) => {
  const scope = chat.addWorkspace();
  const { schedule } = await create(scope, { delivery: { webhook: url } });
  answers.push(status);
  await makeDue(schedule.id);
  await waitForRuns(scope, schedule.id);
  if (status === 410)
    expect(await waitForDelivery(scope, schedule.id, "failed")).toEqual({
      state: "failed",
      status,
      attempts: 1,
      fault,
    });
  else {
    await waitForDelivery(scope, schedule.id, "delivered");
    expect(received.map(({ path }) => path)).toEqual(Array(2).fill("/hook?token=s3cret"));
  }
});

it("never reaches addresses inside the network", async () => {
  const scope = chat.addWorkspace();
  const webhook = `http://127.0.0.1:${port}/hook`;
  const { schedule } = await create(scope, { delivery: { webhook } });
  await makeDue(schedule.id);
  await waitForRuns(scope, schedule.id);
  expect(await waitForDelivery(scope, schedule.id, "failed")).toMatchObject({
    status: null,
    attempts: 1,
    fault: { code: expect.stringMatching(/^egress\./) },
  });
  expect(received).toEqual([]);
});

async function waitForDelivery(
  scope: Parameters<typeof listRuns>[0],
  id: string,
  state: string,
): Promise<unknown> {
  await poll(async () => (await listRuns(scope, id))[0]!.webhook?.state, {
    timeoutMs: 40_000,
  }).toBe(state);
  return (await listRuns(scope, id))[0]!.webhook;
}
