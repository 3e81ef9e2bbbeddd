import { readdirSync } from "node:fs";
import { poll, type Instance } from "@carrel/testing";
import { describe, expect, it } from "@jest/globals";
import { Api, ask } from "../api.ts";
import { password } from "./password.ts";
import { presets, testCommands, variables } from "./workspace-commands.ts";

const pixel = Uint8Array.from(
  Buffer.from(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
    "base64",
  ),
);
const form = (field: string, content: string | Uint8Array<ArrayBuffer>, type: string): FormData => {
  const data = new FormData();
  data.set(field, new Blob([content], { type }), "picture.png");
  return data;
};

export function testWorkspaceSettings(instance: () => Instance): void {
  describe("workspace and prompt settings for clients of the wire", () => {
    let admin: Api;
    let member: Api;
    let slug: string;
    const api = (token: string | null = null): Api =>
      Object.assign(new Api(instance().url), { token });
    const signIn = async (username: string): Promise<Api> =>
      api(
        (await api().json<{ token: string }>("POST", "/request-token", { username, password }))
          .token,
      );
    /** Workspace pictures in the data folder. */
    const pictures = (): string[] =>
      readdirSync(instance().home, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile() && /[\\/]picture$/.test(entry.parentPath))
        .map(({ name }) => name);

    it("commands, variables and the default prompt of single-user mode pass to the first admin", async () => {
      const open = api();
      expect(await ask(open, "GET", presets)).toEqual([200, { presets: [] }]);
      expect(
        await ask(open, "POST", presets, {
          command: "Sum Up",
          prompt: "Sum it up.",
          description: "Short",
        }),
      ).toEqual([
        201,
        { preset: expect.objectContaining({ command: "/sum-up", uid: 0, userId: null }) },
      ]);
      expect(
        (await open.json<{ variables: { key: string }[] }>("GET", variables)).variables.map(
          ({ key }) => key,
        ),
      ).not.toContain("user.name");
      await open.json("POST", "/system/enable-multi-user", { username: "librarian", password });
      admin = await signIn("librarian");
      const { user } = await admin.json<{ user: { id: number } }>("POST", "/admin/users/new", {
        username: "reader",
        password,
      });
      member = await signIn("reader");
      const made = await admin.makeWorkspace("Papers");
      slug = made.slug;
      await admin.json("POST", `/admin/workspaces/${made.id}/update-users`, { userIds: [user.id] });
      await poll(
        async () => (await admin.json<{ presets: unknown[] }>("GET", presets)).presets,
      ).toEqual([
        { id: expect.any(Number), command: "/sum-up", prompt: "Sum it up.", description: "Short" },
      ]);
      expect(await ask(member, "GET", presets)).toEqual([200, { presets: [] }]);
    });

    testCommands(() => ({ admin, member }));

    it("suggested messages are visible to members and set by managers", async () => {
      const path = `/workspace/${slug}/suggested-messages`;
      expect(
        await ask(admin, "POST", path, {
          messages: [{ heading: "Begin", message: "What is this?" }],
        }),
      ).toEqual([200, { success: true, message: "Suggested messages saved successfully." }]);
      expect(await ask(member, "GET", path)).toEqual([
        200,
        { success: true, suggestedMessages: [{ heading: "Begin", message: "What is this?" }] },
      ]);
      for (const messages of ["x", null, 7, {}, undefined])
        expect(await ask(admin, "POST", path, { messages })).toEqual([
          400,
          { success: false, message: "Invalid message format. Expected an array of messages." },
        ]);
      expect((await member.call("POST", path, { messages: [] })).status).toBe(401);
      expect((await member.call("GET", "/workspace/no-such/suggested-messages")).status).toBe(404);
    });

    it("earlier prompts and the default prompt", async () => {
      for (const openAiPrompt of ["First.", "Second."])
        await admin.json("POST", `/workspace/${slug}/update`, { openAiPrompt });
      const { history } = await member.json<{ history: { id: number }[] }>(
        "GET",
        `/workspace/${slug}/prompt-history`,
      );
      expect(history).toEqual([
        {
          id: expect.any(Number),
          workspaceId: expect.any(Number),
          prompt: "First.",
          modifiedBy: expect.any(Number),
          modifiedAt: expect.any(String),
          user: { username: "librarian" },
        },
      ]);
      expect(
        (await member.call("DELETE", `/workspace/prompt-history/${history[0]!.id}`)).status,
      ).toBe(401);
      expect(await ask(admin, "DELETE", `/workspace/prompt-history/${history[0]!.id}`)).toEqual([
        200,
        { success: true },
      ]);
      expect(await ask(admin, "DELETE", `/workspace/prompt-history/${history[0]!.id}`)).toEqual([
        200,
        { success: false },
      ]);
      expect(await ask(admin, "DELETE", `/workspace/${slug}/prompt-history`)).toEqual([
        200,
        { success: true },
      ]);
      expect(
        await ask(admin, "POST", "/system/default-system-prompt", {
          defaultSystemPrompt: "Be brief.",
        }),
      ).toEqual([200, { success: true, message: "Default system prompt updated successfully." }]);
      expect(await ask(member, "GET", "/system/default-system-prompt")).toEqual([
        200,
        {
          success: true,
          defaultSystemPrompt: "Be brief.",
          saneDefaultSystemPrompt: expect.stringMatching(/^Given the following conversation/),
        },
      ]);
    });

    it("a workspace picture must be an image, is visible to members and is deleted with the workspace", async () => {
      const path = `/workspace/${slug}/pfp`;
      expect((await member.call("GET", path)).status).toBe(204);
      expect(
        await ask(
          admin,
          "POST",
          `/workspace/${slug}/upload-pfp`,
          form("file", '<svg xmlns="http://www.w3.org/2000/svg"/>', "image/svg+xml"),
        ),
      ).toEqual([415, { message: expect.any(String) }]);
      expect(
        await ask(
          admin,
          "POST",
          `/workspace/${slug}/upload-pfp`,
          form("other", pixel, "image/png"),
        ),
      ).toEqual([400, { message: "File upload failed." }]);
      expect(
        (
          await member.call(
            "POST",
            `/workspace/${slug}/upload-pfp`,
            form("file", pixel, "image/png"),
          )
        ).status,
      ).toBe(401);
      expect(
        await ask(admin, "POST", `/workspace/${slug}/upload-pfp`, form("file", pixel, "image/png")),
      ).toEqual([200, { message: "Profile picture uploaded successfully." }]);
      const picture = await fetch(`${instance().url}/api${path}`, {
        headers: { authorization: `Bearer ${member.token}` },
      });
      expect([
        picture.status,
        picture.headers.get("content-type"),
        picture.headers.get("x-content-type-options"),
      ]).toEqual([200, "image/webp", "nosniff"]);
      expect((await picture.arrayBuffer()).byteLength).toBeGreaterThan(10);
      const { workspace } = await member.json<{ workspace: { pfpFilename: string } }>(
        "GET",
        `/workspace/${slug}`,
      );
      expect(workspace.pfpFilename).toMatch(/^[0-9a-f-]{36}\.webp$/);
      expect(pictures()).toHaveLength(1);
      // A new one replaces it.
      await admin.json("POST", `/workspace/${slug}/upload-pfp`, form("file", pixel, "image/png"));
      expect(pictures()).toHaveLength(1);
      expect((await member.call("DELETE", `/workspace/${slug}/remove-pfp`)).status).toBe(401);
      expect(await ask(admin, "DELETE", `/workspace/${slug}/remove-pfp`)).toEqual([
        200,
        { message: "Profile picture removed successfully." },
      ]);
      expect((await member.call("GET", path)).status).toBe(204);
      expect(pictures()).toEqual([]);
    });

    it("fields, providers and deletion", async () => {
      expect(
        await ask(admin, "POST", `/workspace/${slug}/update`, { chatProvider: "no-such", topN: 8 }),
      ).toEqual([
        200,
        { workspace: { id: expect.any(Number) }, message: "no-such is not a valid LLM provider." },
      ]);
      expect(await ask(admin, "POST", `/workspace/${slug}/update`, { nothing: 1 })).toEqual([
        200,
        { workspace: { id: expect.any(Number) }, message: "No valid fields to update!" },
      ]);
      expect(
        await ask(admin, "POST", `/workspace/${slug}/update`, {
          agentProvider: "ollama",
          agentModel: "llama3",
          vectorSearchMode: "rerank",
          topN: "x",
        }),
      ).toEqual([
        200,
        {
          workspace: expect.objectContaining({
            agentProvider: "ollama",
            agentModel: "llama3",
            vectorSearchMode: "rerank",
            topN: 4,
          }),
          message: null,
        },
      ]);
      expect(await ask(admin, "GET", `/workspace/${slug}/providers`)).toEqual([
        200,
        {
          instance: { provider: "extractive", model: null },
          providers: [{ id: "extractive", name: expect.any(String), model: null, models: [] }],
        },
      ]);
      expect((await member.call("GET", `/workspace/${slug}/providers`)).status).toBe(401);
      expect(
        await ask(admin, "POST", "/workspace/new", {
          name: "Short lived",
          onboardingComplete: true,
        }),
      ).toEqual([
        200,
        { workspace: expect.objectContaining({ slug: "short-lived" }), message: null },
      ]);
      await admin.call(
        "POST",
        "/workspace/short-lived/upload-pfp",
        form("file", pixel, "image/png"),
      );
      expect(await ask(admin, "DELETE", "/workspace/short-lived")).toEqual([200, "OK"]);
      expect(await ask(admin, "DELETE", "/workspace/short-lived")).toEqual([400, "Bad Request"]);
      // More than fits into one reply between services.
      for (let made = 0; made < 8; made += 1) {
        const { slug: long } = await admin.makeWorkspace(`Long ${made}`);
        await admin.json("POST", `/workspace/${long}/update`, {
          openAiPrompt: '"'.repeat(100_000),
        });
      }
      expect(
        (await admin.json<{ workspaces: unknown[] }>("GET", "/workspaces")).workspaces,
      ).toHaveLength(9);
      const { id, slug: byId } = await admin.makeWorkspace("By id");
      await admin.json("POST", `/workspace/${byId}/upload-pfp`, form("file", pixel, "image/png"));
      expect(pictures()).toHaveLength(1);
      expect(await ask(admin, "DELETE", `/admin/workspaces/${id}`)).toEqual([
        200,
        { success: true, error: null },
      ]);
      expect(pictures()).toEqual([]);
    });
  });
}
