import { describe, expect, it } from "@jest/globals";
import { describeText } from "./raw-texts.ts";

describe("metadata of raw text", () => {
  it("follows the wire, including its defaults", () => {
    expect(describeText({ title: "My notes: 50%", published: 0 })).toEqual({
      title: "My-notes-50.txt",
      url: "file://My-notes-50.txt",
      docAuthor: "no author specified",
      description: "no description found",
      docSource: "no source set",
      chunkSource: "My-notes-50.txt",
      published: new Date(0).toLocaleString("en-US"),
    });
    expect(
      describeText({
        title: "/../",
        url: "https://Example.org/A",
        docAuthor: "Eva",
        chunkSource: "x",
      }),
    ).toMatchObject({
      title: "text.txt",
      url: "web://https://example.org/a.website",
      docAuthor: "Eva",
      chunkSource: "x",
    });
    expect(
      describeText({ title: "x", url: "javascript:alert(1)", published: "never" }),
    ).toMatchObject({ url: "file://x.txt", published: expect.stringMatching(/\d/) });
    expect(describeText({ title: "x", published: 9e99 }).published).toMatch(/\d/);
  });
});
