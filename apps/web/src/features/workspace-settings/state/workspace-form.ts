import { chatModes, type WorkspaceWire } from "@carrel/contracts";
import { useState } from "react";
import type { SuggestedMessage, WorkspaceChange } from "../api/workspace.ts";

/** Form values are strings, as typed. Empty means "use the default". */
export const fieldNames = [
  "name",
  "chatProvider",
  "chatModel",
  "chatMode",
  "openAiHistory",
  "openAiPrompt",
  "queryRefusalResponse",
  "openAiTemp",
  "topN",
  "similarityThreshold",
  "vectorSearchMode",
  "agentProvider",
  "agentModel",
] as const;
export type FieldName = (typeof fieldNames)[number];
export type Values = Record<FieldName, string>;
export type Fault = "name" | "whole" | "snippets" | "temperature" | "promptLong" | "refusalLong";

/** Specification 1, sections 5 and 9. */
export const recommendedHistory = 20;
export const maxHistory = 45;
export const recommendedSnippets = 4;
export const similarityLevels = [
  { name: "none", value: 0 },
  { name: "low", value: 0.25 },
  { name: "medium", value: 0.5 },
  { name: "high", value: 0.75 },
] as const;
export const maxSuggestions = 4;

export function valuesOf(workspace: WorkspaceWire): Values {
  return Object.fromEntries(
    fieldNames.map((name) => [name, workspace[name] === null ? "" : String(workspace[name])]),
  ) as Values;
}

/** Some keyboards offer only "0,7". NaN if it is not a number. */
export const parseNumber = (text: string): number =>
  /^\s*[+-]?(\d+[.,]?\d*|[.,]\d+)\s*$/.test(text)
    ? Number(text.trim().replace(",", "."))
    : Number.NaN;
const isWhole = (text: string): boolean => /^\s*\d{1,6}\s*$/.test(text);

/** Why a field can't be saved; null if it can. */
export function faultOf(name: FieldName, text: string): Fault | null {
  switch (name) {
    case "name":
      return text.trim() === "" ? "name" : null;
    case "openAiHistory":
      return isWhole(text) ? null : "whole";
    case "topN":
      return isWhole(text) && Number(text) >= 1 && Number(text) <= 100 ? null : "snippets";
    case "openAiTemp":
      return text.trim() === "" || parseNumber(text) >= 0 ? null : "temperature";
    case "openAiPrompt":
      return text.length > 100_000 ? "promptLong" : null;
    case "queryRefusalResponse":
      return text.length > 10_000 ? "refusalLong" : null;
    default:
      return null;
  }
}

/** The body of `update` that restores the given fields. */
export const savedOf = (names: readonly FieldName[], workspace: WorkspaceWire): WorkspaceChange =>
  Object.fromEntries(names.map((name) => [name, workspace[name]]));

/** The body of `update`: the given fields in the wire's format. */
export function changeOf(names: readonly FieldName[], values: Values): WorkspaceChange {
  const change: WorkspaceChange = {};
  for (const name of names) {
    const text = values[name];
    switch (name) {
      case "name":
        change.name = text.trim();
        break;
      case "openAiHistory":
      case "topN":
        change[name] = Number(text);
        break;
      case "similarityThreshold":
        change.similarityThreshold = Number(text);
        break;
      case "openAiTemp":
        change.openAiTemp = text.trim() === "" ? null : parseNumber(text);
        break;
      case "vectorSearchMode":
        change.vectorSearchMode = text === "rerank" ? "rerank" : "default";
        break;
      case "chatMode":
        change.chatMode = chatModes.find((mode) => mode === text) ?? "chat";
        break;
      default:
        change[name] = text.trim() === "" ? null : text;
    }
  }
  return change;
}

/** The messages as sent: trimmed. */
export const trimmed = (messages: readonly SuggestedMessage[]): SuggestedMessage[] =>
  messages.map(({ heading, message }) => ({ heading: heading.trim(), message: message.trim() }));
export const isBlank = ({ heading, message }: SuggestedMessage): boolean =>
  heading.trim() === "" && message.trim() === "";

/**
 * The list with one entry moved up (-1) or down (1); the same list if it is already at that end.
 */
export function moved<T>(list: readonly T[], index: number, step: -1 | 1): T[] {
  const entry = list[index];
  const other = list[index + step];
  return entry === undefined || other === undefined
    ? [...list]
    : list.with(index, other).with(index + step, entry);
}

/**
 * Inserts `text` at the cursor, replacing the selection. The returned `caret` is the cursor
 * position afterwards.
 */
export function insertAt(
  value: string,
  text: string,
  start: number,
  end: number,
): { value: string; caret: number } {
  return { value: value.slice(0, start) + text + value.slice(end), caret: start + text.length };
}

interface Draft {
  /** Saved values overlaid with unsaved edits. */
  values: Values;
  /** Fields that differ from their saved values. */
  changed: FieldName[];
  faults: Partial<Record<FieldName, Fault>>;
  set: (change: Partial<Values>) => void;
  discard: () => void;
  /** Marks `sent` as saved; anything typed since stays unsaved. */
  settle: (sent: Values) => void;
}

/** Unsaved edits of a form. Changes saved elsewhere show up in untouched fields. */
export function useDraft(saved: Values): Draft {
  const [typed, setTyped] = useState<Partial<Values>>({});
  const values = { ...saved, ...typed };
  const changed = fieldNames.filter((name) => values[name] !== saved[name]);
  const faults: Draft["faults"] = {};
  for (const name of changed) {
    const fault = faultOf(name, values[name]);
    if (fault) faults[name] = fault;
  }
  return {
    values,
    changed,
    faults,
    set: (change) => setTyped((before) => ({ ...before, ...change })),
    discard: () => setTyped({}),
    settle: (sent) =>
      setTyped((before) =>
        Object.fromEntries(
          Object.entries(before).filter(([name, value]) => value !== sent[name as FieldName]),
        ),
      ),
  };
}
