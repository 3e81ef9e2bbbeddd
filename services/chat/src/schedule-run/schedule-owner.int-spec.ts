import { setScheduleActive, workspaceDeleted, type WorkspaceScope } from "@carrel/contracts";
import { poll } from "@carrel/testing";
import { user } from "../../test/chat-suite.ts";
import { startSchedules } from "../../test/schedules.ts";

const suite = await startSchedules();
const { chat, create, get, makeDue, waitForRuns, reportsOf, sql } = suite;
let people = 100;
beforeEach(() => {
  chat.fixture.hasAccounts = true;
});

/** A schedule of a new member. */
async function createForMember(): Promise<{ scope: WorkspaceScope; userId: number; id: string }> {
  const userId = ++people;
  const scope = chat.as(chat.addWorkspace(), user(userId));
  chat.fixture.members.set(scope.workspace.id, new Set([userId]));
  const { schedule } = await create(scope);
  return { scope, userId, id: schedule.id };
}

it.each([
  ["suspended", "owner.suspended"],
  ["deleted", "owner.missing"],
  ["removed from the workspace", "owner.workspace-missing"],
])("pauses when its owner is %s, and tells", async (what, code) => {
  const { scope, userId, id } = await createForMember();
  const members = chat.fixture.members.get(scope.workspace.id)!;
  if (what === "suspended") chat.fixture.suspended.add(userId);
  else if (what === "deleted") chat.fixture.deletedUsers.add(userId);
  else members.delete(userId);
  const before = chat.llm.requests.length;
  await makeDue(id);
  const [run] = await waitForRuns(scope, id);
  expect(run).toMatchObject({ state: "skipped", fault: { code }, generationId: null });
  expect(chat.llm.requests).toHaveLength(before);
  expect(await get(scope, id)).toMatchObject({
    active: false,
    nextAt: null,
    pausedReason: { code },
  });
  await poll(() => reportsOf(id)).toMatchObject([
    { kind: "schedule.paused", userId, fault: { code } },
  ]);
  // Only by hand, and only while its owner may.
  const resume = () => chat.request(setScheduleActive, { id, active: true }, scope);
  await expect(resume()).rejects.toMatchObject({ code });
  chat.fixture.suspended.delete(userId);
  chat.fixture.deletedUsers.delete(userId);
  members.add(userId);
  expect((await get(scope, id)).active).toBe(false);
  expect((await resume()).schedule).toMatchObject({ active: true, pausedReason: null });
});

it("runs with the role that its owner has now", async () => {
  const { scope, userId, id } = await createForMember();
  await makeDue(id);
  await waitForRuns(scope, id);
  chat.fixture.managers.add(userId);
  await makeDue(id);
  await waitForRuns(scope, id, 2);
  const rows = await sql<{ role: string }>(
    `SELECT scope->'principal'->>'role' AS role FROM chat.generation
    WHERE workspace_id = $1 ORDER BY position`,
    [scope.workspace.id],
  );
  expect(rows.map(({ role }) => role)).toEqual(["default", "manager"]);
});

it("is deleted with its workspace", async () => {
  const { scope, id } = await createForMember();
  await chat.tell(workspaceDeleted, { workspaceId: scope.workspace.id });
  await poll(() => sql("SELECT id FROM chat.schedule WHERE id = $1", [id])).toEqual([]);
});
