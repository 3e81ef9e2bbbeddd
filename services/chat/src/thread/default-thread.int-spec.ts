import {
  clearDefaultThread,
  listMarkedThreads,
  listThreads,
  listTrash,
  updateDefaultThread,
  type In,
  type WorkspaceScope,
} from "@carrel/contracts";
import { slugOf, startChat, user } from "../../test/chat-suite.ts";
import { passageOf } from "../../test/factories/passage.ts";
import { wireFrames } from "../../test/received-frame.ts";

const { chat } = await startChat("It runs at 48 °C [1].");
let people = 1_100;
const member = () => chat.as(chat.addWorkspace({}, [passageOf()]), user(++people));
const own = async (scope: WorkspaceScope) =>
  (await chat.request(listMarkedThreads, slugOf(scope), scope)).defaultThread;
const update = (
  scope: WorkspaceScope,
  changes: Omit<In<typeof updateDefaultThread>, "slug">,
): Promise<unknown> => chat.request(updateDefaultThread, { ...slugOf(scope), ...changes }, scope);

describe("the default thread", () => {
  it("is named after its first question, without telling existing clients", async () => {
    const scope = member();
    expect(await own(scope)).toBeNull();
    const { frames } = await chat.ask(scope, "How warm is the water?");
    expect(wireFrames(frames)).not.toContainEqual(
      expect.objectContaining({ action: "rename_thread" }),
    );
    expect(await own(scope)).toMatchObject({ name: "How warm is the water?", pinnedAt: null });
    const { threads, ...counted } = await chat.request(listThreads, slugOf(scope), scope);
    expect([threads, counted]).toEqual([[], { defaultThreadChatCount: 1 }]);
  });

  it("is renamed, pinned and archived by its owner alone", async () => {
    const scope = member();
    const other = { ...scope, principal: user(++people) };
    await update(scope, { name: "Water", pinned: true });
    expect(await own(scope)).toMatchObject({ name: "Water", pinnedAt: expect.any(String) });
    await update(scope, { archived: true });
    expect(await own(scope)).toMatchObject({
      name: "Water",
      pinnedAt: null,
      archivedAt: expect.any(String),
    });
    await update(scope, { archived: false });
    expect(await own(scope)).toMatchObject({ archivedAt: null });
    expect(await own(other)).toBeNull();
    await chat.ask(scope, "How warm is it?");
    expect(await own(scope)).toMatchObject({ name: "Water" });
  });

  it("is empty after deleting it, and begins anew with the next question", async () => {
    const scope = member();
    const other = { ...scope, principal: user(++people) };
    await chat.ask(scope, "How warm is it?");
    await chat.ask(other, "How cold is it?");
    await chat.request(clearDefaultThread, slugOf(scope), scope);
    expect([await own(scope), await chat.history(scope)]).toEqual([null, []]);
    expect(await chat.history(other)).toHaveLength(2);
    expect((await chat.request(listTrash, slugOf(scope), scope)).threads).toEqual([]);
    await chat.request(clearDefaultThread, slugOf(scope), scope);
    await chat.ask(scope, "How wet is it?");
    expect(await own(scope)).toMatchObject({ name: "How wet is it?" });
    expect(await chat.history(scope)).toHaveLength(2);
  });
});
