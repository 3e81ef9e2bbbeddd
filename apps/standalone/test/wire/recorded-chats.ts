import { setTimeout as sleep } from "node:timers/promises";
import {
  deleteRecordedChats,
  exportChatRecords,
  findThreadOwner,
  findUsers,
  findWorkspaces,
  listChatRecords,
  readAllTurns,
  readChatRecordText,
  readSystemPrompt,
  startGeneration,
  type ExportedRecord,
  type In,
} from "@carrel/contracts";
import { describe, expect, it } from "@jest/globals";
import { people, type GatewayInstance } from "./gateway-instance.ts";

const at = "2026-11-21T00:00:00.000Z";
const chat = {
  id: 9,
  workspaceId: 3,
  prompt: "Q",
  response: "{}",
  include: true,
  user_id: 5,
  thread_id: null,
  api_session_id: null,
  createdAt: at,
  lastUpdatedAt: at,
  feedbackScore: null,
};
const record: ExportedRecord = {
  id: 1,
  workspaceId: 3,
  userId: 5,
  sessionId: null,
  sentAt: at,
  rating: null,
  question: "Q",
  answer: "A",
  sources: [],
  long: [],
  images: [],
};

/**
 * Recorded chats (wire-contract 2.5 and 9), on an instance that shows them and one that doesn't.
 */
export const recordedChats = (
  instances: () => { instance: GatewayInstance; hidden: GatewayInstance },
): void =>
  describe("recorded chats", () => {
    const answerNames = (one: GatewayInstance): void => {
      one.workspace.answer(findWorkspaces, { workspaces: [{ id: 3, name: "W3", slug: "w3" }] });
      one.auth.answer(findUsers, { users: [{ id: 5, username: "eva", role: "default" }] });
    };
    const call = (method: string, path: string, bearer = "key", body?: unknown) =>
      instances().instance.call(method, `/api${path}`, {
        bearer,
        ...(body === undefined ? {} : { body }),
      });

    it("are listed with the names that still exist", async () => {
      const { instance } = instances();
      const chats = [
        chat,
        { ...chat, id: 8, workspaceId: 77, user_id: 66 },
        { ...chat, id: 7, user_id: null, api_session_id: "s" },
        { ...chat, id: 6, user_id: null },
      ];
      instance.chat.answer(listChatRecords, { chats, total: 24, nextCursor: "next" });
      answerNames(instance);
      const { chats: shown, ...rest } = (
        await call("POST", "/v1/admin/workspace-chats", "key", { offset: 0 })
      ).json as { chats: { workspace: object; user: { username: string } }[] };
      expect(shown.map(({ workspace, user: { username } }) => [workspace, username])).toEqual([
        [{ name: "W3", slug: "w3" }, "eva"],
        [{ name: "deleted workspace", slug: null }, "unknown user"],
        [{ name: "W3", slug: "w3" }, "API"],
        [{ name: "W3", slug: "w3" }, "unknown user"],
      ]);
      expect(rest).toEqual({ hasPages: true, nextCursor: "next" });
      instance.chat.answer(listChatRecords, { chats: [], total: 24, nextCursor: null });
      expect(
        (await call("POST", "/v1/admin/workspace-chats", "key", { offset: "1", cursor: "next" }))
          .json,
      ).toEqual({ chats: [], hasPages: false, nextCursor: null });
      expect(instance.chat.last(listChatRecords)!.input).toMatchObject({
        ...{ offset: 1, limit: 20, cursor: "next" },
      });
      expect(instance.auth.last(findUsers)!.input).toEqual({ ids: [5, 66] });
    });

    it("are filtered for managers", async () => {
      const { instance } = instances();
      const filter = {
        chatType: "workspace",
        workspaceId: 3,
        userId: 5,
        from: "2026-11-01",
        to: "2026-11-30",
        timeZone: "Europe/Berlin",
        rating: "bad",
        search: "heat",
      };
      const list = (body: unknown, bearer = "manager") =>
        call("POST", "/system/workspace-chats", bearer, body);
      expect((await list({ ...filter, limit: "5" })).json).toMatchObject({ totalChats: 24 });
      expect(instance.chat.last(listChatRecords)!.input).toEqual({
        ...filter,
        offset: 0,
        limit: 5,
      });
      expect((await list({ limit: 10_000 })).status).toBe(200);
      expect(instance.chat.last(listChatRecords)!.input).toMatchObject({ limit: 20 });
      for (const wrong of [{ from: "yesterday" }, { timeZone: "Mars" }, { workspaceId: "x" }])
        expect((await list(wrong)).status).toBe(400);
      instance.chat.answer(deleteRecordedChats, { success: true, error: null });
      const removed = await call("DELETE", "/system/workspace-chats/-1?rating=bad", "manager");
      expect(removed.json).toEqual({ success: true, error: null });
      expect(instance.chat.last(deleteRecordedChats)).toMatchObject({
        input: { id: -1, rating: "bad", chatType: "workspace" },
        context: { scope: { principal: people.manager } },
      });
      expect((await call("DELETE", "/system/workspace-chats/x", "manager")).status).toBe(400);
      for (const id of ["0", "-2"])
        expect((await call("DELETE", `/system/workspace-chats/${id}`, "manager")).status).toBe(400);
    });

    it("are exported whole, page by page", async () => {
      const { instance } = instances();
      answerNames(instance);
      instance.chat
        .answer(exportChatRecords, (({ after }: In<typeof exportChatRecords>) =>
          after === null
            ? {
                records: [{ ...record, answer: "", long: ["answer"] }],
                next: { workspaceId: 3, id: 1 },
              }
            : {
                records: [
                  { ...record, id: 2, images: [{ mime: "image/png", blobKey: null, index: 1 }] },
                ],
                next: null,
              }) as never)
        .answer(readChatRecordText, (({ text, from }: In<typeof readChatRecordText>) =>
          text === "answer"
            ? { part: from === 0 ? "long " : "text", next: from === 0 ? 5 : null }
            : { part: "data:image/png;base64,AAAA", next: null }) as never)
        .answer(readSystemPrompt, { prompt: "Be brief." });
      const json = await call("GET", "/v1/system/export-chats?type=json&rating=good");
      expect(json.headers["content-type"]).toBe("application/json; charset=utf-8");
      expect(JSON.parse(json.text)).toMatchObject([
        { id: 1, response: "long text", workspace: "W3", username: "eva", attachments: [] },
        { id: 2, attachments: [{ type: "image", image: "data:image/png;base64,AAAA" }] },
      ]);
      expect(instance.chat.last(exportChatRecords)!.input).toMatchObject({
        type: "json",
        rating: "good",
        after: { workspaceId: 3, id: 1 },
      });
      const jsonl = await call("GET", "/system/export-chats", "manager");
      expect(jsonl.headers["content-type"]).toBe("application/jsonl; charset=utf-8");
      expect(JSON.parse(jsonl.text)).toMatchObject({
        messages: [{ content: [{ text: "Be brief." }] }, {}, {}, {}, {}],
      });
      for (const [bearer, path] of [
        ["manager", "/system/export-chats"],
        ["key", "/v1/system/export-chats"],
      ] as const)
        for (const query of ["type=xml", "chatType=other", "from=x"])
          expect(await call("GET", `${path}?${query}`, bearer)).toMatchObject({
            status: 400,
            json: { message: expect.any(String) },
          });
    });

    it("are read only as fast as the client reads the export", async () => {
      const { instance } = instances();
      const records = Array.from({ length: 50 }, () => ({ ...record, answer: "x".repeat(10_000) }));
      let pages = 0;
      instance.chat.answer(exportChatRecords, (() => {
        pages += 1;
        return { records, next: { workspaceId: 3, id: 1 } };
      }) as never);
      const abort = new AbortController();
      const response = await fetch(`${instance.url}/api/v1/system/export-chats?type=csv`, {
        headers: { authorization: "Bearer key" },
        signal: abort.signal,
      });
      const reader = response.body!.getReader();
      await reader.read();
      // The export is endless: without backpressure, hundreds of pages would be read.
      await sleep(1_000);
      expect(pages).toBeLessThan(50);
      for (const before = pages; pages === before;) await reader.read();
      abort.abort();
    });

    it("are hidden from everyone with DISABLE_VIEW_CHAT_HISTORY", async () => {
      const { instance, hidden } = instances();
      for (const { chat: service } of [instance, hidden])
        service
          .answer(findThreadOwner, { userId: 5 })
          .answer(readAllTurns, { items: "", count: 0, next: null, hasImages: false });
      const thread = "/v1/workspace/w3/thread/a-thread";
      expect((await instance.call("GET", `/api${thread}/chats`, { bearer: "key" })).status).toBe(
        200,
      );
      for (const [method, path, bearer, body] of [
        ["POST", "/system/workspace-chats", "admin", {}],
        ["DELETE", "/system/workspace-chats/-1", "admin"],
        ["GET", "/system/export-chats", "admin"],
        ["POST", "/v1/admin/workspace-chats", "key", {}],
        ["GET", "/v1/system/export-chats", "key"],
        ["GET", `${thread}/chats`, "key"],
        ["POST", `${thread}/chat`, "key", { message: "What did we say?" }],
        ["POST", `${thread}/stream-chat`, "key", { message: "What did we say?" }],
      ] as const)
        expect(
          await hidden.call(method, `/api${path}`, { bearer, ...(body ? { body } : {}) }),
        ).toMatchObject({
          status: 422,
          text: "This feature has been disabled by the administrator.",
        });
      expect(hidden.chat.last(startGeneration)).toBeUndefined();
      // What programs asked on their own behalf stays visible to them.
      for (const [{ call, chat: service }, ownerless] of [
        [instance, false],
        [hidden, true],
      ] as const) {
        await call("GET", "/api/v1/workspace/w3/chats", { bearer: "key" });
        expect(service.last(readAllTurns)!.input).toMatchObject({ ownerless });
      }
    });
  });
