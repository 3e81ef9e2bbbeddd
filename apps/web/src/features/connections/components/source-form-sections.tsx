import type { ConnectorField, ConnectionWire } from "@carrel/contracts";
import { useTranslation } from "react-i18next";
import { Button } from "../../../components/ui/button.tsx";
import type { FieldFault, FieldValues } from "../state/draft.ts";
import { useMayOpen } from "../state/owner.ts";
import { ConnectorFieldRow } from "./connector-field.tsx";
import { SwitchRow } from "./switch-row.tsx";

/** What happens to a saved credential. */
export type CredentialChoice = "keep" | "replace" | "remove";

const noChoices = (): Promise<string[]> => Promise.resolve([]);

/** A source's credential, which can be replaced or removed but never read back. */
export function CredentialSection({
  fields,
  values,
  faults,
  hasSaved,
  mustEnter,
  choice,
  onChoice,
  onChange,
}: {
  fields: readonly ConnectorField[];
  values: FieldValues;
  faults: Record<string, FieldFault>;
  hasSaved: boolean;
  /** There is no credential yet, or none for this server. */
  mustEnter: boolean;
  choice: CredentialChoice;
  onChoice: (choice: CredentialChoice) => void;
  onChange: (values: FieldValues) => void;
}) {
  const { t } = useTranslation("connections");
  const isOpen = mustEnter || choice === "replace";
  const isRequired = fields.some(({ required }) => required);
  return (
    <fieldset className="grid grid-cols-1 gap-3 rounded-md border border-line p-4">
      <legend className="sr-only">{t("form.credential")}</legend>
      <div>
        <p className="font-medium" aria-hidden="true">
          {t("form.credential")}
        </p>
        <p className="text-xs text-fg-3">
          {t(
            !hasSaved
              ? "form.credentialHelp"
              : mustEnter
                ? "form.credentialElsewhere"
                : choice === "remove"
                  ? "form.credentialRemoved"
                  : choice === "replace"
                    ? "form.credentialHelp"
                    : "form.credentialKept",
          )}
        </p>
      </div>
      {isOpen &&
        fields.map((field) => (
          <ConnectorFieldRow
            key={field.name}
            field={field}
            value={values[field.name] ?? ""}
            fault={faults[field.name] ?? null}
            onChange={(value) => onChange({ ...values, [field.name]: value })}
            onListChoices={noChoices}
          />
        ))}
      {hasSaved && !mustEnter && (
        <div className="flex flex-wrap gap-2">
          {choice === "keep" ? (
            <>
              <Button size="sm" onClick={() => onChoice("replace")}>
                {t("form.replaceCredential")}
              </Button>
              {!isRequired && (
                <Button size="sm" variant="quiet" onClick={() => onChoice("remove")}>
                  {t("form.removeCredential")}
                </Button>
              )}
            </>
          ) : (
            <Button size="sm" variant="quiet" onClick={() => onChoice("keep")}>
              {t("form.keepCredential")}
            </Button>
          )}
        </div>
      )}
    </fieldset>
  );
}

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
