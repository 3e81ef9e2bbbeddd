import type { PluginDetail } from "@carrel/contracts";
import { useQuery } from "@tanstack/react-query";
import { useId, useState } from "react";
import { useTranslation } from "react-i18next";
import { Field, FieldLabel, Select } from "../../../components/ui/field.tsx";
import { FormSection } from "../../../components/ui/form-section.tsx";
import { formatBytes } from "../../../lib/format.ts";
import { pluginFileQuery } from "../api/plugins.ts";

/** The source of a plugin, to read before it is used. */
export function FilesViewer({ plugin }: { plugin: PluginDetail }) {
  const { t } = useTranslation("plugins");
  const { hubId, hash, files, entry, bytes } = plugin;
  const [path, setPath] = useState(entry);
  const { data, isError } = useQuery(pluginFileQuery(hubId, hash, path));
  const id = useId();
  const text = isError
    ? t("files.failed")
    : data === undefined
      ? t("files.loading")
      : (data.text ?? t("files.binary"));
  return (
    <FormSection
      title={t("files.title")}
      help={t("files.size", { size: formatBytes(bytes), count: files.length })}
    >
      <Field>
        <FieldLabel htmlFor={id}>{t("files.choose")}</FieldLabel>
        <Select
          id={id}
          className="font-mono text-sm"
          dir="ltr"
          value={path}
          onChange={(event) => setPath(event.target.value)}
        >
          {files.map((file) => (
            <option key={file.path} value={file.path}>
              {file.path}
            </option>
          ))}
        </Select>
      </Field>
      <pre
        className="max-h-[480px] min-h-24 overflow-auto rounded-sm bg-sunken p-3 font-mono text-xs whitespace-pre"
        dir="ltr"
        tabIndex={0}
        aria-label={path}
      >
        {text}
      </pre>
      {data?.isCut === true && <p className="text-xs text-fg-3">{t("files.cut")}</p>}
    </FormSection>
  );
}
