import type { InviteWire, listInviteLimits, Out } from "@carrel/contracts";
import { useTranslation } from "react-i18next";
import { Badge } from "../../../components/ui/badge.tsx";
import { formatTime } from "../../../lib/format.ts";
import { maskCode } from "../state/masked-code.ts";

const tones = { pending: "info", claimed: "success", disabled: "neutral" } as const;

interface Cell {
  invite: InviteWire;
  /** Undefined until they are loaded. */
  limits: Out<typeof listInviteLimits>["limits"][number] | undefined;
}

const isExpired = ({ invite, limits }: Cell): boolean =>
  invite.status === "pending" &&
  limits?.expiresAt != null &&
  Date.parse(limits.expiresAt) <= Date.now();

/** For whom an invite is and the end of its code. */
export function Invitee({ invite, limits }: Cell) {
  const { t } = useTranslation("admin");
  return (
    <>
      {limits?.label != null && (
        <span className="block truncate font-medium" title={limits.label} dir="auto">
          {limits.label}
        </span>
      )}
      <span className="block truncate font-mono text-[0.93em]" dir="ltr">
        {maskCode(invite.code)}
      </span>
      {limits?.role === "manager" && (
        <span className="block truncate text-xs text-fg-3">{t("users.role.manager")}</span>
      )}
    </>
  );
}

/** Whether an invite can be accepted, how often and until when. */
export function InviteState({ invite, limits }: Cell) {
  const { t } = useTranslation("admin");
  const expired = isExpired({ invite, limits });
  return (
    <>
      <Badge tone={expired ? "neutral" : tones[invite.status]}>
        {t(`invites.status.${expired ? "expired" : invite.status}`)}
      </Badge>
      {limits !== undefined && limits.maxUses > 1 && (
        <span className="block truncate text-xs text-fg-3 tabular-nums">
          {t("invites.usesOf", { uses: limits.uses, count: limits.maxUses })}
        </span>
      )}
      {invite.status === "pending" && limits?.expiresAt != null && !expired && (
        <span className="block truncate text-xs text-fg-3 tabular-nums">
          {t("invites.until", { time: formatTime(Date.parse(limits.expiresAt)) })}
        </span>
      )}
    </>
  );
}
