import type { ProviderDeclaration } from "@carrel/contracts";
import { describe, expect, it } from "@jest/globals";
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
    for (const saved of [{}, { Limit: "4096" }]) {
      expect(initialValues(server, saved)).toEqual({ Limit: "" });
      expect(changedValues("language", server, { Limit: "" }, saved, [], true)).toEqual({});
      expect(emptiedValues(server, { Limit: "" }, saved, [])).toEqual({});
    }
    expect(faultOf(limit, "", {})).toBeNull();
    expect(faultOf(limit, "0", {})).toBe("tooSmall");
  });
  it("saves the number that existing clients show, and unsets a saved one", () => {
    const shown = { Limit: "4096" };
    expect(changedValues("language", server, shown, shown, [], true)).toEqual(shown);
    const { clientDefault: _unset, ...field } = limit;
    const set = { ...server, fields: [field] };
    expect(initialValues(set, shown)).toEqual(shown);
    expect(changedValues("language", set, shown, shown, [], true)).toEqual({});
    expect(emptiedValues(set, { Limit: "" }, shown, [])).toEqual({ Limit: "" });
    // The list of providers may be older than the saved settings.
    expect(initialValues(server, { Limit: "8192" })).toEqual({ Limit: "8192" });
  });
});
