import { describe, expect, it } from "@jest/globals";
import { reasonColumn } from "./reason-column.ts";

describe("reasonColumn", () => {
  it.each([
    { code: "file.damaged", params: { what: { code: "file-kind.pdf" } } },
    { code: "file.password-protected" },
    null,
  ])("reads %j as it was written", (reason) => {
    expect(reasonColumn.from(reasonColumn.to(reason) as string | null)).toEqual(reason);
  });
  it.each(["The PDF is damaged.", "{broken", '{"code":7}', "", "{}"])(
    "keeps the text %j of an older version",
    (text) => expect(reasonColumn.from(text)).toBe(text),
  );
});
