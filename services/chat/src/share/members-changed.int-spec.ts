import { createShare, listShares, membersChanged } from "@carrel/contracts";
import { eventually } from "@carrel/testing";
import { slugOf, startChat, user } from "../../test/chat-suite.ts";

const { chat } = await startChat("An answer.");

it("ends the links of someone who was removed from a workspace, and no others", async () => {
  const removed = chat.as(chat.addWorkspace(), user(300));
  const stays = chat.as(removed, user(301));
  const elsewhere = chat.as(chat.addWorkspace(), user(300));
  for (const scope of [removed, stays, elsewhere]) {
    await chat.ask(scope, "Why?");
    await chat.request(
      createShare,
      { ...slugOf(scope), thread: null, audience: "anyone", expiresInDays: null },
      scope,
    );
  }
  await chat.tell(membersChanged, {
    workspaceId: removed.workspace.id,
    userIds: [300, 301],
    excludedUserIds: [300],
  });
  await eventually(async () =>
    expect((await chat.request(listShares, {}, removed)).shares).toMatchObject([
      { workspace: { slug: elsewhere.workspace.slug } },
    ]),
  );
  expect((await chat.request(listShares, {}, stays)).shares).toHaveLength(1);
});
