import {
  accessChanged,
  createShare,
  listShares,
  membersChanged,
  publicPrincipal,
  readShare,
  readShareAsUser,
  type WorkspaceScope,
} from "@carrel/contracts";
import { poll } from "@carrel/testing";
import { slugOf, startChat, user } from "../../test/chat-suite.ts";

const { chat } = await startChat("An answer.");

const share = async (scope: WorkspaceScope): Promise<string> => {
  await chat.ask(scope, "Why?");
  const { token } = await chat.request(
    createShare,
    { ...slugOf(scope), thread: null, audience: "anyone", expiresInDays: null },
    scope,
  );
  return token;
};
const linked = async (scope: WorkspaceScope): Promise<(string | undefined)[]> =>
  (await chat.request(listShares, {}, scope)).shares.map(({ workspace }) => workspace?.slug);

it("ends the links of people who can't use a workspace anymore, and no others", async () => {
  const removed = chat.as(chat.addWorkspace(), user(300));
  const stays = chat.as(removed, user(301));
  const elsewhere = chat.as(chat.addWorkspace(), user(300));
  for (const scope of [removed, stays, elsewhere]) await share(scope);
  chat.fixture.members.set(removed.workspace.id, new Set([301]));
  await chat.tell(membersChanged, {
    workspaceId: removed.workspace.id,
    userIds: [300, 301],
    // 301 was added again before this event arrived.
    excludedUserIds: [301, 300],
  });
  await poll(() => linked(removed)).toEqual([elsewhere.workspace.slug]);
  expect(await linked(stays)).toHaveLength(1);
});

it("ends the links of managers who become members, outside their workspaces", async () => {
  const own = chat.as(chat.addWorkspace(), user(310));
  const other = chat.as(chat.addWorkspace(), user(310, { role: "manager" }));
  const manager = chat.as(other, user(311, { role: "manager" }));
  for (const scope of [own, other, manager]) await share(scope);
  chat.fixture.members.set(other.workspace.id, new Set());
  chat.fixture.managers.add(311);
  await chat.tell(accessChanged, { userId: 311 });
  await chat.tell(accessChanged, { userId: 310 });
  await poll(() => linked(own)).toEqual([own.workspace.slug]);
  expect(await linked(manager)).toHaveLength(1);
});

it("doesn't open the links of suspended people, until the suspension is lifted", async () => {
  const owner = chat.as(chat.addWorkspace(), user(320));
  const token = await share(owner);
  const visitor = { ...owner, principal: publicPrincipal };
  const colleague = chat.as(owner, user(321));
  const open = [
    () => chat.request(readShare, { token }, visitor),
    () => chat.request(readShareAsUser, { token }, colleague),
  ];
  chat.fixture.suspended.add(320);
  for (const read of open) await expect(read()).rejects.toMatchObject({ code: "share.not-found" });
  chat.fixture.suspended.delete(320);
  for (const read of open) expect((await read()).turns).toHaveLength(1);
});
