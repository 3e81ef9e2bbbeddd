import { describe, expect, it } from "@jest/globals";
import { cleanTitle } from "./clean-title.ts";

describe("cleanTitle", () => {
  it.each([
    ['"Flow temperature of heat pumps."', "Flow temperature of heat pumps"],
    ["Title: **Heizung im Winter**\n\nHere is why…", "Heizung im Winter"],
    ["\n“Wärmepumpen”", "Wärmepumpen"],
    ["one two three four five six seven eight", "one two three four five six"],
    ["「熱ポンプの温度」", "熱ポンプの温度"],
    [`a${"b".repeat(500)}`, `a${"b".repeat(59)}`],
    ["Pumps\u0000 and\u202e more", "Pumps and more"],
    ["People's choice [1]", "People's choice"],
  ])("%j becomes %j", (written, title) => expect(cleanTitle(written)).toBe(title));
  it.each(["", "  \n ", '"""', "…"])("%j yields no title", (written) =>
    expect(cleanTitle(written)).toBeNull(),
  );
});
