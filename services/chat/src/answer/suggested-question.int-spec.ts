import { suggestQuestions } from "@carrel/contracts";
import { afterAll, beforeAll, expect, it } from "@jest/globals";
import { ChatInstance } from "../../test/chat-instance.ts";
import { passageOf } from "../../test/factories/passage.ts";

let chat: ChatInstance;
beforeAll(async () => {
  chat = await ChatInstance.start();
  await chat.startReplica();
});
afterAll(() => chat.stop());

const documents = [
  passageOf({
    title: "Tram line.md",
    documentId: "5b9c6a1e-0000-4000-8000-000000000001",
    headingPath: ["Tram line", "2.1 Costs"],
    text: "The costs of the tram line are ninety million euros.",
  }),
  passageOf({
    title: "Tram line.md",
    documentId: "5b9c6a1e-0000-4000-8000-000000000001",
    headingPath: ["Tram line", "Introduction"],
    text: "This chapter comes first.",
  }),
  passageOf({
    title: "Beaver.txt",
    documentId: "5b9c6a1e-0000-4000-8000-000000000002",
    text: "The beaver builds dams. Its dams hold back the water of the stream. Dams are repaired at night.",
  }),
  passageOf({
    title: "Empty form.txt",
    documentId: "5b9c6a1e-0000-4000-8000-000000000003",
    headingPath: ["Signature of the applicant"],
    text: "1.",
  }),
];

it("suggests questions that quotes answer, from headings and terms", async () => {
  const scope = chat.addWorkspace({ chatProvider: "extractive" }, documents);
  const { hasModel, questions } = await chat.request(suggestQuestions, { slug: "w" }, scope);
  expect(hasModel).toBe(false);
  expect(questions).toEqual([
    { question: "What does “Tram line” say about Costs?", title: "Tram line" },
    { question: "What does “Beaver” say about dams?", title: "Beaver" },
  ]);
});

it("suggests nothing where a model answers, or without documents", async () => {
  const answered = chat.addWorkspace({ chatProvider: "generic-openai" }, documents);
  expect(await chat.request(suggestQuestions, { slug: "w" }, answered)).toEqual({
    hasModel: true,
    questions: [],
  });
  const empty = chat.addWorkspace({ chatProvider: "extractive" }, []);
  expect(await chat.request(suggestQuestions, { slug: "w" }, empty)).toEqual({
    hasModel: false,
    questions: [],
  });
});
