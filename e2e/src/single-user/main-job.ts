import { waitFor, type Instance } from "@carrel/testing";
import { beforeAll, describe, expect, it } from "@jest/globals";
import { Api } from "../api.ts";

const handbook = `# Harbour house handbook

## Heating

The boiler in the cellar is serviced every October by Nordwind Heating. The flow temperature is set to 48 degrees.
Radiators on the top floor have to be bled once a year.

## Waste

Glass is collected on the second Tuesday of the month. The bins stand behind the bicycle shed.

## Laundry

The laundry room is open from seven in the morning until nine in the evening. A wash costs two tokens, which Mrs. Albers sells on the ground floor.
`;

export function testMainJob(instance: () => Instance): void {
  describe("main job over HTTP, without a login", () => {
    let api: Api;
    beforeAll(() => {
      api = new Api(instance().url);
    });

    it("starts open, with nothing configured", async () => {
      expect(await api.json("GET", "/ping")).toEqual({ online: true });
      const { results } = await api.json<{ results: Record<string, unknown> }>(
        "GET",
        "/setup-complete",
      );
      expect(results).toMatchObject({
        RequiresAuth: false,
        MultiUserMode: false,
      });
      // Both are missing on a new instance, which sends clients to their wizard.
      expect(results).not.toHaveProperty("LLMProvider");
      expect(results).not.toHaveProperty("VectorDB");
    });

    it("keeps one document of a file that is sent again with the same Idempotency-Key", async () => {
      const { slug } = await api.makeWorkspace("Sent twice");
      const send = async (key: string, text = "Sent twice."): Promise<string> => {
        const form = new FormData();
        form.set("file", new Blob([text], { type: "text/plain" }), "twice.txt");
        const reply = await api.call("POST", `/workspace/${slug}/upload-and-embed`, form, {
          "Idempotency-Key": key,
        });
        return reply.json<{ document: { id: string } }>().document.id;
      };
      const [first, again] = await Promise.all([send("a"), send("a")]);
      expect(again).toBe(first);
      expect(await send("a")).toBe(first);
      expect(await send("b")).not.toBe(first);
      expect(await send("a", "Another text.")).not.toBe(first);
      const { total } = await api.json<{ total: number }>("GET", `/workspace/${slug}/documents`);
      expect(total).toBe(3);
    });

    it("answers a question from an uploaded document with a source that names the place", async () => {
      const { slug } = await api.makeWorkspace("Harbour house");
      const upload = (
        await api.upload("upload-and-embed", slug, "handbook.md", handbook, "text/markdown")
      ).json<{ success: boolean; error: null; document: { id: string; location: string } }>();
      expect(upload).toMatchObject({ success: true, error: null });
      expect(upload.document.location).toMatch(/^custom-documents\/handbook.*\.json$/);

      const answer = await api.ask(slug, "When is glass collected?");
      expect(answer.text).toContain("Glass is collected on the second Tuesday of the month.");
      const types = answer.frames.map((f) => f.type);
      expect(new Set(types.slice(0, -1))).toEqual(new Set(["textResponseChunk"]));
      expect(types.at(-1)).toBe("finalizeResponseStream");
      const closing = answer.frames.at(-2);
      if (closing?.type !== "textResponseChunk") throw new Error("no closing chunk");
      expect(closing).toMatchObject({ textResponse: "", close: true });
      const source = closing.sources[0];
      expect(source).toMatchObject({
        title: "handbook.md",
        documentId: expect.any(String),
        start: expect.any(Number),
        end: expect.any(Number),
      });
      // The place that the source names really contains the text.
      const text = await api.json<{ text: string; start: number }>(
        "GET",
        `/workspace/${slug}/documents/${source?.documentId}/text`,
      );
      expect(
        text.text.slice((source?.start ?? 0) - text.start, (source?.end ?? 0) - text.start),
      ).toContain("second Tuesday");
      expect(answer.raw).not.toMatch(/^(id|event|retry|:)/m);

      const { history } = await api.json<{
        history: { role: string; content: string; chatId: number }[];
      }>("GET", `/workspace/${slug}/chats`);
      expect(history.map((h) => h.role)).toEqual(["user", "assistant"]);
      const last = answer.frames.at(-1);
      expect(history[0]?.chatId).toBe(last?.type === "finalizeResponseStream" ? last.chatId : null);
    });

    it("answers a short self-contained question and a follow-up question in one thread", async () => {
      const { slug } = await api.makeWorkspace("Short questions");
      await api.upload("upload-and-embed", slug, "handbook.md", handbook);
      expect((await api.ask(slug, "When is glass collected?")).text).toContain("second Tuesday");
      expect((await api.ask(slug, "Is the laundry room open?")).text).toContain(
        "open from seven in the morning",
      );
      expect((await api.ask(slug, "Boiler serviced when?")).text).toContain(
        "serviced every October",
      );
      expect((await api.ask(slug, "And who does it?")).text).toContain("Nordwind Heating");
    });

    it("refuses questions that no document answers in query mode, and hides the refusal from the history", async () => {
      const { slug } = await api.makeWorkspace("Refusal");
      await api.upload("upload-and-embed", slug, "handbook.md", handbook);
      await api.json("POST", `/workspace/${slug}/update`, { chatMode: "query" });
      const answer = await api.ask(slug, "Which team won the football championship in Brazil?");
      expect(answer.frames).toHaveLength(1);
      expect(answer.frames[0]).toMatchObject({
        type: "textResponse",
        textResponse: "There is no relevant information in this workspace to answer your query.",
        sources: [],
        close: true,
      });
      const german = await api.ask(slug, "Wer gewann die Meisterschaft in Brasilien?", undefined, {
        "x-language": "de-AT",
      });
      expect(german.text).toBe(
        "In diesem Workspace gibt es keine passenden Informationen, um Ihre Frage zu beantworten.",
      );
      expect(await api.json("GET", `/workspace/${slug}/chats`)).toEqual({ history: [] });
    });

    it("keeps threads separate, names one by its first message, renames and deletes", async () => {
      const { slug } = await api.makeWorkspace("Threads");
      await api.upload("upload-and-embed", slug, "handbook.md", handbook);
      const { thread } = await api.json<{ thread: { slug: string; name: string } }>(
        "POST",
        `/workspace/${slug}/thread/new`,
      );
      expect(thread.name).toBe("Thread");
      const answer = await api.ask(
        slug,
        "How much does a wash cost in the laundry room?",
        thread.slug,
      );
      expect(answer.frames.at(-1)).toMatchObject({
        action: "rename_thread",
        thread: { slug: thread.slug, name: expect.stringMatching(/^How much does a wash/) },
      });
      expect(
        (
          await api.json<{ history: unknown[] }>(
            "GET",
            `/workspace/${slug}/thread/${thread.slug}/chats`,
          )
        ).history,
      ).toHaveLength(2);
      expect(
        (await api.json<{ history: unknown[] }>("GET", `/workspace/${slug}/chats`)).history,
      ).toHaveLength(0);
      await api.json("POST", `/workspace/${slug}/thread/${thread.slug}/update`, {
        name: "Laundry",
      });
      expect(
        (
          await api.json<{ threads: { name: string }[] }>("GET", `/workspace/${slug}/threads`)
        ).threads.map((t) => t.name),
      ).toEqual(["Laundry"]);
      expect((await api.call("DELETE", `/workspace/${slug}/thread/${thread.slug}`)).status).toBe(
        200,
      );
      expect((await api.call("GET", `/workspace/${slug}/thread/${thread.slug}/chats`)).status).toBe(
        404,
      );
    });

    it("adds from the library, removes from the workspace, deletes, and accepts the same bytes again", async () => {
      const { slug } = await api.makeWorkspace("Library");
      expect(
        (
          await api.upload("upload", slug, "notes.txt", "The spare key hangs behind the blue door.")
        ).json(),
      ).toEqual({ success: true, error: null });
      const tree = await api.json<{
        localFiles: { items: { name: string; items: { name: string; title: string }[] }[] };
      }>("GET", "/system/local-files");
      const folder = tree.localFiles.items.find((f) => f.name === "custom-documents");
      const file = folder?.items.find((f) => f.title === "notes.txt");
      const docpath = `custom-documents/${file?.name}`;
      const added = await api.json<{
        workspace: { documents: { docpath: string }[] };
        message: string | null;
      }>("POST", `/workspace/${slug}/update-embeddings`, { adds: [docpath], deletes: [] });
      expect(added.message).toBeNull();
      expect(added.workspace.documents.map((d) => d.docpath)).toEqual([docpath]);
      expect((await api.ask(slug, "Where does the spare key hang?")).text).toContain(
        "behind the blue door",
      );

      await api.json("POST", `/workspace/${slug}/update-embeddings`, {
        adds: [],
        deletes: [docpath],
      });
      expect((await api.ask(slug, "Where does the spare key hang?")).text).not.toContain(
        "behind the blue door",
      );

      expect(
        (
          await api.call("DELETE", `/workspace/${slug}/remove-and-unembed`, {
            documentLocation: docpath,
          })
        ).status,
      ).toBe(200);
      const again = (
        await api.upload(
          "upload-and-embed",
          slug,
          "notes.txt",
          "The spare key hangs behind the blue door.",
        )
      ).json<{ success: boolean; document: { location: string } }>();
      expect(again.success).toBe(true);
      expect((await api.ask(slug, "Where does the spare key hang?")).text).toContain(
        "behind the blue door",
      );
      const paged = await api.json<{ documents: unknown[]; totalCount: number; hasMore: boolean }>(
        "GET",
        "/system/local-files?folder=custom-documents&offset=0&limit=1",
      );
      expect(paged.documents).toHaveLength(1);
    });

    it("clears the conversation on /reset and deletes a workspace with everything in it", async () => {
      const { slug } = await api.makeWorkspace("Short life");
      await api.upload("upload-and-embed", slug, "handbook.md", handbook);
      await api.ask(slug, "When is glass collected?");
      const reset = await api.ask(slug, "/reset");
      expect(reset.frames).toEqual([
        expect.objectContaining({
          type: "textResponse",
          textResponse: "Chat memory was reset!",
          action: "reset_chat",
          close: true,
        }),
      ]);
      expect(await api.json("GET", `/workspace/${slug}/chats`)).toEqual({ history: [] });
      expect((await api.call("DELETE", `/workspace/${slug}`)).status).toBe(200);
      expect(await api.json("GET", `/workspace/${slug}`)).toEqual({ workspace: null });
      await waitFor(
        async () =>
          !(
            await api.json<{ workspaces: { slug: string }[] }>("GET", "/workspaces")
          ).workspaces.some((w) => w.slug === slug),
      );
    });

    it("asks for the instance password once one is set", async () => {
      expect(
        (
          await api.json<{ success: boolean }>("POST", "/system/update-password", {
            usePassword: true,
            newPassword: "harbour-lights",
          })
        ).success,
      ).toBe(true);
      const stranger = new Api(instance().url);
      expect((await stranger.call("GET", "/workspaces")).status).toBe(401);
      expect(
        (await stranger.call("POST", "/request-token", { password: "wrong-password" })).json(),
      ).toEqual({ valid: false, token: null, message: "[003] Invalid password provided" });
      const { token, valid } = (
        await stranger.call("POST", "/request-token", { password: "harbour-lights" })
      ).json<{ token: string; valid: boolean }>();
      expect(valid).toBe(true);
      stranger.token = token;
      expect((await stranger.call("GET", "/system/check-token")).status).toBe(200);
      expect((await stranger.call("GET", "/workspaces")).status).toBe(200);
      expect(
        (
          await stranger.json<{ success: boolean }>("POST", "/system/update-password", {
            usePassword: false,
          })
        ).success,
      ).toBe(true);
      expect((await new Api(instance().url).call("GET", "/workspaces")).status).toBe(200);
    });
  });
}
