import { assignCallNames } from "./tool-name.ts";

const namesOf = (tools: [server: string, tool: string][], servers = tools.map(([name]) => name)) =>
  assignCallNames(
    tools.map(([server, tool]) => ({ server, tool })),
    servers,
  ).map(({ callName }) => callName);

describe("names by which models call tools", () => {
  it("are the server's and the tool's", () => {
    expect(namesOf([["my-tickets", "find_one"]])).toEqual(["my-tickets-find_one"]);
  });

  it("fit what models can call, and differ", () => {
    const names = namesOf([
      ["Büro", "suche"],
      ["Buro", "suche"],
      ["日本", "検索"],
      ["日本", "探す"],
      ["s", "x".repeat(80)],
      ["s", `${"x".repeat(80)}y`],
      ["s", "a.b"],
      ["s", "a/b"],
    ]);
    expect(new Set(names).size).toBe(names.length);
    for (const name of names) expect(name).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
    expect(names[1]).toBe("Buro-suche");
  });

  it("don't depend on which servers are connected", () => {
    const both = namesOf([
      ["a", "b-c"],
      ["a-b", "c"],
    ]);
    expect(both[1]).toBe("a-b-c");
    expect(both[0]).toMatch(/^a-b-c_[0-9a-f]{10}$/);
    expect(namesOf([["a", "b-c"]], ["a", "a-b"])).toEqual([both[0]]);
    expect(namesOf([["a-b", "c"]], ["a", "a-b"])).toEqual([both[1]]);
    expect(namesOf([["a", "bc"]], ["a", "a-b"])).toEqual(["a-bc"]);
  });
});
