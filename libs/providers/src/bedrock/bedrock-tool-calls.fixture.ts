import type { StreamShape } from "../http/stream-shape.fixture.ts";
import { bedrockStop, happening, messages } from "./bedrock-streams.fixture.ts";

// Bedrock's ConverseStream (AWS API reference, 2026), and what gateways make of it.

const start = (index: number, toolUseId: string | undefined, name: string) =>
  happening("contentBlockStart", {
    contentBlockIndex: index,
    start: { toolUse: { ...(toolUseId !== undefined && { toolUseId }), name } },
  });
const add = (index: number, input: unknown) =>
  happening("contentBlockDelta", { contentBlockIndex: index, delta: { toolUse: { input } } });
const stop = (index: number) => happening("contentBlockStop", { contentBlockIndex: index });
const end = bedrockStop("tool_use");
const one = { calls: ["lookup"], inputs: [{ a: 1 }], reason: "tool-calls" } as const;
const two = {
  calls: ["lookup", "time"],
  inputs: [{ a: 1 }, { b: 2 }],
  reason: "tool-calls",
} as const;

export const bedrockToolCalls: StreamShape[] = [
  {
    name: "an input in pieces",
    ...messages(start(0, "t", "lookup"), add(0, '{"a"'), add(0, ":1}"), stop(0), ...end),
    ...one,
  },
  {
    name: "a call without its end",
    ...messages(start(0, "t", "lookup"), add(0, '{"a":1}'), ...end),
    ...one,
  },
  {
    name: "a call with end_turn",
    ...messages(start(0, "t", "lookup"), add(0, '{"a":1}'), stop(0), ...bedrockStop("end_turn")),
    ...one,
  },
  { name: "the reason without a call", ...messages(...end) },
  {
    name: "pieces mixed",
    ...messages(
      start(0, "t1", "lookup"),
      start(1, "t2", "time"),
      add(1, '{"b"'),
      add(0, '{"a":1}'),
      add(1, ":2}"),
      stop(0),
      stop(1),
      ...end,
    ),
    ...two,
  },
  {
    name: "no id",
    ...messages(start(0, undefined, "lookup"), add(0, '{"a":1}'), stop(0), ...end),
    ...one,
  },
  {
    name: "one id for two calls",
    ...messages(
      start(0, "t", "lookup"),
      add(0, '{"a":1}'),
      stop(0),
      start(1, "t", "time"),
      add(1, '{"b":2}'),
      stop(1),
      ...end,
    ),
    ...two,
  },
  {
    name: "an object as input",
    ...messages(start(0, "t", "lookup"), add(0, { a: 1 }), stop(0), ...end),
    ...one,
  },
  {
    name: "an input twice",
    ...messages(start(0, "t", "lookup"), add(0, '{"a":1}'), add(0, '{"a":1}'), stop(0), ...end),
    ...one,
  },
];
