import type { Instance } from "@carrel/testing";
import { beforeAll, describe, expect, it } from "@jest/globals";
import { Api } from "../api.ts";

export function testBranches(instance: () => Instance): void {
  describe("branches, search, exports and the trash over HTTP", () => {
    let api: Api;
    beforeAll(() => {
      api = new Api(instance().url);
    });

    it("are made once by a question that is sent again with the same Idempotency-Key", async () => {
      const { slug } = await api.makeWorkspace("Asked twice");
      const turns = async () =>
        (
          await api.json<{ turns: { id: number; question: string; siblings: number[] }[] }>(
            "GET",
            `/workspace/${slug}/turns`,
          )
        ).turns;
      const ask = async (key: string, body: object): Promise<string> => {
        const headers = { "Idempotency-Key": key };
        const reply = await api.call("POST", `/workspace/${slug}/stream-chat`, body, headers);
        expect(reply.status).toBe(200);
        return reply.text;
      };
      const [first, again] = await Promise.all([
        ask("first", { message: "Twice?" }),
        ask("first", { message: "Twice?" }),
      ]);
      expect(again).toBe(first);
      expect(await ask("first", { message: "Twice?" })).toBe(first);
      expect(await turns()).toHaveLength(1);
      const edit = { message: "Once more?", replaces: (await turns())[0]!.id };
      await ask("second", edit);
      await ask("second", edit);
      expect((await turns()).map(({ siblings }) => siblings.length)).toEqual([2]);
      await ask("third", { message: "Twice?" });
      expect(await turns()).toHaveLength(2);
    });

    it("keep the behaviour that existing clients know", async () => {
      const { slug } = await api.makeWorkspace("Zeppelin hall");
      const thread = (
        await api.json<{ thread: { slug: string } }>("POST", `/workspace/${slug}/thread/new`)
      ).thread.slug;
      const base = `/workspace/${slug}/thread/${thread}`;
      await api.ask(slug, "Who built the zeppelin?", thread);
      const turns = async () =>
        (
          await api.json<{ turns: { id: number; question: string; siblings: number[] }[] }>(
            "GET",
            `/workspace/${slug}/turns?thread=${thread}`,
          )
        ).turns;
      const first = (await turns())[0]!.id;

      const edited = await api.call("POST", `${base}/stream-chat`, {
        message: "Who built the <script>airship</script>?",
        replaces: first,
      });
      expect(edited.status).toBe(200);
      expect((await turns()).map(({ question, siblings }) => [question, siblings.length])).toEqual([
        ["Who built the <script>airship</script>?", 2],
      ]);
      expect((await api.json<{ history: unknown[] }>("GET", `${base}/chats`)).history).toHaveLength(
        2,
      );
      expect(
        (await api.call("POST", `${base}/stream-chat`, { message: "x", replaces: 2_000_000_000 }))
          .status,
      ).toBe(404);
      expect(
        (await api.call("POST", `${base}/update-chat`, { chatId: first, newText: "  " })).status,
      ).toBe(400);
      expect(
        (
          await api.call("POST", `/workspace/${slug}/chat-feedback/${first}`, { feedback: 1 })
        ).json(),
      ).toEqual({ success: true });
      expect((await api.call("GET", `/workspace/${slug}/tts/${first}`)).status).toBe(204);
      expect(
        (await api.call("POST", `/workspace/${slug}/thread/fork`, { threadSlug: thread })).json(),
      ).toEqual({ message: "chatId is required" });

      const found = await api.json<{
        workspaces: { slug: string }[];
        threads: unknown[];
        messages: { chatId: number; workspace: { slug: string } }[];
      }>("POST", "/workspace/search", { searchTerm: "zeppelin" });
      expect(found.workspaces).toMatchObject([{ slug }]);
      expect(found.messages).toEqual([]);
      expect(
        (await api.json<typeof found>("POST", "/workspace/search", { searchTerm: "airship" }))
          .messages,
      ).toMatchObject([{ workspace: { slug } }]);
      expect(await api.json("POST", "/workspace/search", { searchTerm: "ze" })).toEqual({
        workspaces: [],
        threads: [],
        messages: [],
      });

      const page = await fetch(`${instance().url}/api/export-chat/html`, {
        method: "POST",
        body: JSON.stringify({ workspaceSlug: slug, threadSlug: thread }),
      });
      expect([
        page.status,
        page.headers.get("content-type"),
        page.headers.get("x-content-type-options"),
      ]).toEqual([200, "text/html; charset=utf-8", "nosniff"]);
      expect(page.headers.get("content-disposition")).toMatch(
        /^attachment; filename="chat.html"; filename\*=UTF-8''/,
      );
      expect(page.headers.get("content-security-policy")).toMatch(/default-src 'none'.*sandbox/);
      const html = await page.text();
      expect(html).toContain("&lt;script&gt;airship");
      expect(html).not.toContain("<script");
      for (const [type, status] of [
        ["pdf", 400],
        ["exe", 400],
        ["markdown", 200],
        ["plaintext", 200],
        ["json", 200],
      ] as const)
        expect(
          (
            await api.call("POST", `/export-chat/${type}`, {
              workspaceSlug: slug,
              threadSlug: thread,
            })
          ).status,
        ).toBe(status);
      expect(
        (await api.call("POST", "/export-chat/json", { workspaceSlug: slug, threadSlug: null }))
          .status,
      ).toBe(400);
      expect(
        (await api.call("POST", "/export-chat/json", { workspaceSlug: "none", threadSlug: null }))
          .status,
      ).toBe(404);

      await api.call("DELETE", base);
      expect((await api.call("GET", `${base}/chats`)).status).toBe(404);
      expect(await api.json("GET", `/workspace/${slug}/trash`)).toMatchObject({
        days: 3,
        threads: [{ slug: thread }],
      });
      await api.json("POST", `${base}/restore`);
      expect(await turns()).toHaveLength(1);
    });
  });
}
