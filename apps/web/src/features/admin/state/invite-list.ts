import type { InviteRole } from "@carrel/contracts";

/** One person of a pasted list. */
export interface Invitee {
  label: string;
  /** As written behind the name; null: the role chosen for the whole list. */
  role: InviteRole | null;
}

const roleWords: Readonly<Record<string, InviteRole>> = {
  member: "default",
  user: "default",
  manager: "manager",
};

/** As mail programs copy it: `Anna Berg <anna@example.org>`. */
const tidy = (text: string): string =>
  text
    .trim()
    .replace(/^["'](.*)["']$/, "$1")
    .trim();

/**
 * Reads a pasted list of names or addresses: one per line, or separated by semicolons or commas. A
 * role may follow in the next column, as in spreadsheets and CSV files. Duplicates count once.
 */
export function parseInvitees(text: string): Invitee[] {
  const found = new Map<string, Invitee>();
  for (const line of text.split(/[\n\r;]+/)) {
    let last: Invitee | null = null;
    for (const part of line.split(/[,\t]/).map(tidy)) {
      if (part === "") continue;
      const role = roleWords[part.toLowerCase()];
      if (role !== undefined && last !== null) {
        last.role = role;
        continue;
      }
      const key = part.toLowerCase();
      last = found.get(key) ?? { label: part, role: null };
      found.set(key, last);
    }
  }
  return [...found.values()];
}

const cell = (text: string): string => {
  // A spreadsheet would run anything that looks like a formula.
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
};

/** The created links as a table: with tabs for the clipboard, as CSV for a file. */
export const linksAsText = (rows: readonly (readonly string[])[], format: "csv" | "tsv"): string =>
  rows.map((row) => (format === "csv" ? row.map(cell).join(",") : row.join("\t"))).join("\n");
