import { describe, expect, it } from "@jest/globals";
import "../../../../testing/texts.ts";
import { findLinks } from "./documents-manager.tsx";

describe("linksIn", () => {
  it("returns links only if the pasted text is nothing but links", () => {
    expect(
      findLinks(" https://a.example/x?y=1#z\nhttp://b.example https://a.example/x?y=1#z "),
    ).toEqual(["https://a.example/x?y=1#z", "http://b.example"]);
    for (const text of [
      "",
      "see https://a.example",
      "javascript:alert(1)",
      "file:///etc/passwd",
      "https://",
      "ftp://a.example",
    ])
      expect(findLinks(text)).toEqual([]);
  });
});
