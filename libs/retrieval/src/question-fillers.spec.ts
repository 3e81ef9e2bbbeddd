import { describe, expect, it } from "@jest/globals";
import { findSlowTexts } from "@carrel/testing";
import { analyseQuestion } from "./analyse.ts";
import { findFillers } from "./question-fillers.ts";
import { quoteSentences } from "./quote-sentences.ts";

const wordsOf = (question: string, language = "en"): string[] =>
  analyseQuestion(question, { languages: [language] }).map(({ forms }) => forms[0]!);

describe("fillers", () => {
  it.each([
    "How much is the deposit, and what else?",
    "Is there anything else about the deposit?",
    "Hello, could you please tell me how much the deposit is? Thanks!",
    "I'd like to know who else pays the deposit, please.",
    "I was wondering what the deposit is.",
    "Did anyone pay the deposit, or somebody else?",
    "Do you know the deposit? Thank you in advance",
    "Show me the deposit, and by the way, who else pays it",
  ])("%s", (question) =>
    expect(wordsOf(question).filter((word) => !/^pays?$/.test(word))).toEqual(["deposit"]),
  );

  it.each([
    ["de", "Könnten Sie mir bitte sagen, wie die Kaution ist? Vielen Dank!", ["kaution"]],
    ["de", "Hat irgendjemand die Kaution, und wer sonst noch?", ["kaution"]],
    ["fr", "Pouvez-vous me dire le loyer, s'il vous plaît ?", ["loyer"]],
    ["es", "¿Cuál es la fianza, por favor?", ["fianza"]],
  ])("%s: %s", (language, question, words) => expect(wordsOf(question, language)).toEqual(words));

  it.each([
    ["What does the else branch do?", ["else", "branch"]],
    ["Who wrote the thank-you letter?", ["wrote", "thank", "letter"]],
    ["What does a driver need to know?", ["driver", "need", "know"]],
    ["Who sings Someone Like You?", ["sings", "someone", "like"]],
    ["Who wrote the hello world program?", ["wrote", "hello", "world", "program"]],
  ])("are words where the text is about them: %s", (question, words) =>
    expect(wordsOf(question)).toEqual(words),
  );

  it("alone leave the question to the one before", () => {
    for (const question of ["What else?", "Anything else, please?"])
      expect(analyseQuestion(question, { languages: ["en"] }).every(({ isStop }) => isStop)).toBe(
        true,
      );
  });

  it("don't keep an answer from being quoted", () => {
    const passages = [
      {
        text: "The flat has two rooms and a balcony. The deposit is 1,200 euros. Pets need the landlord's consent.",
        title: "lease.txt",
        headingPath: [],
        score: 0.8,
      },
    ];
    for (const question of [
      "How much is the deposit, and what else?",
      "Hello, I'd like to know how much the deposit is. Thank you!",
    ])
      expect(
        quoteSentences({ question, previousQuestion: null, passages, threshold: 0.25 }).map(
          ({ text }) => text,
        ),
      ).toEqual(["The deposit is 1,200 euros."]);
  });

  it("are found in linear time", async () => {
    const parts = ["anything ", "what else ", "i would like to ", "thanks ", "could you "];
    expect(await findSlowTexts(findFillers, 8_000, parts)).toEqual([]);
  });
});
