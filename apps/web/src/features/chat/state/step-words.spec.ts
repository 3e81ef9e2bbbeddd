import { beforeAll, describe, expect, it } from "@jest/globals";
import i18next from "i18next";
import steps from "../../../locales/en/steps.json" with { type: "json" };
import type { StepLine } from "./answer-parts.ts";

beforeAll(() =>
  i18next.init({ lng: "en", resources: { en: { steps } }, interpolation: { escapeValue: false } }),
);

describe("what a step did", () => {
  it.each([
    ["rag-memory", "search-documents", "Searched documents"],
    ["", "no-such-tool", "Used no-such-tool"],
    ["mcp:tickets", "tickets-create_issue", "Used create_issue of tickets"],
    // A name that models couldn't call ends with a hash.
    ["mcp:my tools", "my_tools-look_1b91073aae", "Used look of my tools"],
    ["mcp:Büro", "Bu_ro-look_1b91073aae", "Used look of Büro"],
    // A server's tools are never shown as Carrel's.
    ["mcp:gmail", "gmail-send", "Used send of gmail"],
    ["mcp:gone", "other-name", "Used other-name of gone"],
  ])("of the skill %s with the tool %s", async (skill, tool, words) => {
    // Adds its texts when it is loaded, so after they can be added.
    const { verbOf } = await import("./step-words.ts");
    const step: StepLine = {
      id: 1,
      at: 0,
      skill,
      tool,
      state: "done",
      object: null,
      milliseconds: 5,
    };
    expect(verbOf(i18next.getFixedT("en", "steps"), step)).toBe(words);
  });
});
