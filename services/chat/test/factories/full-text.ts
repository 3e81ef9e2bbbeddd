import { randomUUID } from "node:crypto";
import type { Fixture } from "../fixture.ts";

type FullText = NonNullable<ReturnType<Fixture["fullTexts"]["get"]>>[number];

/** A pinned document. */
export const fullText = (part: Partial<FullText> = {}): FullText => ({
  kind: "pinned",
  documentId: randomUUID(),
  title: "rules.txt",
  published: "1/1/2026, 00:00:00",
  mime: "text/plain",
  url: "file://rules.txt",
  docAuthor: "Unknown",
  description: "No description",
  docSource: "a text file",
  chunkSource: "",
  wordCount: 3,
  token_count_estimate: 4,
  text: "Quiet hours begin at ten.",
  ...part,
});
