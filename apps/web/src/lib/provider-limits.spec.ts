import { describe, expect, it } from "@jest/globals";
import type { ProviderDeclaration } from "@carrel/contracts";
import { changedValues, emptiedValues, faultOf, initialValues } from "./provider-form.ts";

describe("a field that leaves it to the server", () => {
  const server: ProviderDeclaration = {
    id: "generic-openai",
    name: "OpenAI compatible",
    kind: "language",
    group: "local",
    listsModels: true,
    fields: [
      {
        key: "Limit",
        label: "contextWindow",
        kind: "number",
        required: false,
        empty: { uses: "server", otherwise: 8192 },
        clientDefault: 4096,
        min: 1,
      },
    ],
  };
  const [limit] = server.fields as [ProviderDeclaration["fields"][0]];

  it("is empty while nothing is saved, whatever existing clients show", () => {
    for (const saved of [{}, { Limit: 4096 }]) {
      expect(initialValues(server, saved)).toEqual({ Limit: "" });
      expect(changedValues("language", server, { Limit: "" }, saved, [], true)).toEqual({});
      expect(emptiedValues(server, { Limit: "" }, saved, [])).toEqual({});
    }
    expect(faultOf(limit, "", {})).toBeNull();
    expect(faultOf(limit, "0", {})).toBe("tooSmall");
  });
  it("saves the number that existing clients show, and unsets a saved one", () => {
    expect(changedValues("language", server, { Limit: "4096" }, { Limit: 4096 }, [], true)).toEqual(
      { Limit: "4096" },
    );
    expect(initialValues(server, { Limit: "4096" })).toEqual({ Limit: "4096" });
    expect(emptiedValues(server, { Limit: "" }, { Limit: "4096" }, [])).toEqual({ Limit: "" });
  });
});
