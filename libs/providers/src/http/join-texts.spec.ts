import { expect, it } from "@jest/globals";
import type { StreamPart } from "../spec/stream-part.ts";
import { joinTexts } from "./join-texts.ts";

const text = (value: string): StreamPart => ({ type: "text-delta", text: value });
const reasoning = (value: string): StreamPart => ({ type: "reasoning-delta", text: value });
const finish: StreamPart = { type: "finish", reason: "stop", usage: null };

it("joins successive pieces of the same kind and keeps the order of all parts", () => {
  const given = [
    reasoning("a"),
    reasoning("b"),
    text("c"),
    text(""),
    text("d"),
    { type: "tool-call-start", id: "1", name: "n" } as const,
    text("e"),
    reasoning("f"),
    text("g"),
    text("h"),
    finish,
  ];
  const copy = structuredClone(given);
  expect([...joinTexts(given)]).toEqual([
    reasoning("ab"),
    text("cd"),
    given[5],
    text("e"),
    reasoning("f"),
    text("gh"),
    finish,
  ]);
  expect(given).toEqual(copy);
  expect([...joinTexts([])]).toEqual([]);
  expect([...joinTexts([text("only")])]).toEqual([text("only")]);
});

it("yields the text before an error", () => {
  const read: StreamPart[] = [];
  const broken = function* (): Iterable<StreamPart> {
    yield text("a");
    yield text("b");
    throw new Error("not JSON");
  };
  expect(() => {
    for (const part of joinTexts(broken())) read.push(part);
  }).toThrow("not JSON");
  expect(read).toEqual([text("ab")]);
});

it("doesn't read on when its reader stops", () => {
  let isOver = false;
  const given = function* (): Iterable<StreamPart> {
    try {
      yield finish;
      yield text("after");
    } finally {
      isOver = true;
    }
  };
  for (const part of joinTexts(given())) {
    expect(part).toBe(finish);
    break;
  }
  expect(isOver).toBe(true);
});
