import { poll, startFakeLlm, type FakeLlm, type Instance } from "@carrel/testing";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { Api } from "../api.ts";

const disabled = { status: 403, text: '{"error":"Personalization is disabled."}' };

export function testMemories(instance: () => Instance): void {
  describe("memories over HTTP", () => {
    let llm: FakeLlm;
    let api: Api;
    let slug: string;
    const set = (memory_enabled: string): Promise<unknown> =>
      api.json("POST", "/admin/system-preferences", { memory_enabled });
    const isOpen = async (): Promise<number> =>
      (await api.call("GET", `/workspaces/${slug}/memories`)).status;
    const systemOf = (): string =>
      (llm.requests.at(-1)!.body as { messages: { content: string }[] }).messages[0]!.content;
    beforeAll(async () => {
      llm = await startFakeLlm();
      api = new Api(instance().url);
      await api.json("POST", "/system/update-env", {
        LLMProvider: "generic-openai",
        GenericOpenAiBasePath: `${llm.url}/v1`,
        GenericOpenAiModelPref: "fake",
        GenericOpenAiTokenLimit: "8192",
      });
      ({ slug } = await api.makeWorkspace("Memories"));
    });
    afterAll(async () => {
      await llm?.stop();
    });

    it("are disabled by default", async () => {
      for (const [method, path, body] of [
        ["GET", `/workspaces/${slug}/memories`],
        ["POST", `/workspaces/${slug}/memories`, { content: "x", scope: "global" }],
        ["PUT", "/memories/1", { content: "x" }],
        ["DELETE", "/memories/1"],
        ["POST", "/memories/1/promote"],
        ["POST", `/memories/1/demote/${slug}`],
      ] as const)
        expect(await api.call(method, path, body)).toMatchObject(disabled);
    });

    it("are part of the prompt only while they are enabled", async () => {
      await set("true");
      await poll(isOpen).toBe(200);
      const { memory } = await api.json<{ memory: { id: number } }>(
        "POST",
        `/workspaces/${slug}/memories`,
        { content: "Repairs pumps for a living.", scope: "workspace" },
      );
      expect(memory).toMatchObject({
        userId: null,
        scope: "workspace",
        content: "Repairs pumps for a living.",
      });
      expect(await api.json("POST", `/memories/${memory.id}/promote`)).toMatchObject({
        memory: { id: memory.id, workspaceId: null, scope: "global" },
      });
      await api.ask(slug, "What can I do in winter?");
      expect(systemOf()).toContain("\n- Repairs pumps for a living.");
      await set("false");
      await poll(isOpen).toBe(403);
      await api.ask(slug, "And what in summer, then?");
      expect(systemOf()).not.toContain("Repairs pumps");
      await set("true");
      await poll(isOpen).toBe(200);
      expect(await api.json("DELETE", `/memories/${memory.id}`)).toEqual({ success: true });
      await api.ask(slug, "Is there anything else to do?");
      expect(systemOf()).not.toContain("Repairs pumps");
    });

    it("reject content that can't be stored, with the wire's messages", async () => {
      await set("true");
      await poll(isOpen).toBe(200);
      const post = async (body: unknown): Promise<[number, unknown]> => {
        const reply = await api.call("POST", `/workspaces/${slug}/memories`, body);
        return [reply.status, reply.json()];
      };
      expect(await post({ content: " \n", scope: "global" })).toEqual([
        400,
        { error: "A memory must not be empty." },
      ]);
      expect(await post({ scope: "global" })).toEqual([
        400,
        { error: "The field content is missing." },
      ]);
      expect(await post({ content: 7, scope: "global" })).toEqual([
        400,
        { error: "The field content must be text." },
      ]);
      expect(await post({ content: "x".repeat(501), scope: "global" })).toEqual([
        400,
        { error: "A memory can have at most 500 characters." },
      ]);
      expect(await post({ content: "x", scope: "planet" })).toEqual([
        400,
        { error: "The field scope must be one of workspace, global." },
      ]);
      for (let index = 0; index < 5; index += 1)
        expect((await post({ content: `Number ${index}.`, scope: "global" }))[0]).toBe(200);
      expect(await post({ content: "One too many.", scope: "global" })).toEqual([
        400,
        { error: "At most 5 global memories can be kept. Delete one first." },
      ]);
      const missing = { status: 404, text: '{"error":"Memory not found."}' };
      for (const [method, path, body] of [
        ["PUT", "/memories/2000000000", { content: "x" }],
        ["DELETE", "/memories/2000000000"],
        ["POST", "/memories/2000000000/promote"],
        ["POST", `/memories/2000000000/demote/${slug}`],
      ] as const) {
        expect(await api.call(method, path, body)).toMatchObject(missing);
      }
      const elsewhere = { status: 404, text: '{"error":"Workspace does not exist."}' };
      for (const [method, path, body] of [
        ["GET", "/workspaces/nowhere/memories"],
        ["POST", "/workspaces/nowhere/memories", { content: "x" }],
        ["POST", "/memories/1/demote/nowhere"],
      ] as const)
        expect(await api.call(method, path, body)).toMatchObject(elsewhere);
    });
  });
}
