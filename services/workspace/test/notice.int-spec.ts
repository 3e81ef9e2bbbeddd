import { randomUUID } from "node:crypto";
import {
  flowRunReported,
  listNotices,
  multiUserEnabled,
  readNotices,
  syncGivenUp,
  userDeleted,
  type EventPayload,
} from "@carrel/contracts";
import { waitFor } from "@carrel/testing";
import { expect, it } from "@jest/globals";
import { apiKey, instance, person, startWorkspaceInstance } from "./workspace-instance.ts";
import { as, member, startWorkspaceSuite, stranger } from "./workspace-suite.ts";

const { carrel, current, request } = await startWorkspaceSuite();

const givenUp = (
  userId: number | null,
  more: Partial<EventPayload<typeof syncGivenUp>> = {},
): EventPayload<typeof syncGivenUp> => ({
  id: randomUUID(),
  userId,
  workspaceId: null,
  documentId: randomUUID(),
  connectionId: null,
  title: "a.html",
  isRemoved: false,
  fault: { code: "source.missing", params: { host: "a.example" } },
  at: new Date().toISOString(),
  ...more,
});

it("are a person's own, stored once, and marked as read", async () => {
  const { slug, id: workspaceId } = current();
  const userId = member.userId!;
  const first = givenUp(userId, { workspaceId, at: "2026-11-20T10:00:00.000Z" });
  const second = givenUp(userId, { title: null, isRemoved: true });
  for (const event of [first, first, second, givenUp(stranger.userId)])
    await carrel.tell(syncGivenUp, event);
  const list = (principal = member) => request(listNotices, {}, as(principal));
  await waitFor(async () => (await list()).unread === 2);
  await waitFor(async () => (await list(stranger)).unread === 1);
  expect((await list()).notices).toMatchObject([
    { id: second.id, kind: "sync.removed", title: null, workspaceSlug: null, readAt: null },
    {
      id: first.id,
      kind: "sync.stopped",
      title: "a.html",
      fault: first.fault,
      workspaceSlug: slug,
      documentId: first.documentId,
    },
  ]);
  // Another person's ids change nothing.
  await request(readNotices, { ids: [first.id] }, as(stranger));
  expect((await list()).unread).toBe(2);
  await request(readNotices, { ids: [first.id] }, as(member));
  expect((await list()).notices.map(({ readAt }) => readAt !== null)).toEqual([false, true]);
  await request(readNotices, {}, as(member));
  expect((await list()).unread).toBe(0);
  expect((await list(stranger)).unread).toBe(1);
  await expect(request(listNotices, {}, as(apiKey))).rejects.toMatchObject({ kind: "FORBIDDEN" });
});

it("about a run lead to it, and replace unread ones about the same flow", async () => {
  const [id, runId, flowId] = [randomUUID(), randomUUID(), randomUUID()];
  const fault = { code: "flow.approval-missing", params: { block: "Approval" } };
  const userId = stranger.userId!;
  const at = new Date().toISOString();
  const event = { runId, flowId, userId, workspaceId: null, title: "Orders", at };
  const tell = (part: { id: string; kind: "flow.denied" | "flow.failed"; fault: typeof fault }) =>
    carrel.tell(flowRunReported, { ...event, ...part });
  const first = randomUUID();
  await tell({ id: first, kind: "flow.failed", fault });
  const list = async () => (await request(listNotices, {}, as(stranger))).notices;
  const has = async (one: string) => (await list()).some((notice) => notice.id === one);
  await waitFor(() => has(first));
  await tell({ id, kind: "flow.denied", fault });
  await waitFor(() => has(id));
  expect(await has(first)).toBe(false);
  expect((await list())[0]).toMatchObject({
    kind: "flow.denied",
    title: "Orders",
    flowRunId: runId,
  });
});

it("go to the first admin, and are deleted with the person", async () => {
  const own = await startWorkspaceInstance();
  try {
    await own.tell(syncGivenUp, givenUp(null, { at: "2026-11-20T10:00:00.000Z" }));
    await waitFor(async () => (await own.request(listNotices, {}, instance)).unread === 1);
    await own.tell(multiUserEnabled, { adminId: 41, at: new Date().toISOString() });
    const admin = as(person(41, "admin"));
    await waitFor(async () => (await own.request(listNotices, {}, admin)).unread === 1);
    await own.tell(userDeleted, { userId: 41 });
    await waitFor(async () => (await own.request(listNotices, {}, admin)).notices.length === 0);
  } finally {
    await own.stop();
  }
});
