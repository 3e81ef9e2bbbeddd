import { randomUUID } from "node:crypto";
import type { WidgetChatWire, WidgetWire } from "@carrel/contracts";
import { isThorough, poll, type Instance } from "@carrel/testing";
import { beforeAll, describe, expect, it } from "@jest/globals";
import { Api, parseFrames } from "../api.ts";

const site = "https://shop.example";
const fact = "The harbour pump runs at 48 degrees.";
const script = "<script>alert(document.cookie)</script>";
interface Session {
  sessionId: string;
  token: string;
}

/** A visitor's page, which sends JSON as text without credentials, like existing scripts. */
function visit(url: string, uuid: string, origin: string | null = site) {
  return (method: string, path: string, body?: unknown, token?: string): Promise<Response> =>
    fetch(`${url}/api/embed/${uuid}/${path}`, {
      method,
      headers: {
        ...(origin === null ? {} : { origin }),
        ...(token === undefined ? {} : { "carrel-visitor": token }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
}

export function testWidgets(instance: () => Instance): void {
  describe("chat widgets on other sites", () => {
    let api: Api;
    let slug: string;
    const create = async (fields: object = {}): Promise<WidgetWire> =>
      (
        await api.json<{ embed: WidgetWire }>("POST", "/embeds/new", {
          workspace_slug: slug,
          allowlist_domains: site,
          ...fields,
        })
      ).embed;
    const page = ({ uuid }: WidgetWire, origin?: string | null) =>
      visit(instance().url, uuid, origin);
    const begin = async (widget: WidgetWire): Promise<Session> =>
      (await page(widget)("POST", "session", {})).json() as Promise<Session>;
    const history = async (widget: WidgetWire, sessionId: string, token?: string) =>
      (
        (await (await page(widget)("GET", sessionId, undefined, token)).json()) as {
          history: { role: string; content: string; sources?: object[] }[];
        }
      ).history;
    const chatsOf = (widget: WidgetWire) =>
      api.json<{ chats: WidgetChatWire[]; totalChats: number }>("POST", "/embed/chats", {
        embed_id: widget.id,
      });

    beforeAll(async () => {
      api = new Api(instance().url);
      ({ slug } = await api.makeWorkspace("Shop"));
      await api.upload("upload-and-embed", slug, "pump.txt", fact);
    });

    it("answer existing scripts with the wire's frames, outside the app's threads", async () => {
      const widget = await create();
      const sessionId = randomUUID();
      const ask = (message: string) =>
        page(widget)("POST", "stream-chat", {
          sessionId,
          message,
          username: "Eva",
          prompt: null,
          model: null,
          temperature: null,
        });
      const reply = await ask("How warm is the harbour pump?");
      expect(reply.headers.get("content-type")).toMatch(/^text\/event-stream/);
      expect(reply.headers.get("access-control-allow-origin")).toBe(site);
      const frames = parseFrames(await reply.text());
      expect(
        frames.map((frame) => ("textResponse" in frame ? frame.textResponse : "")).join(""),
      ).toContain("48 degrees");
      expect(new Set(frames.map(({ type }) => type))).toEqual(new Set(["textResponseChunk"]));
      expect(frames.at(-1)).toMatchObject({ close: true, sources: [], error: false });
      const refusal = parseFrames(await (await ask("Who won the chess final?")).text());
      expect(refusal).toMatchObject([{ type: "textResponse", close: true, sources: [] }]);
      const shown = await history(widget, sessionId);
      expect(shown.map(({ role }) => role)).toEqual(["user", "assistant"]);
      expect(shown[1]).toMatchObject({ sources: [], metrics: {} });
      // wire-contract 8.3: "neither stored".
      const { chats, totalChats } = await chatsOf(widget);
      expect([chats.length, totalChats]).toEqual([1, 1]);
      expect(chats.at(-1)).toMatchObject({ session_id: sessionId, include: true });
      expect(JSON.parse(chats.at(-1)!.connection_information)).toEqual({
        host: site,
        ip: expect.any(String),
        username: "Eva",
        verified: false,
      });
      const exported = async (query: string) =>
        JSON.parse(
          (
            await api.call(
              "GET",
              `/system/export-chats?type=json&chatType=embed&embedId=${widget.id}${query}`,
            )
          ).text,
        ) as object[];
      expect(await exported("")).toMatchObject([
        {
          prompt: "How warm is the harbour pump?",
          session_id: sessionId,
          visitor: "Eva",
          visitor_verified: false,
        },
      ]);
      expect(await exported(`&sessionId=${sessionId}`)).toHaveLength(1);
      expect(await exported(`&sessionId=${randomUUID()}`)).toEqual([]);
      const { sessions } = await api.json<{ sessions: object[] }>(
        "GET",
        `/embeds/${widget.id}/sessions`,
      );
      expect(sessions).toMatchObject([
        { session_id: sessionId, chats: 1, username: "Eva", verified: false, host: site },
      ]);
      expect(await api.json("GET", `/workspace/${slug}/threads`)).toMatchObject({ threads: [] });
      expect(await api.json("GET", `/workspace/${slug}/chats`)).toEqual({ history: [] });
    });

    it("show sources where enabled, and refuse foreign pages and guessed sessions", async () => {
      const widget = await create({ show_sources: true });
      const mine = await begin(widget);
      const other = await begin(widget);
      const asked = { sessionId: mine.sessionId, message: "How warm is the harbour pump?" };
      const answer = await page(widget)("POST", "stream-chat", asked, mine.token);
      expect(parseFrames(await answer.text()).at(-1)?.["sources" as never]).toEqual([
        { title: "pump.txt", text: fact, page: null, number: 1, url: null },
      ]);
      expect(await history(widget, mine.sessionId, mine.token)).toHaveLength(2);
      for (const token of [undefined, other.token, "nonsense"]) {
        const guess = (method: string, path: string, body?: object) =>
          page(widget)(method, path, body, token);
        for (const refused of [
          await guess("GET", mine.sessionId),
          await guess("DELETE", mine.sessionId),
          await guess("POST", `${mine.sessionId}/stop`),
          await guess("POST", "stream-chat", asked),
        ])
          expect([refused.status, await refused.text()]).toEqual([
            404,
            expect.stringContaining("Invalid session ID."),
          ]);
      }
      for (const origin of ["https://evil.example", "null", null]) {
        const foreign = page(widget, origin);
        for (const refused of [
          await foreign("POST", "session", {}),
          await foreign("GET", mine.sessionId, undefined, mine.token),
          await foreign("DELETE", mine.sessionId, undefined, mine.token),
          await foreign("POST", "stream-chat", asked, mine.token),
        ])
          expect([refused.status, await refused.json()]).toEqual([
            401,
            expect.objectContaining({ type: "abort", error: "Invalid request." }),
          ]);
      }
      expect(await history(widget, mine.sessionId, mine.token)).toHaveLength(2);
      expect((await page(widget)("DELETE", mine.sessionId, undefined, mine.token)).status).toBe(
        200,
      );
      expect(await history(widget, mine.sessionId, mine.token)).toEqual([]);
    });

    it("list sessions after a valid cursor only, and delete chats on the record", async () => {
      const widget = await create();
      const { sessionId, token } = await begin(widget);
      for (const message of ["How warm is the pump?", "What does the harbour pump run at?"])
        await (await page(widget)("POST", "stream-chat", { sessionId, message }, token)).text();
      const sessions = `/embeds/${widget.id}/sessions`;
      const of = (at: string) => btoa(JSON.stringify([at, 1])).replaceAll("=", "");
      for (const cursor of ["nonsense", of("9999-99-99T99:99:99Z"), of("0000-01-01T00:00:00Z")]) {
        const refused = await api.call("GET", `${sessions}?cursor=${cursor}`);
        expect([cursor, refused.status]).toEqual([cursor, 400]);
      }
      const { chats } = await chatsOf(widget);
      await api.json("DELETE", `/embed/chats/${chats[0]!.id}`);
      await api.json("DELETE", `${sessions}/${sessionId}`);
      await poll(async () => {
        const { logs } = await api.json<{ logs: { event: string; metadata: string }[] }>(
          "POST",
          "/system/event-logs",
          { event: "deleted_chats" },
        );
        return logs.map(({ metadata }) => JSON.parse(metadata) as object);
      }).toEqual(
        expect.arrayContaining([
          expect.objectContaining({ embedId: widget.id, chatId: chats[0]!.id, chats: 1 }),
          expect.objectContaining({ embedId: widget.id, sessionId, chats: chats.length - 1 }),
        ]),
      );
    });

    it("say why they refuse where existing scripts show it to visitors", async () => {
      const widget = await create({ max_chats_per_session: 1, max_message_length: 40 });
      const sessionId = randomUUID();
      const ask = (message: string) => page(widget)("POST", "stream-chat", { sessionId, message });
      await (await ask("Who won the chess final?")).text();
      const quota =
        "Your quota for this chat has been reached. Try again later or contact the site owner.";
      expect(await (await ask("Who won?")).json()).toMatchObject({ error: quota, errorMsg: quota });
      expect(await (await ask("Why? ".repeat(9))).json()).toMatchObject({
        errorMsg: "The message is too long. The limit is 40 characters.",
      });
    });

    it("treat a script in a message as text", async () => {
      const widget = await create({ page_enabled: true, name: script });
      const { sessionId, token } = await begin(widget);
      const message = `How warm is the harbour pump? ${script}`;
      await (await page(widget)("POST", "stream-chat", { sessionId, message }, token)).text();
      const reply = await page(widget)("GET", sessionId, undefined, token);
      expect(reply.headers.get("content-type")).toMatch(/^application\/json/);
      expect(reply.headers.get("x-content-type-options")).toBe("nosniff");
      const { chats } = await chatsOf(widget);
      expect(chats.map(({ prompt }) => prompt)).toEqual([message]);
      const html = await (await fetch(`${instance().url}/embed/${widget.uuid}/chat`)).text();
      expect(html).not.toContain(script);
    });

    it("hold their limits against hundreds of questions at once, and none fails", async () => {
      const widget = await create({ max_chats_per_day: 5, limit_messages: { day: "Tomorrow!" } });
      const ask = page(widget);
      const statuses = new Map<number, number>();
      const rounds = isThorough ? 10 : 2;
      for (let round = 0; round < rounds; round += 1)
        await Promise.all(
          Array.from({ length: 100 }, async () => {
            const reply = await ask("POST", "stream-chat", {
              sessionId: randomUUID(),
              message: "Pump?",
            });
            const text = await reply.text();
            if (reply.status === 429) expect(text).toMatch(/Tomorrow!|too fast/);
            statuses.set(reply.status, (statuses.get(reply.status) ?? 0) + 1);
          }),
        );
      expect([...statuses].toSorted()).toEqual([
        [200, 5],
        [429, 100 * rounds - 5],
      ]);
      await poll(async () => (await chatsOf(widget)).totalChats).toBe(5);
      await api.json("DELETE", `/embed/${widget.id}`);
      expect((await ask("POST", "session", {})).status).toBe(404);
      await poll(async () => (await chatsOf(widget)).totalChats).toBe(0);
    });
  });
}
