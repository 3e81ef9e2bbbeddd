import { describe, expect, it } from "@jest/globals";
import { politeQuestions } from "../test/polite-questions.ts";
import { analyseQuestion } from "./analyse.ts";
import { fillerPhrases } from "./filler-words.ts";
import { blankFillers } from "./question-fillers.ts";
import { quoteSentences } from "./quote-sentences.ts";

const wordsOf = (question: string, language = "en"): string[] =>
  analyseQuestion(question, { languages: [language] }).map(({ forms }) => forms[0]!);
/** Without spaces and marks, which a blanked clause may leave behind. */
const lettersOf = (text: string): string =>
  text
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, " ")
    .trim()
    .toLowerCase();

it("has phrases and examples for every language", () =>
  expect(Object.keys(fillerPhrases).toSorted()).toEqual(Object.keys(politeQuestions).toSorted()));

it.each(Object.entries(politeQuestions))(
  "blanks what is said for politeness and form in %s",
  (_language, [plain, ...asked]) => {
    expect(blankFillers(plain)).toBe(plain);
    for (const question of asked)
      expect([question, lettersOf(blankFillers(question))]).toEqual([question, lettersOf(plain)]);
  },
);

const question = "how high is the deposit of the flat";
it.each([
  "Hi, Q? Please keep it short.",
  "Hello! Hope you're doing well. Q? Best regards, Anna Smith",
  "Dear assistant, I was wondering if you could tell me Q.",
  "Quick question: Q?",
  "Do you happen to know Q?",
  "Can you help me find out Q?",
  "I'm curious about Q",
  "As a new employee, I'd like to know Q.",
  "I am working on a report for my boss and need some information. Q?",
  "My manager asked me to find out Q, can you help?",
  "Q? Use only information from the provided context.",
  "Q according to the documents?",
  "Can you look in the documents and tell me Q?",
  "Looking at the attached document, Q?",
  "From what you have, Q?",
  "Q? Answer in at most 50 words.",
  "In two sentences, Q?",
  "in one sentence Q",
  "Q in two sentences?",
  "Q? In detail please.",
  "Q? Think step by step.",
  "Q? Give me the answer as a table.",
  "Q? Return JSON.",
  "Q? In English please.",
  "Q, in simple terms?",
  "Q? Explain it like I'm five.",
  "Q? Use a formal tone.",
  "Q? If the answer is not in the documents, say that you don't know.",
  "Q? Quote the relevant passage.",
  "Q? Please provide a short, bulleted summary in Markdown.",
  "You are a helpful assistant. Answer the following question using the context: Q?",
  "PLEASE ANSWER BRIEFLY. Q?",
  "Q please answer in a bulleted list",
  "Q (answer in one word)",
  "Q? Output only the answer.",
  "Q? Have a great day!",
  "Is there anything else: Q?",
])("blanks all but the question: %s", (asked) =>
  expect(lettersOf(blankFillers(asked.replace(/\bQ\b/, question)).replace("Is there", ""))).toBe(
    question,
  ),
);

it.each([
  "Thank you note",
  "What does the thank-you letter say?",
  "How do I format the list in Markdown?",
  "In Markdown, how do I write a table?",
  "Write a summary in German of the lease",
  "What is the polite form of please?",
  "Someone Like You",
  "Who sings Someone Like You?",
  "Who wrote 'Please Please Me'?",
  "Who wrote Please Please Me?",
  'What is "cheers" in German?',
  "How do you say thank you in Japanese?",
  "What is the word for cheese in French?",
  "I lost my key card. What do I do?",
  "My laptop is broken and I need help. Who do I call?",
  "I was asked to sign a new contract. Is that legal?",
  "I am a student. Do I get a discount?",
  "We work in a team. Who leads it?",
  "According to the lease agreement, who pays?",
  "What is the purpose of the knowledge base?",
  "How do I upload documents?",
  "How many documents are in the archive?",
  "What does the document retention policy say?",
  "What's in the step-by-step guide?",
  "What does the else branch do?",
  "What does a driver need to know?",
  "Who wrote the hello world program?",
  "When was Hello Kitty created?",
  "Is the contract short?",
  "Is it brief, simple or long?",
  "What is the shortest path in simple graphs?",
  "How many words are in the oath?",
  "Which languages does the app support: English, German or French?",
  "How should I answer the phone?",
  "What did the author mean by brief?",
  "How do I cite sources in APA style?",
  "How do I apologise to a customer?",
  "Can I get a table for two?",
  "Where do I find the list of answers?",
  "Give me the table of contents",
  "Short films",
  "Help desk hours",
  "Help!",
  "Wie heißt die Einheit für Danke?",
  "Wie lautet die kurze Form von bitte?",
  "Wie schreibt man eine Liste in Markdown?",
  "¿Cómo se dice gracias en alemán?",
  "¿Qué significa por favor?",
  "Comment dire merci en allemand ?",
  "谢谢用日语怎么说？",
  "如何用Markdown写列表？",
  "كيف أكتب رسالة شكر؟",
])("keeps what is asked about: %s", (asked) => expect(blankFillers(asked)).toBe(asked));

it("replaces characters by spaces only, and never all", () => {
  const parts = [
    ...Object.values(politeQuestions).flat(),
    "“",
    " (",
    "\n- ",
    "¿",
    "😀 ",
    "Thanks!",
  ];
  for (let seed = 0; seed < 400; seed++) {
    const asked = [0, 1, 2]
      .map((place) => parts[(seed * 37 + place * 101) % parts.length])
      .join(" ");
    const blank = blankFillers(asked);
    expect(blank).toHaveLength(asked.length);
    expect(blank.trim()).not.toBe("");
    for (let at = 0; at < asked.length; at++)
      if (blank[at] !== asked[at]) expect(blank[at]).toBe(" ");
  }
  expect(blankFillers("Please answer briefly. Thanks!")).toBe("Please answer briefly. Thanks!");
});

it("finds nothing more in what it returned", () => {
  for (const asked of Object.values(politeQuestions).flat())
    expect(blankFillers(blankFillers(asked))).toBe(blankFillers(asked));
});

describe("search", () => {
  it.each([
    ["en", "How much is the deposit, and what else?", ["deposit"]],
    ["en", "I'd like to know who else pays the deposit, please.", ["pays", "deposit"]],
    ["de", "Hat irgendjemand die Kaution, und wer sonst noch?", ["kaution"]],
    ["fr", "Pouvez-vous me dire le loyer, s'il vous plaît ?", ["loyer"]],
    ["en", "Who wrote the thank-you letter?", ["wrote", "thank", "letter"]],
  ])("%s: %s", (language, asked, words) => expect(wordsOf(asked, language)).toEqual(words));

  it("takes fillers alone for a request about the question before", () => {
    for (const asked of ["What else?", "Anything else, please?", "Answer in two sentences."])
      expect(analyseQuestion(asked, { languages: ["en"] }).every(({ isStop }) => isStop)).toBe(
        true,
      );
  });

  it("quotes as for the plain question", () => {
    const passages = [
      {
        text: "The flat has two rooms and a balcony. The deposit is 1,200 euros. Pets need the landlord's consent.",
        title: "lease.txt",
        headingPath: [],
        score: 0.8,
      },
    ];
    for (const asked of [
      "How much is the deposit, and what else?",
      "Hello, I'd like to know how much the deposit is. Format the answer as a list. Thank you!",
    ])
      expect(
        quoteSentences({ question: asked, previousQuestion: null, passages, threshold: 0.25 }).map(
          ({ text }) => text,
        ),
      ).toEqual(["The deposit is 1,200 euros."]);
  });
});
