import type { SourceWire } from "@carrel/contracts";
import { asCitation } from "./mcp-server.ts";

const page: SourceWire = {
  id: "link://https://example.com/heat",
  url: "https://example.com/heat",
  title: "Heat pumps",
  docAuthor: "",
  description: "",
  docSource: "web page",
  chunkSource: "link://https://example.com/heat",
  published: "",
  wordCount: 2,
  token_count_estimate: 2,
  text: "Heat pumps",
  documentId: "",
  docpath: "",
  page: null,
  start: 0,
  end: 10,
  headingPath: [],
};

it("leads to the document, or to a web page that is none", () => {
  const address = { url: "https://example.com/heat" };
  expect(asCitation("flow", page, 0)).toMatchObject({ ...address, uri: address.url });
  const document = asCitation("flow", { ...page, documentId: "d1" }, 0);
  expect(document).toMatchObject({ ...address, documentId: "d1" });
  expect(document.uri).toMatch(/d1$/);
});

it("opens a video at the second of the passage", () => {
  const video = "https://www.youtube.com/watch?v=x";
  const url = `${video}.youtube`;
  const chunkSource = `youtube://${video}`;
  const heading = { headingPath: ["00:01:02"] };
  expect(asCitation("flow", { ...page, url, chunkSource, ...heading }, 0).url).toBe(
    `${video}&t=62s`,
  );
});
