import {
  exportChatRecords,
  listChatRecords,
  listWidgetSessions,
  servicePrincipal,
  type Args,
  type WorkspaceScope,
} from "@carrel/contracts";
import { describe, expect, it } from "@jest/globals";
import { key, user, type startChat } from "./chat-suite.ts";

const service = { principal: servicePrincipal, workspace: null } as unknown as WorkspaceScope;

/** Tests of what recorded chats can be limited to. */
export function describeRecordFilters({
  chat,
  sql,
}: Pick<Awaited<ReturnType<typeof startChat>>, "chat" | "sql">): void {
  describe("filters of chat records", () => {
    const idsOf = async (filter: Partial<Args<typeof listChatRecords>>): Promise<number[]> =>
      (
        await chat.request(listChatRecords, { offset: 0, limit: 100, ...filter }, service)
      ).chats.map(({ id }) => id);
    it("limit them to a workspace, user, period, rating and words", async () => {
      const [one, other] = [chat.addWorkspace(), chat.addWorkspace()];
      const ada = await chat.ask(chat.as(one, user(60)), "Where is the Café?");
      const eva = await chat.ask(chat.as(other, user(61)), "When does it open?");
      const robot = await chat.ask(chat.as(other, key), "Is it open?");
      const all = [ada.chatId, eva.chatId, robot.chatId];
      await sql("UPDATE chat.turn SET feedback = true WHERE id = $1", [ada.chatId]);
      await sql("UPDATE chat.turn SET feedback = false WHERE id = $1", [eva.chatId]);
      await sql(
        "UPDATE chat.turn SET created_at = '2020-05-01T23:30:00Z' WHERE id = ANY($1::int[])",
        [all],
      );
      const period = { from: "2020-05-01", to: "2020-05-01" };
      const find = (filter: Partial<Args<typeof listChatRecords>>) =>
        idsOf({ ...period, ...filter });
      expect(await find({})).toEqual(all.toReversed());
      expect(await find({ workspaceId: other.workspace.id })).toEqual([robot.chatId, eva.chatId]);
      expect(await find({ userId: 60 })).toEqual([ada.chatId]);
      expect(await find({ userId: "none" })).toEqual([robot.chatId]);
      expect(await find({ rating: "good" })).toEqual([ada.chatId]);
      expect(await find({ rating: "bad" })).toEqual([eva.chatId]);
      expect(await find({ rating: "none" })).toEqual([robot.chatId]);
      expect(await find({ search: "cafe" })).toEqual([ada.chatId]);
      expect(await find({ search: "OPEN it" })).toEqual([robot.chatId, eva.chatId]);
      expect(await find({ search: "answ" })).toEqual(all.toReversed());
      expect(await find({ search: "' & | !" })).toEqual(all.toReversed());
      expect(await find({ timeZone: "Europe/Berlin" })).toEqual([]);
      expect(await find({ timeZone: "Europe/Berlin", to: "2020-05-02" })).toHaveLength(3);
      expect(await find({ chatType: "embed" })).toEqual([]);
    });

    it("are paged by cursor, whatever is asked or deleted meanwhile", async () => {
      const scope = chat.as(chat.addWorkspace(), key);
      const asked: number[] = [];
      for (const question of ["One?", "Two?", "Three?"])
        asked.unshift((await chat.ask(scope, question)).chatId!);
      const list = (input: object) =>
        chat.request(
          listChatRecords,
          { offset: 0, limit: 2, workspaceId: scope.workspace.id, ...input },
          service,
        );
      const first = await list({});
      await sql("DELETE FROM chat.turn WHERE id = $1", [asked[0]]);
      await chat.ask(scope, "Four?");
      const rest = await list({ cursor: first.nextCursor! });
      expect([first, rest].map(({ chats }) => chats.map(({ id }) => id))).toEqual([
        asked.slice(0, 2),
        asked.slice(2),
      ]);
      expect(rest).toMatchObject({ nextCursor: null, total: 3 });
      await expect(list({ cursor: "nonsense" })).rejects.toMatchObject({
        code: "request.cursor-invalid",
      });
    });

    it("page a widget's sessions by cursor", async () => {
      const { workspace } = chat.addWorkspace();
      await sql(
        `WITH made AS (
          INSERT INTO chat.thread (slug, workspace_id, name, channel, session_id, widget_id)
          SELECT NULL, $1, 'Thread', 'widget', 'session-' || n, 77 FROM generate_series(1, 51) n
          RETURNING id
        )
        INSERT INTO chat.turn (thread_id, workspace_id, question, answer, state)
        SELECT id, $1, 'Asked?', 'Yes.', 'done' FROM made`,
        [workspace.id],
      );
      const list = (cursor?: string) =>
        chat.request(
          listWidgetSessions,
          { id: 77, ...(cursor === undefined ? {} : { cursor }) },
          service,
        );
      const first = await list();
      const rest = await list(first.nextCursor!);
      expect([first.sessions.length, rest.sessions.length, rest.nextCursor]).toEqual([50, 1, null]);
      const ids = [...first.sessions, ...rest.sessions].map(({ session_id }) => session_id);
      expect(new Set(ids).size).toBe(51);
      await expect(list("nonsense")).rejects.toMatchObject({ code: "request.cursor-invalid" });
      await sql("DELETE FROM chat.thread WHERE widget_id = 77");
    });

    it("keep widgets apart", async () => {
      const scope = chat.as(chat.addWorkspace(), key);
      const eva = { id: 1, host: null, address: null, username: "Eva", isVerified: true };
      const visitor = { kind: "widget", userId: null, role: "none", widget: eva } as const;
      const asked = [
        await chat.ask(scope, "By a program?", {
          conversation: { channel: "api", sessionId: "s" },
        }),
        await chat.ask(chat.as(scope, visitor), "By a visitor?", {
          conversation: { channel: "widget", sessionId: "v", widgetId: 1 },
        }),
      ];
      const filter = { offset: 0, limit: 5, workspaceId: scope.workspace.id };
      // A restricted key sees only its workspaces.
      for (const [workspaceIds, total] of [
        [[scope.workspace.id], 1],
        [[], 0],
      ] as const) {
        const restricted = { ...scope, principal: { ...key, workspaceIds: [...workspaceIds] } };
        expect((await chat.request(listChatRecords, filter, restricted)).total).toBe(total);
        const exported = { type: "json", after: null } as const;
        expect((await chat.request(exportChatRecords, exported, restricted)).records).toHaveLength(
          total,
        );
      }
      for (const [index, chatType, api_session_id] of [
        [0, "workspace", "s"],
        [1, "embed", null],
      ] as const)
        expect(
          (await chat.request(listChatRecords, { ...filter, chatType }, service)).chats,
        ).toMatchObject([{ id: asked[index]!.chatId, api_session_id }]);
      for (const [chatType, named] of [
        ["workspace", null],
        ["embed", { name: "Eva", isVerified: true }],
      ] as const) {
        const exported = { type: "csv", after: null, workspaceId: scope.workspace.id } as const;
        expect(
          (await chat.request(exportChatRecords, { ...exported, chatType }, service)).records,
        ).toMatchObject([{ visitor: named }]);
      }
      const { sessions } = await chat.request(listWidgetSessions, { id: 1 }, service);
      expect(sessions).toMatchObject([{ username: "Eva", verified: true }]);
    });
  });
}
