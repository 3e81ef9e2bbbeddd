import {
  maxInvitesAtOnce,
  maxInviteUses,
  type Args,
  type createInvites,
  type InviteRole,
} from "@carrel/contracts";
import { parseInvitees } from "./invite-list.ts";

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
