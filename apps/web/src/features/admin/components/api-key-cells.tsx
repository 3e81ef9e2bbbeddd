import type { ApiKeyWire } from "@carrel/contracts";
import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { Badge } from "../../../components/ui/badge.tsx";
import { formatCost } from "../../../lib/format-usage.ts";
import { formatNumber, formatTime } from "../../../lib/format.ts";
import { isExpired } from "../state/api-key-form.ts";
import { PhoneLabel } from "./list-pane.tsx";
import { rowButton } from "./row-styles.ts";

export interface KeyUsage {
  tokens: number;
  /** In dollars; null: no price is known. */
  cost: number | null;
}

/** What a key may do, and where. */
export function KeyAccess({ apiKey }: { apiKey: ApiKeyWire }) {
  const { t } = useTranslation("admin");
  const { scopes, workspaceIds, requestsPerMinute } = apiKey;
  // Each scope includes reading.
  const shown = scopes.length > 1 ? scopes.filter((scope) => scope !== "read") : scopes;
  const limits = [
    workspaceIds === null
      ? t("keys.allWorkspaces")
      : t("keys.workspaceCount", { count: workspaceIds.length }),
    ...(requestsPerMinute === null
      ? []
      : [t("keys.rateCount", { limit: formatNumber(requestsPerMinute) })]),
  ];
  return (
    <>
      <span className="block truncate">
        {shown.map((scope) => t(`keys.scope.${scope}`)).join(", ")}
      </span>
      <span className="block truncate text-xs text-fg-3">{limits.join(" · ")}</span>
    </>
  );
}

export function KeyExpiry({ apiKey }: { apiKey: ApiKeyWire }) {
  const { t } = useTranslation("admin");
  const { expiresAt } = apiKey;
  if (isExpired(apiKey)) return <Badge tone="danger">{t("keys.expired")}</Badge>;
  return (
    <span className="text-xs text-fg-3 tabular-nums">
      <PhoneLabel>{t("keys.columnExpires")}:</PhoneLabel>
      {expiresAt === null ? t("never") : formatTime(Date.parse(expiresAt))}
    </span>
  );
}

/** Links to the key's usage by model. */
export function KeyUse({ apiKey, use }: { apiKey: ApiKeyWire; use: KeyUsage | undefined }) {
  const { t } = useTranslation("admin");
  if (use === undefined)
    return (
      <span className="block text-xs text-fg-3">
        <PhoneLabel>{t("keys.columnUsage")}:</PhoneLabel>
        {t("keys.noUsage")}
      </span>
    );
  const tokens = t("keys.tokens", { amount: formatNumber(use.tokens) });
  return (
    <>
      <PhoneLabel>{t("keys.columnUsage")}:</PhoneLabel>
      <Link
        className={rowButton}
        to="/settings/usage"
        search={{ keyId: apiKey.id, by: "model" }}
        aria-label={t("keys.showUsage", { name: apiKey.name || t("keys.unnamed") })}
      >
        {use.cost === null ? tokens : formatCost(use.cost)}
      </Link>
      {use.cost !== null && <span className="block text-xs text-fg-3 tabular-nums">{tokens}</span>}
    </>
  );
}
