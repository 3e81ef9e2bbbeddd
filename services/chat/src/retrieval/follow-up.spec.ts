import {
  classifyQuestion,
  contextOf,
  meansConversation,
  questionsBefore,
  readingsOf,
} from "./follow-up.ts";

describe("follow-up questions", () => {
  it.each([
    "And in winter?",
    "How long does it last?",
    "What about the pump?",
    "Und im Winter?",
    "Combien coûte-t-il ?",
    "Who wrote that report?",
    "Why?",
  ])("%s refers back", (question) => {
    expect(classifyQuestion(question)).toBe("referring");
  });
  it.each(["Welche Ruhezeiten gelten?", "Laundry hours?"])("%s is short", (question) => {
    expect(classifyQuestion(question)).toBe("short");
  });
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
  it("searches with the previous question unless this one is standalone", () => {
    const previous = "How long is a wash?";
    expect(contextOf("Laundry hours?", previous)).toBe(previous);
    expect(contextOf("What does it cost?", previous)).toBe(previous);
    expect(contextOf("Which rooms need new radiators in block four?", previous)).toBeNull();
  });
  it("reads a short question alone first, a referring one with the previous question", () => {
    expect(readingsOf("Welche Ruhezeiten gelten?", "Wo liegt der Schlüssel?")).toEqual([
      null,
      "Wo liegt der Schlüssel?",
    ]);
    expect(readingsOf("Is there a gym in the building?", "Where is the key?")).toEqual([
      "Where is the key?",
      null,
    ]);
    expect(readingsOf("What does it cost?", "How long is a wash?")).toEqual([
      "How long is a wash?",
    ]);
    expect(
      readingsOf("Which rooms need new radiators in block four?", "How warm is the water?"),
    ).toEqual([null]);
    expect(readingsOf("Why?", null)).toEqual([null]);
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
