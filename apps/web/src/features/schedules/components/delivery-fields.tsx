import { scheduleThreads } from "@carrel/contracts";
import { useId } from "react";
import { useTranslation } from "react-i18next";
import { Field } from "../../../components/ui/field.tsx";
import { Segmented } from "../../../components/ui/segmented.tsx";
import { SwitchLine } from "../../../components/ui/switch-line.tsx";
import { TextField } from "../../../components/ui/text-field.tsx";
import type { Content, Field as FieldName } from "../state/content.ts";
import { FieldNote } from "./field-note.tsx";

const threadLabels = {
  new: "form.threadNew",
  same: "form.threadSame",
  none: "form.threadNone",
} as const;

/** Where results go. */
export function DeliveryFields({
  content,
  problemOf,
  onChange,
}: {
  content: Content;
  problemOf: (field: FieldName) => string | null;
  onChange: (change: Partial<Content>) => void;
}) {
  const { t } = useTranslation("schedules");
  const id = useId();
  const problem = problemOf("thread");
  return (
    <div className="grid grid-cols-1 gap-5">
      <Field>
        <span className="font-medium">{t("form.thread")}</span>
        <div>
          <Segmented
            label={t("form.thread")}
            value={content.thread}
            options={scheduleThreads.map((each) => ({ value: each, label: t(threadLabels[each]) }))}
            onChange={(thread) => onChange({ thread })}
          />
        </div>
        <FieldNote id={`${id}-thread`} problem={problem} />
      </Field>
      <TextField
        label={t("form.webhook")}
        extra={<span className="font-normal text-fg-3">{t("form.optional")}</span>}
        type="url"
        dir="ltr"
        placeholder="https://"
        value={content.webhook}
        maxLength={2_000}
        autoComplete="off"
        help={t("form.webhookHelp")}
        problem={problemOf("webhook")}
        onChange={(event) => onChange({ webhook: event.target.value })}
      />
      <SwitchLine
        label={t("form.changed")}
        help={t("form.changedHelp")}
        on={content.onlyWhenChanged}
        onChange={(onlyWhenChanged) => onChange({ onlyWhenChanged })}
      />
    </div>
  );
}
