import { getWorkspaceSettings, setWorkspaceParameters } from "@carrel/contracts";
import { manager, member, startWorkspaceSuite } from "./workspace-suite.ts";

const { current, request, within } = await startWorkspaceSuite();

describe("how a workspace's model answers", () => {
  it("is set by managers, and read by chat with the settings", async () => {
    const read = async () =>
      (await request(getWorkspaceSettings, {}, within(manager))).parameters ?? null;
    const parameters = { maxTokens: 400, topP: 0.9, effort: "low" as const };
    expect(await read()).toBeNull();
    await request(setWorkspaceParameters, { slug: current().slug, parameters }, within(manager));
    expect(await read()).toEqual(parameters);
    await expect(
      request(setWorkspaceParameters, { slug: current().slug, parameters: {} }, within(member)),
    ).rejects.toMatchObject({ kind: "FORBIDDEN" });
    await request(
      setWorkspaceParameters,
      { slug: current().slug, parameters: {} },
      within(manager),
    );
    expect(await read()).toEqual({});
  });
});
