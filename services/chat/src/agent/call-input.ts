import { clipText } from "@carrel/contracts";
import type { Tool } from "@carrel/skills";
import { readToolInput } from "./tool-input.ts";

/** The input of a call that was recorded; null: its tool reads it otherwise by now. */
export function readAgain(tool: Tool, written: string): unknown {
  try {
    return readToolInput(tool, written);
  } catch {
    return null;
  }
}

/** What a call is about, in one short line. */
export function describeObject(tool: Tool, input: unknown): string | null {
  const object = tool.object?.(input) ?? null;
  return object === null ? null : clipText(object.replace(/\s+/g, " ").trim(), 200);
}
