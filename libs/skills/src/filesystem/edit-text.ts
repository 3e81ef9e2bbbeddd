import { fileError, showPath } from "./file-fault.ts";
import { maxFileBytes } from "./file-text.ts";

export interface TextEdit {
  old_text: string;
  new_text: string;
  replace_all?: boolean | undefined;
}

/**
 * Replaces exact texts, one after another. Throws ToolError if one isn't there, or not only once, and
 * before the text would get too long.
 */
export function applyEdits(text: string, edits: readonly TextEdit[], path: string): string {
  const hasCarriageReturns = text.includes("\r\n") && !/[^\r]\n/.test(text);
  const asInFile = (part: string): string =>
    hasCarriageReturns ? part.replace(/\r?\n/g, "\r\n") : part;
  return edits.reduce((current, edit) => {
    const [before, after] = [asInFile(edit.old_text), asInFile(edit.new_text)];
    const count = countOf(before, current);
    const params = { path: showPath(path) };
    if (count === 0)
      throw fileError(
        { code: "agent-file.text-not-found", params },
        "Read the file, and copy the text exactly, with its spaces.",
      );
    if (count > 1 && edit.replace_all !== true)
      throw fileError(
        { code: "agent-file.text-ambiguous", params: { ...params, count } },
        "Add lines around it, or set replace_all.",
      );
    // No encoding needs less than a byte for each unit.
    if (current.length + count * (after.length - before.length) > maxFileBytes)
      throw fileError({
        code: "agent-file.too-large",
        params: { ...params, megabytes: maxFileBytes / 1_000_000 },
      });
    return current.split(before).join(after);
  }, text);
}

function countOf(part: string, text: string): number {
  let count = 0;
  for (let at = text.indexOf(part); at !== -1; at = text.indexOf(part, at + part.length))
    count += 1;
  return count;
}

/** What changes, as a unified diff. */
export async function describeChange(path: string, before: string, after: string): Promise<string> {
  const { createTwoFilesPatch } = await import("diff");
  const options = { context: 3, timeout: 2_000 };
  return (
    createTwoFilesPatch(path, path, before, after, undefined, undefined, options) ??
    "The changes are too many to be listed."
  );
}

/** The same before the file is read: each replaced text with what replaces it. */
export const describeEdit = ({ old_text, new_text, replace_all }: TextEdit): string =>
  [
    ...(replace_all === true ? ["@@ everywhere @@"] : ["@@"]),
    ...old_text.split("\n").map((line) => `-${line}`),
    ...new_text.split("\n").map((line) => `+${line}`),
  ].join("\n");
