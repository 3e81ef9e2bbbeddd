import type { Passage } from "@carrel/contracts";

/** Creates a passage of a text document; tests set only the fields that matter to them. */
export function passageOf(part: Partial<Passage> = {}): Passage {
  return {
    chunkId: "5b9c6a1e-0000-5000-8000-000000000001",
    documentId: "5b9c6a1e-0000-4000-8000-000000000001",
    docpath: "custom-documents/survey.json",
    title: "survey.txt",
    text: "At 48 °C most radiators cover the room load.",
    start: 0,
    end: 44,
    page: null,
    headingPath: [],
    rectangles: [],
    score: 0.8,
    denseScore: null,
    textScore: 0.8,
    url: "file://survey.txt",
    docAuthor: "Unknown",
    description: "No description",
    docSource: "a text file",
    chunkSource: "",
    published: "1/1/2026, 00:00:00",
    wordCount: 9,
    tokenCountEstimate: 12,
    ...part,
  };
}
