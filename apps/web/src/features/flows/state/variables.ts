import type { FlowStep } from "@carrel/contracts";
import { clipText } from "@carrel/contracts/clip-text";
import { resultOf } from "./blocks.ts";
import { listIn, slotsOf } from "./tree.ts";

/** Visits each block with the variables that are defined before it, in order. */
export function visitBlocks(
  steps: readonly FlowStep[],
  visit: (step: FlowStep, known: readonly string[]) => void,
  known: string[] = [],
): void {
  const add = (name: string): void => {
    if (name !== "" && !known.includes(name)) known.push(name);
  };
  for (const step of steps) {
    visit(step, [...known]);
    if (step.type === "start") for (const { name } of step.config.variables) add(name.trim());
    const item = step.type === "carrel-loop" ? step.config.itemVariable.trim() : "";
    const isNew = item !== "" && !known.includes(item);
    if (isNew) known.push(item);
    for (const slot of slotsOf(step)) visitBlocks(listIn(step, slot), visit, known);
    // A loop's item exists inside of it only.
    if (isNew) known.splice(known.indexOf(item), 1);
    add(resultOf(step));
  }
}

export function variablesBefore(steps: readonly FlowStep[], id: string): readonly string[] {
  let found: readonly string[] = [];
  visitBlocks(steps, (step, known) => {
    if (step.id === id) found = known;
  });
  return found;
}

/** The variables that a text refers to, without the paths into them. */
export const variablesIn = (text: string): string[] => [
  ...new Set(
    [...text.matchAll(/\$\{([^}]+)\}/g)].map(([, path = ""]) =>
      (path.split(/[.[]/)[0] ?? "").trim(),
    ),
  ),
];

/** The unfinished `${…` that ends at the caret. */
export function openReference(before: string): { start: number; typed: string } | null {
  const match = /\$\{([^{}\n]*)$/.exec(before);
  return match && { start: match.index, typed: match[1] ?? "" };
}

export interface Suggestion {
  path: string;
  /** Its value in the last test run, shortened; null if there is none. */
  preview: string | null;
}

/** Replies of APIs are often JSON as text, into which paths lead too. */
function structureOf(value: unknown): unknown {
  if (typeof value !== "string" || !/^\s*[[{]/.test(value)) return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}

const previewOf = (value: unknown): string | null => {
  if (value === undefined) return null;
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return text.length > 60 ? `${clipText(text, 59)}…` : text;
};

/** At most this many parts of a value are offered. */
const mostParts = 30;

function partsOf(path: string, whole: unknown): { path: string; value: unknown }[] {
  const value = structureOf(whole);
  if (Array.isArray(value))
    return value.slice(0, 3).map((each: unknown, index) => ({
      path: `${path}[${index}]`,
      value: each,
    }));
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value)
    .filter(([name]) => /^[\w-]+$/.test(name))
    .slice(0, mostParts)
    .map(([name, each]) => ({ path: `${path}.${name}`, value: each as unknown }));
}

function valueAt(values: Readonly<Record<string, unknown>>, path: string): unknown {
  let value: unknown = values;
  for (const name of path.split(/[.[\]]+/).filter(Boolean)) {
    const whole = structureOf(value);
    if (typeof whole !== "object" || whole === null) return undefined;
    value = (whole as Record<string, unknown>)[name];
  }
  return value;
}

/** What a reference can go on to: variables, and the parts of values of the last test run. */
export function suggestPaths(
  typed: string,
  names: readonly string[],
  values: Readonly<Record<string, unknown>>,
): Suggestion[] {
  const text = typed.trim();
  const lowered = text.toLowerCase();
  const base = /^(.*)[.[][^.[]*$/.exec(text)?.[1];
  const candidates =
    base === undefined
      ? [
          ...names.map((name) => ({ path: name, value: values[name] })),
          ...(names.includes(text) ? partsOf(text, values[text]) : []),
        ]
      : [
          ...partsOf(base, valueAt(values, base)),
          ...(text.endsWith("]") ? partsOf(text, valueAt(values, text)) : []),
        ];
  return candidates
    .filter(({ path }) => path.toLowerCase().includes(lowered))
    .map(({ path, value }) => ({ path, preview: previewOf(value) }));
}
