import { poll, type Instance } from "@carrel/testing";
import { beforeAll, describe, expect, it } from "@jest/globals";
import { Api, ask } from "../api.ts";
import { password } from "./password.ts";

/** Statuses and the faults that the app explains; existing clients only see "Unauthorized". */
async function refusal(who: Api, method: string, path: string, body?: unknown): Promise<unknown> {
  const reply = await who.call(method, path, body);
  const fault = reply.headers.get("carrel-error");
  return [reply.status, reply.text, fault && (JSON.parse(fault) as { code: string }).code];
}
const workspacesRefused = [401, "Unauthorized", "access.workspaces-by-managers"];
const documentsRefused = [401, "Unauthorized", "access.documents-by-managers"];

export function testMemberRights(instance: () => Instance): void {
  describe("what admins allow members", () => {
    let admin: Api;
    let member: Api;
    let slug: string;
    let memberId: number;
    const api = (token: string | null = null): Api =>
      Object.assign(new Api(instance().url), { token });
    const signIn = async (username: string): Promise<Api> =>
      api(
        (await api().json<{ token: string }>("POST", "/request-token", { username, password }))
          .token,
      );
    const allow = (labels: Record<string, boolean>): Promise<unknown> =>
      admin.json("POST", "/admin/system-preferences", labels);
    const rights = async (): Promise<unknown> =>
      member.json<unknown>("GET", "/system/member-rights");
    const uploadAs = async (who: Api, to: string, name: string): Promise<string> => {
      const reply = await who.upload("upload-and-embed", to, name, `Tides of ${name}.`);
      expect([reply.status, reply.text]).toEqual([200, expect.stringContaining('"success":true')]);
      return reply.json<{ document: { id: string } }>().document.id;
    };
    const documentsIn = async (where: string): Promise<string[]> =>
      (
        await admin.json<{ documents: { documentId: string }[] }>(
          "GET",
          `/workspace/${where}/documents`,
        )
      ).documents.map(({ documentId }) => documentId);

    beforeAll(async () => {
      admin = await signIn("librarian");
      memberId = (
        await admin.json<{ user: { id: number } }>("POST", "/admin/users/new", {
          username: "apprentice",
          password,
        })
      ).user.id;
      member = await signIn("apprentice");
      const made = await admin.makeWorkspace("Reading room");
      slug = made.slug;
      await admin.json("POST", `/admin/workspaces/${made.id}/update-users`, {
        userIds: [memberId],
      });
    });

    it("is nothing by default, and each refusal says why", async () => {
      expect(await rights()).toEqual({ rights: [], choosesModels: false, ownWorkspaces: [] });
      expect(await refusal(member, "POST", "/workspace/new", { name: "Mine" })).toEqual(
        workspacesRefused,
      );
      expect(await refusal(member, "POST", `/workspace/${slug}/update`, { name: "x" })).toEqual(
        workspacesRefused,
      );
      const upload = await member.upload("upload-and-embed", slug, "a.txt", "Tides.");
      expect([upload.status, upload.text, upload.headers.get("carrel-error")]).toEqual([
        401,
        "Unauthorized",
        expect.stringContaining("access.documents-by-managers"),
      ]);
      expect(
        await refusal(member, "PUT", `/workspace/${slug}/model`, {
          choice: { provider: "openai", model: null },
        }),
      ).toEqual([401, "Unauthorized", "access.models-by-managers"]);
    });

    it("only admins change it", async () => {
      await admin.json("POST", `/admin/user/${memberId}`, { role: "manager" });
      const manager = await signIn("apprentice");
      await manager.json("POST", "/admin/system-preferences", { members_create_workspaces: true });
      await admin.json("POST", `/admin/user/${memberId}`, { role: "default" });
      member = await signIn("apprentice");
      expect(await rights()).toMatchObject({ rights: [] });
    });

    it("lets them upload to workspaces they are in, and remove only what they added", async () => {
      const others = await uploadAs(admin, slug, "admins.txt");
      await allow({ members_upload_documents: true });
      expect(await rights()).toMatchObject({ rights: ["uploadDocuments"] });
      const own = await uploadAs(member, slug, "own.txt");
      expect(await documentsIn(slug)).toEqual(expect.arrayContaining([own, others]));

      const closed = await admin.makeWorkspace("Closed stacks");
      expect((await member.upload("upload-and-embed", closed.slug, "b.txt", "Tides.")).status).toBe(
        400,
      );
      // The library, and adding from it, stay with managers.
      expect(
        await refusal(member, "POST", `/workspace/${slug}/update-embeddings`, { adds: [] }),
      ).toEqual([401, "Unauthorized", "access.forbidden"]);
      expect((await member.upload("upload", slug, "c.txt", "Tides.")).status).toBe(401);
      expect(
        await refusal(member, "POST", `/workspace/${slug}/upload-link`, {
          link: "https://example.org",
        }),
      ).toEqual([401, expect.any(String), "access.forbidden"]);
      expect(await refusal(member, "DELETE", `/workspace/${slug}/documents/${others}`)).toEqual([
        401,
        "Unauthorized",
        "access.documents-of-others",
      ]);
      expect(await ask(member, "DELETE", `/workspace/${slug}/documents/${own}`)).toEqual([
        200,
        { success: true },
      ]);
      expect(await documentsIn(slug)).toEqual([others]);
      expect(await refusal(member, "POST", `/workspace/${slug}/update`, { name: "x" })).toEqual(
        workspacesRefused,
      );
    });

    it("lets them create workspaces and manage those, but no others", async () => {
      await allow({ members_upload_documents: false, members_create_workspaces: true });
      const mine = await member.makeWorkspace("Mine");
      expect(await rights()).toEqual({
        rights: ["createWorkspaces"],
        choosesModels: false,
        ownWorkspaces: [mine.id],
      });
      const path = `/workspace/${mine.slug}`;
      expect(await ask(member, "POST", `${path}/update`, { openAiPrompt: "Be brief." })).toEqual([
        200,
        expect.objectContaining({
          workspace: expect.objectContaining({ openAiPrompt: "Be brief." }),
        }),
      ]);
      expect(await refusal(member, "POST", `${path}/update`, { chatProvider: "openai" })).toEqual([
        401,
        "Unauthorized",
        "access.models-by-managers",
      ]);
      await allow({ thread_models_by_everyone: true });
      expect((await ask(member, "POST", `${path}/update`, { chatProvider: "openai" }))[0]).toBe(
        200,
      );
      const kept = await uploadAs(member, mine.slug, "mine.txt");
      expect(await documentsIn(mine.slug)).toEqual([kept]);

      expect(await refusal(member, "POST", `/workspace/${slug}/update`, { name: "x" })).toEqual(
        workspacesRefused,
      );
      expect(await refusal(member, "DELETE", `/workspace/${slug}`)).toEqual(workspacesRefused);
      const upload = await member.upload("upload-and-embed", slug, "d.txt", "Tides.");
      expect([upload.status, upload.text]).toEqual(documentsRefused.slice(0, 2));

      // Without the right, they keep using it but no longer manage it.
      await allow({ members_create_workspaces: false, thread_models_by_everyone: false });
      expect(await refusal(member, "DELETE", path)).toEqual(workspacesRefused);
      expect((await ask(member, "GET", path))[0]).toBe(200);
      await allow({ members_create_workspaces: true });
      expect((await ask(member, "DELETE", path))[0]).toBe(200);
      await poll(rights).toMatchObject({ ownWorkspaces: [] });
      await allow({ members_create_workspaces: false });
    });
  });
}
