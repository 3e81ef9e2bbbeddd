import { describe, expect, it } from "@jest/globals";
import { factsOf, isByApiKey, isByCarrel, readableName, titleOf } from "./event-filters.tsx";

describe("event facts", () => {
  it("makes the names of unknown events readable", () => {
    expect(["workspace_thread_created", "mode.changed", "___"].map(readableName)).toEqual([
      "Workspace thread created",
      "Mode changed",
      "___",
    ]);
  });
  it("tells what a program did with an API key", () => {
    expect(
      ['{"apiKeyId":7}', '{"workspaceName":"apiKeyId","apiKeyId":12}', '{"id":7}', "", null].map(
        isByApiKey,
      ),
    ).toEqual([true, true, false, false, false]);
  });
  it("names Carrel and the source for events that no person caused", () => {
    const stopped = '{"title":"handbook","reason":"source.failing","by":"service"}';
    expect([isByCarrel(stopped), titleOf(stopped)]).toEqual([true, "handbook"]);
    expect(['{"by":"instance"}', "", null].map(isByCarrel)).toEqual([false, false, false]);
    expect(['{"title":7}', "plain", "null", null].map(titleOf)).toEqual([null, null, null, null]);
  });
  it("lists recorded metadata as name and value", () => {
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
