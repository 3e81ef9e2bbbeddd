import type { UsageRow } from "@carrel/contracts";
import { describe, expect, it } from "@jest/globals";
import { usageHeader, writeUsageLine } from "./usage.routes.ts";

const row: UsageRow = {
  usedAt: "2026-11-25T10:00:00.000Z",
  purpose: "answer",
  state: "done",
  workspaceId: 1,
  userId: 2,
  keyId: null,
  provider: "openai",
  model: "gpt-4.1",
  inputTokens: 100,
  cachedTokens: 0,
  outputTokens: 20,
  reasoningTokens: 0,
  characters: 0,
  audioSeconds: 0,
  searches: 0,
  isEstimated: false,
  firstTokenMs: 300,
  durationMs: 900,
  cost: 0.00036,
};
const names = (workspace: string, user: string) => ({
  workspaces: new Map([[1, workspace]]),
  users: new Map([[2, user]]),
});

describe("usage as CSV", () => {
  it("has a column for each value, and says if a cost isn't known", () => {
    expect(writeUsageLine(row, names("Heat", "ada"), true)).toBe(
      "2026-11-25T10:00:00.000Z,answer,done,Heat,1,ada,2,,openai,gpt-4.1,100,0,20,0,0,0,0,no,300,900,0.000360\r\n",
    );
    const gone = { ...row, userId: null, keyId: 7, cost: null, firstTokenMs: null };
    const line = writeUsageLine(gone, names("Heat", "ada"), true);
    expect(line).toContain(",Heat,1,,,7,openai,");
    expect(writeUsageLine(gone, names("Heat", "ada"), false)).toContain(",Heat,1,,,,openai,");
    expect(line.endsWith(",,900,unknown\r\n")).toBe(true);
    expect(line.split(",")).toHaveLength(usageHeader.split(",").length);
  });

  it("has the units of speech, which may belong to no workspace", () => {
    const dictated = {
      ...row,
      purpose: "dictation" as const,
      workspaceId: null,
      audioSeconds: 7.25,
    };
    expect(writeUsageLine(dictated, names("Heat", "ada"), true)).toContain(
      "dictation,done,,,ada,2,,openai,gpt-4.1,100,0,20,0,0,7.25,0,no,",
    );
  });

  it("quotes separators and disarms formulas", () => {
    expect(
      writeUsageLine(row, names('=HYPERLINK("https://evil.example")', "a, b\n"), true),
    ).toContain(`"'=HYPERLINK(""https://evil.example"")",1,"a, b\n",2`);
    for (const name of ["+1", "-1", "@SUM(A1)", "\tx"])
      expect(writeUsageLine(row, names(name, "ada"), true)).toContain(`,'${name},1,`);
  });
});
