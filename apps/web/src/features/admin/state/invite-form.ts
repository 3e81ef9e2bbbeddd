import {
  maxInviteUses,
  maxInvitesAtOnce,
  type Args,
  type InviteRole,
  type createInvites,
} from "@carrel/contracts";
import i18next from "i18next";

/** One person of a pasted list. */
interface Invitee {
  label: string;
  /** As written behind the name; null: the role chosen for the whole list. */
  role: InviteRole | null;
}

const roleWords: Readonly<Record<string, InviteRole>> = {
  member: "default",
  user: "default",
  manager: "manager",
};

/** The role that a word names, in English or in the language of the interface. */
function roleOf(word: string): InviteRole | undefined {
  const known = roleWords[word.toLowerCase()];
  if (known !== undefined) return known;
  return (["default", "manager"] as const).find(
    (role) =>
      i18next.t(`admin:users.role.${role}`).toLocaleLowerCase(i18next.language) ===
      word.toLocaleLowerCase(i18next.language),
  );
}

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
  for (const line of text.split(/[\n\r;；؛]+/)) {
    let last: Invitee | null = null;
    for (const part of line.split(/[,،、，\t]/).map(tidy)) {
      if (part === "") continue;
      const role = roleOf(part);
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

/** Days until links expire. */
export const inviteDays = ["7", "30", "90", "never"] as const;

/** The dialog's contents, as typed and selected. */
export interface InviteForm {
  kind: "one" | "list" | "team";
  people: string;
  /** Name of the team. */
  label: string;
  uses: string;
  role: InviteRole;
  days: (typeof inviteDays)[number];
}

export const newInviteForm: InviteForm = {
  kind: "one",
  people: "",
  label: "",
  uses: "10",
  role: "default",
  days: "30",
};

export type InviteFault = "people" | "tooMany" | "uses";

/** Why it can't be sent; null if it can. */
export function inviteFault(form: InviteForm): InviteFault | null {
  if (form.kind === "list") {
    const { length } = parseInvitees(form.people);
    return length === 0 ? "people" : length > maxInvitesAtOnce ? "tooMany" : null;
  }
  const uses = Number(form.uses);
  const isCount = Number.isInteger(uses) && uses >= 1 && uses <= maxInviteUses;
  return form.kind === "team" && !isCount ? "uses" : null;
}

/** The request for several links, or for a team's single link. */
export const requestOf = (
  form: InviteForm,
  workspaceIds: number[],
  now = Date.now(),
): Args<typeof createInvites> => ({
  invites:
    form.kind === "list"
      ? parseInvitees(form.people).map(({ label, role }) => ({ label, role: role ?? form.role }))
      : [
          {
            label: form.label.trim() || null,
            role: form.role,
            maxUses: form.kind === "team" ? Number(form.uses) : 1,
          },
        ],
  workspaceIds,
  expiresAt:
    form.days === "never" ? null : new Date(now + Number(form.days) * 86_400_000).toISOString(),
});
