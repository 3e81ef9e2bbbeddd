import type { StepOutput } from "@carrel/contracts";
import {
  Download,
  File,
  FileCode,
  FileSpreadsheet,
  FileText,
  Image,
  LoaderCircle,
  Presentation,
  type LucideIcon,
} from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { errorMessage } from "../../../lib/fault.ts";
import { fileTag } from "../../../lib/file-tag.ts";
import { formatBytes, joinFacts } from "../../../lib/format.ts";
import { toast } from "../../../lib/toast.ts";
import { saveGenerated } from "../api/steps.ts";
import { withoutHidden } from "../state/safe-text.ts";

const iconsByTag: Readonly<Record<string, LucideIcon>> = {
  PDF: FileText,
  DOC: FileText,
  TXT: FileText,
  MD: FileText,
  XLS: FileSpreadsheet,
  CSV: FileSpreadsheet,
  PPT: Presentation,
  PNG: Image,
  JPG: Image,
  SVG: Image,
  WEB: FileCode,
  JSON: FileCode,
};

/** A file that a step has made, to download. */
export function FileCard({ file }: { file: Extract<StepOutput, { type: "file" }> }) {
  const { t } = useTranslation("steps");
  const [isSaving, setSaving] = useState(false);
  const name = withoutHidden(file.name);
  const tag = fileTag(name, file.mime);
  const extension = /\.([a-z0-9]{1,5})$/i.exec(name)?.[1]?.toUpperCase() ?? tag;
  const Icon = iconsByTag[tag] ?? File;
  const Action = isSaving ? LoaderCircle : Download;
  const save = async (): Promise<void> => {
    setSaving(true);
    try {
      await saveGenerated(file.file, name);
    } catch (error) {
      toast.error(t("file.failed", { message: errorMessage(error) }));
    }
    setSaving(false);
  };
  return (
    <button
      type="button"
      className="flex max-w-96 items-center gap-3 rounded-md border border-line bg-raised px-3 py-2.5 text-start transition-[background,border-color] hover:border-strong hover:bg-hover-tint disabled:opacity-70"
      disabled={isSaving}
      onClick={() => void save()}
    >
      <span className="grid size-9 flex-none place-items-center rounded-sm bg-accent-subtle text-accent">
        <Icon className="size-4.5 stroke-[1.75]" aria-hidden="true" />
      </span>
      <span className="min-w-0 flex-1">
        <bdi className="block truncate font-medium" title={name}>
          {name}
        </bdi>
        <span className="block text-xs text-fg-3 tabular-nums">
          {joinFacts([extension, formatBytes(file.size)])}
        </span>
      </span>
      <Action
        className={
          isSaving ? "size-4 flex-none animate-spin text-fg-3" : "size-4 flex-none text-fg-3"
        }
        role="img"
        aria-label={t("file.download")}
      />
    </button>
  );
}
