import { describe, expect, it } from "@jest/globals";
import { groupFormats } from "./accepted-types.ts";

describe("accepted formats", () => {
  it("are grouped by kind, each extension once", () => {
    const office = "application/vnd.openxmlformats-officedocument";
    expect(
      groupFormats({
        "text/plain": [".txt", ".md"],
        "image/jpeg": [".jpg", ".jpeg"],
        "image/jpg": [".jpg", ".jpeg"],
        [`${office}.wordprocessingml.document`]: [".docx"],
        [`${office}.spreadsheetml.sheet`]: [".xlsx"],
        "application/xml": [".xml"],
        "application/pdf": [".pdf"],
        "application/msword": [".doc"],
        "application/zip": [".zip"],
        "application/x-ipynb+json": [".ipynb"],
      }),
    ).toEqual([
      { kind: "pdf", endings: [".pdf"] },
      { kind: "word", endings: [".docx", ".doc"] },
      { kind: "sheet", endings: [".xlsx"] },
      { kind: "image", endings: [".jpg", ".jpeg"] },
      { kind: "data", endings: [".xml", ".ipynb"] },
      { kind: "text", endings: [".txt", ".md"] },
      { kind: "other", endings: [".zip"] },
    ]);
  });
});
