import type { ConnectionWire } from "@carrel/contracts";
import { useTranslation } from "react-i18next";
import { useMayOpen } from "../state/owner.ts";
import { SwitchRow } from "./switch-row.tsx";

type Permissions = Pick<ConnectionWire, "mirrorPermissions" | "matchAccounts">;

/** Who may see a source's documents: everyone in the workspace, or who may at the source. */
export function PermissionSection({
  name,
  saved,
  values: { mirrorPermissions, matchAccounts },
  onChange,
}: {
  /** The connector's. */
  name: string;
  /** null for a new source. */
  saved: ConnectionWire | null;
  values: Permissions;
  onChange: (permissions: Partial<Permissions>) => void;
}) {
  const { t } = useTranslation("connections");
  const mayOpen = useMayOpen(saved);
  const isKept = !mayOpen && (saved?.mirrorPermissions ?? false);
  return (
    <fieldset className="grid grid-cols-1 gap-4 rounded-md border border-line p-4">
      <legend className="sr-only">{t("permissions.title")}</legend>
      <SwitchRow
        label={t("permissions.mirror")}
        help={t(mirrorPermissions ? "permissions.mirrorOn" : "permissions.mirrorOff", { name })}
        isWarning={!mirrorPermissions}
        checked={mirrorPermissions}
        disabled={isKept}
        onChange={(on) => onChange({ mirrorPermissions: on })}
      />
      {mirrorPermissions && (
        <SwitchRow
          label={t("permissions.accounts")}
          help={t("permissions.accountsHelp", { name })}
          checked={matchAccounts}
          disabled={!mayOpen && !(saved?.matchAccounts ?? false)}
          onChange={(on) => onChange({ matchAccounts: on })}
        />
      )}
      {!mayOpen && <p className="text-xs text-fg-3">{t("permissions.ownerOnly")}</p>}
    </fieldset>
  );
}
