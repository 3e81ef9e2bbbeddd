import { passageOf } from "../../test/factories/passage.ts";
import {
  classifyQuestion,
  contextsOf,
  isClearAlone,
  meansConversation,
  questionsBefore,
  mergeReadings,
} from "./follow-up.ts";

describe("follow-up questions", () => {
  it.each([
    "And in winter?",
    "How long does it last?",
    "What about the pump?",
    "Und im Winter?",
    "Combien coûte-t-il ?",
    "Who wrote that report?",
    "А зимой?",
    "Por qué sube?",
    "Why?",
    "How much?",
    "Wie viel?",
  ])("%s refers back", (question) => {
    expect(classifyQuestion(question)).toBe("referring");
  });
  it.each(["Welche Ruhezeiten gelten?", "Laundry hours?", "invoice", "φάρος", "ABC123"])(
    "%s is short",
    (question) => {
      expect(classifyQuestion(question)).toBe("short");
    },
  );
  it.each([
    "What is the design flow temperature of the heat pump?",
    "Which rooms need new radiators in block four?",
    "Welche Räume brauchen neue Heizkörper?",
  ])("%s is standalone", (question) => {
    expect(classifyQuestion(question)).toBe("standalone");
  });
  it.each([
    "Summarize that",
    "Can you summarize what you just said?",
    "Summarise the above",
    "tl;dr",
    "What are the main points of that?",
    "Give me an overview of our discussion",
  ])("%s may mean the conversation", (request) => {
    expect(meansConversation(request)).toBe(true);
  });
  it.each([
    "Summarize the documents",
    "Summarize everything",
    "Summarize the main points",
    "Give me an overview of the documents",
  ])("%s means the documents", (request) => {
    expect(meansConversation(request)).toBe(false);
  });
  it("are read alone first if they are short, with the previous question if they refer to it", () => {
    const previous = "How long is a wash?";
    expect(contextsOf("Laundry hours?", previous)).toEqual([null, previous]);
    expect(contextsOf("What does it cost?", previous)).toEqual([previous, null]);
    expect(contextsOf("Which rooms need new radiators in block four?", previous)).toEqual([null]);
    expect(contextsOf("Why?", null)).toEqual([null]);
  });
  it("are clear alone with enough distinctive words", () => {
    expect(isClearAlone("Laundry hours?")).toBe(true);
    expect(isClearAlone("Is there a gym in the building?")).toBe(true);
    expect(isClearAlone("What does it cost?")).toBe(false);
  });
  it("goes back as long as each question refers to the previous one", () => {
    expect(questionsBefore([])).toBeNull();
    expect(questionsBefore(["How high is the tower?"])).toBe("How high is the tower?");
    expect(
      questionsBefore([
        "How warm is the water of the pool?",
        "How high is the tower in the old town?",
      ]),
    ).toBe("How high is the tower in the old town?");
    expect(
      questionsBefore([
        "How warm is the water of the pool?",
        "How high is the tower in the old town?",
        "Who built it?",
      ]),
    ).toBe("How high is the tower in the old town?\nWho built it?");
    expect(questionsBefore(["one?", "And it?", "And it again?", "And that?"])).toBe(
      "And it?\nAnd it again?\nAnd that?",
    );
  });
});

const found = (context: string | null, ...documents: string[]) => ({
  context,
  passages: documents.map((documentId) => passageOf({ documentId, chunkId: documentId })),
  searched: [],
});
const merged = (topN: number, ...readings: ReturnType<typeof found>[]): string =>
  mergeReadings(readings, topN)
    .map(({ documentId }) => documentId)
    .join("");

describe("readings of a question", () => {
  const alone = found(null, "a", "b", "c", "d");
  const joined = found("before", "e", "b", "f", "g");

  it("are merged with the likelier one first and the best of the other one", () => {
    expect(merged(4, alone, joined)).toBe("abce");
    expect(merged(4, joined, alone)).toBe("ebfa");
    expect(merged(8, alone, joined)).toBe("abcdefg");
    expect(merged(2, alone, joined)).toBe("ae");
    expect(merged(1, alone, joined)).toBe("a");
  });

  it("fill the places that the likelier one leaves", () => {
    expect(merged(4, found(null), joined)).toBe("ebfg");
    expect(merged(4, found(null, "a"), joined)).toBe("aebf");
    expect(merged(4, alone, found("before", "a", "b"))).toBe("abcd");
    expect(merged(4, alone)).toBe("abcd");
  });
});
