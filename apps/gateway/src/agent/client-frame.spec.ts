import { answersOf, isBailWord, isImageCommand, readClientFrame } from "./client-frame.ts";

it.each([
  "",
  "exit",
  "[]",
  "null",
  '{"type":"stopGeneration"}',
  '{"type":"awaitingFeedback"}',
  '{"type":"awaitingFeedback","feedback":7}',
  '{"type":"toolApprovalResponse","requestId":"a","approved":"yes"}',
  '{"type":"agentToolToggle","skill":"web-browsing","enabled":"yes"}',
])("ignores %j", (text) => {
  expect(readClientFrame(text)).toBeNull();
});

it("reads replies, decisions and answers", () => {
  expect(
    readClientFrame('{"type":"awaitingFeedback","feedback":"Go on","attachments":null}'),
  ).toEqual({ type: "awaitingFeedback", feedback: "Go on", attachments: null });
  expect(
    readClientFrame('{"type":"toolApprovalResponse","requestId":"a:1","approved":false}'),
  ).toMatchObject({ approved: false });
  expect(
    readClientFrame(
      '{"type":"agentToolToggle","skill":"tickets-find","enabled":false,"serverName":"tickets"}',
    ),
  ).toMatchObject({ skill: "tickets-find", enabled: false });
});

it("reads the answers of a form in the order of its questions", () => {
  const frame = { type: "clarificationResponse", requestId: "a:1" } as const;
  expect(
    answersOf({
      ...frame,
      answers: [{ answer: "2026" }, { skipped: true, answer: "x" }, { answer: ["a", "b"] }, {}],
    }),
  ).toEqual(["2026", null, ["a", "b"], null]);
  expect(answersOf({ ...frame, skipped: true, answers: [{ answer: "2026" }] })).toEqual([]);
  expect(answersOf(frame)).toEqual([]);
});

it("knows the words that end a session, and commands for images", () => {
  for (const word of ["exit", "/exit", " STOP ", "/stop", "halt", "/halt", "/reset"])
    expect(isBailWord(word)).toBe(true);
  for (const word of ["exit the harbour", "", "/exits"]) expect(isBailWord(word)).toBe(false);
  expect(isImageCommand("/img a boat")).toBe(true);
  expect(isImageCommand("/imgur")).toBe(false);
});
