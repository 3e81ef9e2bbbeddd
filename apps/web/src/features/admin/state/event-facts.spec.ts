import { describe, expect, it } from "@jest/globals";
import { factsOf, readableName } from "./event-facts.ts";

describe("events", () => {
  it("makes names readable that have no sentence", () => {
    expect(["workspace_thread_created", "mode.changed", "___"].map(readableName)).toEqual([
      "Workspace thread created",
      "Mode changed",
      "___",
    ]);
  });
  it("tells what was recorded as pairs", () => {
    expect(
      factsOf(
        '{"username":"mira","changes":{"role":{"from":"default","to":"manager"}},"workspaceIds":[1,2],"address":null}',
      ),
    ).toEqual([
      ["Username", "mira"],
      ["Changes", "Role: default → manager"],
      ["Workspace ids", "1, 2"],
      ["Address", "–"],
    ]);
    expect([factsOf(null), factsOf(""), factsOf("{}")]).toEqual([[], [], []]);
    expect([factsOf("plain"), factsOf("[1,2]"), factsOf('"x"')]).toEqual([
      [["", "plain"]],
      [["", "1, 2"]],
      [["", "x"]],
    ]);
  });
});
