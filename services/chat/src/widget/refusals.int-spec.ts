import {
  getWidgetUsage,
  listWidgetSessions,
  readHistory,
  readWidgetChats,
  servicePrincipal,
  type Conversation,
} from "@carrel/contracts";
import { startChat, user } from "../../test/chat-suite.ts";
import { CitationAccess } from "../turn/citation-access.ts";
import { WidgetChatRepository } from "./widget-chat.repository.ts";
import { RefusalReconciler } from "./widget.module.ts";

const { chat, count, database, sql } = await startChat("It runs at 48 °C.");
const widgetId = 84;

// wire-contract 8.3: refusals of widgets, "neither stored".
it("keeps no question that a widget refused", async () => {
  const scope = chat.addWorkspace();
  const visitor = chat.as(scope, {
    kind: "widget",
    userId: null,
    role: "none",
    widget: { id: widgetId, host: null, address: null, username: null },
  });
  const conversation: Conversation = { channel: "widget", sessionId: "a", widgetId };
  await chat.ask(visitor, "How warm is the pump?", { conversation, mode: "chat" });
  await chat.ask(visitor, "Who won the chess final?", { conversation, mode: "query" });
  await chat.ask(visitor, "Who lost it?", {
    conversation: { ...conversation, sessionId: "b" },
    mode: "query",
  });
  const turns = "turn WHERE refused AND workspace_id = $1";
  const workspace = [scope.workspace.id];
  expect(await count(turns, workspace)).toBe(2);

  const own = { principal: servicePrincipal, workspace: null };
  const admin = chat.as(scope, user(1, { role: "admin" }));
  const listed = await chat.request(readWidgetChats, { widgetId, limit: 10 }, own as never);
  expect(listed).toMatchObject({ total: 1, chats: [{ prompt: "How warm is the pump?" }] });
  const { sessions } = await chat.request(listWidgetSessions, { id: widgetId }, admin);
  expect(sessions).toMatchObject([{ session_id: "a", chats: 1 }]);
  const { page } = await chat.request(readHistory, { thread: null, conversation }, visitor);
  expect(JSON.parse(`[${page!.items}]`)).toHaveLength(2);
  const today = new Date().toISOString().slice(0, 10);
  const { totals } = await chat.request(
    getWidgetUsage,
    { id: widgetId, from: today, to: today },
    admin,
  );
  expect(totals).toMatchObject({ chats: 1, visitors: 1 });

  // Until then, a page that lost its connection comes back for the answer.
  const reconciler = new RefusalReconciler(
    new WidgetChatRepository(database, new CitationAccess(chat.shared.messaging.client)),
  );
  await reconciler.due();
  expect(await count(turns, workspace)).toBe(2);
  await sql(
    "UPDATE chat.turn SET created_at = now() - interval '61 minutes' WHERE workspace_id = $1",
    [...workspace],
  );
  await reconciler.due();
  expect(await count("turn WHERE workspace_id = $1", workspace)).toBe(1);
});
