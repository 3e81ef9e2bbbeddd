import {
  deleteWorkspace,
  findWorkspacePicture,
  getWorkspaceSettings,
  listSuggestedMessages,
  setSuggestedMessages,
  setWorkspacePicture,
  workspaceUpdated,
  type Args,
  type Principal,
  type WorkspaceWire,
} from "@carrel/contracts";
import { listening } from "@carrel/testing";
import { beforeEach, describe, expect, it } from "@jest/globals";
import { callerRights } from "./caller-rights.ts";
import { admin, manager, member, startWorkspaceSuite } from "./workspace-suite.ts";

const { carrel, current, request, within } = await startWorkspaceSuite();
let workspace: WorkspaceWire;
const read = async (principal: Principal = admin): Promise<WorkspaceWire> =>
  (await request(getWorkspaceSettings, {}, within(principal))).workspace;
/** How often `workspace.updated` was broadcast for this workspace before the reply. */
async function countBroadcasts(act: () => Promise<unknown>): Promise<number> {
  let count = 0;
  const stop = carrel.shared.messaging.broadcast.on(`event:${workspaceUpdated.name}`, (payload) => {
    if ((payload as { workspaceId: number }).workspaceId === workspace.id) count += 1;
  });
  await listening(carrel.shared.messaging, workspaceUpdated);
  await act();
  stop();
  return count;
}

beforeEach(() => {
  workspace = current();
});

describe("suggested messages", () => {
  const set = (
    messages: Args<typeof setSuggestedMessages>["messages"],
    principal: Principal = manager,
  ) => request(setSuggestedMessages, { slug: workspace.slug, messages }, within(principal));
  const list = async (principal: Principal = member) =>
    (await request(listSuggestedMessages, { slug: workspace.slug }, within(principal)))
      .suggestedMessages;

  it("are replaced as a whole, in order, without empty ones", async () => {
    expect(await list()).toEqual([]);
    expect(
      await countBroadcasts(async () => {
        expect(
          await set([
            { heading: "Begin", message: "What is this?" },
            { heading: " ", message: null },
            { message: "Only a message" },
          ]),
        ).toEqual({ success: true, message: "Suggested messages saved successfully." });
      }),
    ).toBeGreaterThan(0);
    expect(await list()).toEqual([
      { heading: "Begin", message: "What is this?" },
      { heading: "", message: "Only a message" },
    ]);
    await set([{ heading: "Other", message: "x" }]);
    expect(await list()).toEqual([{ heading: "Other", message: "x" }]);
    await set([]);
    expect(await list()).toEqual([]);
  });

  it("set concurrently end up as one of the sets", async () => {
    const sets = Array.from({ length: 10 }, (_, index) =>
      Array.from({ length: 1 + (index % 4) }, (_each, place) => ({
        heading: `${index}`,
        message: `${place}`,
      })),
    );
    await Promise.all(sets.map((messages) => set(messages)));
    expect(sets).toContainEqual(await list());
  });

  it.each(callerRights)("%s", async (_name, principal, uses, manages) => {
    await set([{ heading: "Before", message: "x" }], admin);
    if (uses) expect(await list(principal)).toEqual([{ heading: "Before", message: "x" }]);
    else await expect(list(principal)).rejects.toMatchObject({ kind: "WORKSPACE_NOT_FOUND" });
    if (manages) await set([{ heading: "After", message: "x" }], principal);
    else
      await expect(set([{ heading: "After", message: "x" }], principal)).rejects.toMatchObject({
        kind: "FORBIDDEN",
      });
    expect(await list(admin)).toEqual([{ heading: manages ? "After" : "Before", message: "x" }]);
  });
});

describe("the picture", () => {
  const set = (key: string | null, principal: Principal = manager) =>
    request(setWorkspacePicture, { key }, within(principal));

  it.each(callerRights)("%s", async (_name, principal, uses, manages) => {
    await set("picture/before");
    if (uses)
      expect(await request(findWorkspacePicture, {}, within(principal))).toEqual({
        key: "picture/before",
      });
    else
      await expect(request(findWorkspacePicture, {}, within(principal))).rejects.toMatchObject({
        kind: "WORKSPACE_NOT_FOUND",
      });
    if (manages)
      expect(await set("picture/after", principal)).toEqual({ previous: "picture/before" });
    else await expect(set("picture/after", principal)).rejects.toMatchObject({ kind: "FORBIDDEN" });
  });

  it("is a file name on the wire, returns the replaced blob and is removed with the workspace", async () => {
    expect(
      await countBroadcasts(async () =>
        expect(await set("picture/one")).toEqual({ previous: null }),
      ),
    ).toBeGreaterThan(0);
    expect((await read()).pfpFilename).toBe("one.webp");
    // A redelivery replaces nothing.
    expect(await set("picture/one")).toEqual({ previous: null });
    expect(await set(null)).toEqual({ previous: "picture/one" });
    expect((await read()).pfpFilename).toBeNull();
    await set("picture/two");
    const gone = within(admin);
    expect(await request(deleteWorkspace, { slug: workspace.slug }, gone)).toEqual({
      pictureKey: "picture/two",
    });
    expect(await request(deleteWorkspace, { slug: workspace.slug }, gone)).toEqual({
      pictureKey: null,
    });
    await expect(
      request(setWorkspacePicture, { key: "picture/three" }, gone),
    ).rejects.toMatchObject({ kind: "WORKSPACE_NOT_FOUND" });
  });
});
