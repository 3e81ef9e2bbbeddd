import { useTranslation } from "react-i18next";
import { Notice } from "../../../components/ui/notice.tsx";
import { SelectField, TextField } from "../../../components/ui/text-field.tsx";
import { joinNames } from "../../../lib/format.ts";
import type { HubForm } from "../state/hub-form.ts";

const platforms = ["github", "gitlab", "gitea"] as const;

/** Where a hub of the chosen kind is. */
export function SourceFields({
  form,
  folders,
  missing,
  onChange,
}: {
  form: HubForm;
  folders: readonly string[];
  missing: "address" | "path" | "repo" | null;
  onChange: (part: Partial<HubForm>) => void;
}) {
  const { t } = useTranslation("hub");
  const problem = (field: typeof missing): string | null =>
    missing === field ? t("connection.missing") : null;
  switch (form.kind) {
    case "off":
      return <Notice>{t("off.text")}</Notice>;
    case "server":
      return (
        <TextField
          label={t("connection.address")}
          help={t("connection.addressHelp")}
          problem={problem("address")}
          type="url"
          dir="ltr"
          value={form.address}
          onChange={({ target }) => onChange({ address: target.value })}
        />
      );
    case "folder":
      return folders.length === 0 ? (
        <Notice kind="warn">{t("connection.noFolders")}</Notice>
      ) : (
        <TextField
          label={t("connection.folder")}
          help={t("connection.folderHelp", { folders: joinNames(folders) })}
          problem={problem("path")}
          dir="ltr"
          value={form.path}
          onChange={({ target }) => onChange({ path: target.value })}
        />
      );
    case "repository":
      return (
        <>
          <SelectField
            label={t("connection.platform")}
            value={form.platform}
            onChange={(platform) => onChange({ platform: platform as HubForm["platform"] })}
          >
            {platforms.map((platform) => (
              <option key={platform} value={platform}>
                {t(`platform.${platform}`)}
              </option>
            ))}
          </SelectField>
          <TextField
            label={t("connection.repo")}
            problem={problem("repo")}
            placeholder="https://github.com/owner/repository"
            type="url"
            dir="ltr"
            value={form.repo}
            onChange={({ target }) => onChange({ repo: target.value })}
          />
          <TextField
            label={t("connection.branch")}
            help={t("connection.branchHelp")}
            dir="ltr"
            value={form.branch}
            onChange={({ target }) => onChange({ branch: target.value })}
          />
        </>
      );
  }
}
