import type { TurnWire } from "@carrel/contracts";
import { expect, it } from "@jest/globals";
import { readDraft, writeDraft } from "./draft.ts";
import {
  dropUnsent,
  keepUnsent,
  noteFailed,
  noteRefused,
  readUnsent,
  restoreUnsent,
} from "./unsent-questions.ts";

const question = (message: string, newest: number | null = 7) =>
  ({ message, mode: "chat", newest }) as const;
const turn = (id: number, text: string): TurnWire => ({ id, question: text }) as TurnWire;
/** As another page of this browser would store them. */
const leave = (key: string, ...questions: unknown[]): void =>
  writeDraft(`${key}#unsent`, JSON.stringify(questions));

it("keeps questions in order, each once, next to the draft", () => {
  writeDraft("w/a", "A draft");
  for (const message of ["One?", "Two?", "One?"]) keepUnsent("w/a", question(message));
  const messages = (): string[] => readUnsent("w/a").map(({ message }) => message);
  expect(messages()).toEqual(["Two?", "One?"]);
  expect(readUnsent("w/b")).toEqual([]);
  dropUnsent("w/a", "Two?");
  dropUnsent("w/a", "Never asked");
  expect(messages()).toEqual(["One?"]);
  expect(readDraft("w/a")).toBe("A draft");
});

it("restores what an earlier page left, once, without what arrived or is being sent", () => {
  leave("w/c", question("Arrived?"), question("Asked before?"), question("Lost?"));
  keepUnsent("w/c", question("Being sent?"));
  const turns = [turn(3, "Asked before?"), turn(8, "Arrived?")];
  expect(restoreUnsent("w/c", turns)).toEqual([question("Asked before?"), question("Lost?")]);
  expect(restoreUnsent("w/c", turns)).toEqual([]);
  expect(readUnsent("w/c").map(({ message }) => message)).toEqual([
    "Asked before?",
    "Lost?",
    "Being sent?",
  ]);
});

it("ignores what it didn't store", () => {
  leave("w/d", "text", null, { message: 1, mode: "chat", newest: null }, question("Mine?", null));
  expect(restoreUnsent("w/d", [])).toEqual([question("Mine?", null)]);
  writeDraft("w/e#unsent", "An old question in plain text");
  expect(restoreUnsent("w/e", [])).toEqual([]);
});

it("sends a question again under its key, unless the server has replied to it", () => {
  const first = keepUnsent("w/f", question("One?"));
  expect(keepUnsent("w/f", question("Two?"))).not.toBe(first);
  expect(keepUnsent("w/f", question("One?", 9))).toBe(first);
  noteFailed("w/f", "One?");
  expect(readUnsent("w/f").at(-1)).toEqual({
    ...question("One?", 9),
    isRefused: true,
    requestKey: first,
  });
  expect(keepUnsent("w/f", question("One?"))).toBe(first);
  noteRefused("w/f", "One?");
  const second = keepUnsent("w/f", question("One?"));
  expect(second).not.toBe(first);
  dropUnsent("w/f", "One?");
  expect(keepUnsent("w/f", question("One?"))).not.toBe(second);
});
