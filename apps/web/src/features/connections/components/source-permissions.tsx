import { LockKeyhole, TriangleAlert, Users } from "lucide-react";
import { useTranslation } from "react-i18next";
import { FaultText } from "../../../components/fault-text.tsx";
import { buttonStyles } from "../../../components/ui/button.tsx";
import { formatAgo } from "../../../lib/format.ts";
import { tellsReaders } from "../state/draft.ts";
import { useMayOpen } from "../state/owner.ts";
import { SourceFact, SourceLink, type ShownSource } from "./source-page-parts.tsx";

/** Who may see a source's documents; nothing for sources that don't tell. */
export function SourcePermissions({ slug, connection, connector }: ShownSource) {
  const { t } = useTranslation("connections");
  const mayOpen = useMayOpen(connection);
  if (connector === undefined || !tellsReaders(connector, connection)) return null;
  const { id, mayChange, mirrorPermissions, matchAccounts, accessCheckedAt } = connection;
  const fault = mirrorPermissions ? connection.accessFault : null;
  const name = connector.label;
  return (
    <SourceFact
      icon={fault ? TriangleAlert : mirrorPermissions ? LockKeyhole : Users}
      tone={fault ? "warning" : mirrorPermissions ? "accent" : "neutral"}
      title={t("permissions.title")}
      buttons={
        mayChange && (
          <SourceLink slug={slug} rest={`${id}/edit`} className={buttonStyles({})}>
            {t("permissions.change")}
          </SourceLink>
        )
      }
    >
      <p>
        {mirrorPermissions
          ? t(matchAccounts ? "permissions.onAccounts" : "permissions.on", { name })
          : t("permissions.off")}{" "}
        {mirrorPermissions &&
          (accessCheckedAt === null
            ? t("permissions.unchecked")
            : t("permissions.checked", { when: formatAgo(accessCheckedAt) }))}
      </p>
      {fault && (
        <p className="text-warning">
          {t("permissions.checkFailed")} <FaultText fault={fault} fallback={t("unknownReason")} />
        </p>
      )}
      {mayChange && !mayOpen && <p className="text-xs text-fg-3">{t("permissions.ownerOnly")}</p>}
    </SourceFact>
  );
}
