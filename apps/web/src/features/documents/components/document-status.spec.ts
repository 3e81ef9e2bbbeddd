import { describe, expect, it } from "@jest/globals";
import "../../../../testing/texts.ts";
import { mainNote } from "./document-status.tsx";

describe("the note of a library row", () => {
  const images = { code: "file-note.images-unread", params: { count: 2 } } as const;
  const encoding = { code: "file-note.encoding-guessed", params: { encoding: "KOI8-R" } } as const;

  it("is the one about the encoding, if there is one", () => {
    expect(mainNote([])).toBeNull();
    expect(mainNote([images])).toBe(images);
    expect(mainNote([images, encoding])).toBe(encoding);
    expect(mainNote(["Old.", encoding])).toBe(encoding);
  });
});
