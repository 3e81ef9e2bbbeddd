import { useQuery, useSuspenseQuery } from "@tanstack/react-query";
import { ArrowLeft, ChartColumn, Code } from "lucide-react";
import { useEffect, useId, useRef, useState, type FormEvent } from "react";
import { useTranslation } from "react-i18next";
import { Badge } from "../../../components/ui/badge.tsx";
import { Button, IconButton } from "../../../components/ui/button.tsx";
import { Checkbox } from "../../../components/ui/choices.tsx";
import { FormSection, PageBody, SaveBar } from "../../../components/ui/form-section.tsx";
import { Notice } from "../../../components/ui/notice.tsx";
import { SwitchLine } from "../../../components/ui/switch-line.tsx";
import { SelectField, TextField } from "../../../components/ui/text-field.tsx";
import { toast } from "../../../lib/toast.ts";
import { workspacesQuery } from "../../../lib/workspaces.ts";
import { nameOfWidget, useUpdateWidget, widgetsQuery, type Widget } from "../api/widgets.ts";
import {
  countChanges,
  countFaults,
  draftFaults,
  draftOf,
  fieldsOf,
  longestSuggestion,
  mostSuggestions,
  previewOf,
  type WidgetDraft,
  type WidgetFieldsProps,
} from "../state/widget-draft.ts";
import { EmptyList } from "./settings-page.tsx";
import { WidgetSnippetDialog, WidgetUsageDialog } from "./widget-dialogs.tsx";
import {
  LinesField,
  WidgetAccessFields,
  WidgetIdentity,
  WidgetLimitFields,
  WidgetLookFields,
} from "./widget-fields.tsx";

const overrides = [
  ["prompt", "allowPrompt"],
  ["model", "allowModel"],
  ["temperature", "allowTemperature"],
] as const;

/** What a site's pages may decide. */
function WidgetVisitorFields({ draft, set }: WidgetFieldsProps) {
  const { t } = useTranslation("widgets");
  return (
    <FormSection title={t("security")}>
      <SwitchLine
        label={t("onlySigned")}
        help={t("onlySignedHelp")}
        on={draft.onlySigned}
        onChange={(onlySigned) => set({ onlySigned })}
      />
      <fieldset className="grid gap-1">
        <legend className="font-medium">{t("overrides")}</legend>
        <p className="mb-1 text-fg-2">{t("overridesHelp")}</p>
        {overrides.map(([name, field]) => (
          <label key={name} className="flex items-center gap-2.5 py-1">
            <Checkbox
              checked={draft[field]}
              onChange={(event) => set({ [field]: event.target.checked })}
            />
            {t(`override.${name}`)}
          </label>
        ))}
      </fieldset>
    </FormSection>
  );
}

/** The settings of a widget, next to its chat. */
export function WidgetEditor({ id, onClose }: { id: number; onClose: () => void }) {
  const { t } = useTranslation("widgets");
  const { data: widgets } = useSuspenseQuery(widgetsQuery);
  const widget = widgets.find((each) => each.id === id);
  if (widget === undefined)
    return (
      <EmptyList title={t("missingTitle")} text={t("missingText")}>
        <Button onClick={onClose}>{t("back")}</Button>
      </EmptyList>
    );
  return <WidgetForm widget={widget} onClose={onClose} />;
}

function WidgetForm({ widget, onClose }: { widget: Widget; onClose: () => void }) {
  const { t } = useTranslation("widgets");
  const [edits, setEdits] = useState<Partial<WidgetDraft>>({});
  const [submitted, setSubmitted] = useState(false);
  const [dialog, setDialog] = useState<"snippet" | "usage" | null>(null);
  const closeDialog = (): void => setDialog(null);
  const form = useRef<HTMLFormElement>(null);
  const save = useUpdateWidget({ errorToast: false });
  const saved = draftOf(widget);
  const draft = { ...saved, ...edits };
  const faults = draftFaults(draft);
  const changes = countChanges(draft, saved);
  const discard = (): void => {
    setEdits({});
    setSubmitted(false);
    save.reset();
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    setSubmitted(true);
    if (save.isPending || changes === 0) return;
    if (countFaults(faults) > 0) {
      // The faults are marked by the next paint.
      requestAnimationFrame(() =>
        form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus(),
      );
      return;
    }
    save.mutate(
      { id: widget.id, ...fieldsOf(draft, widget) },
      {
        onSuccess: () => {
          discard();
          toast.success(t("saved"));
        },
      },
    );
  };
  const fields = {
    draft,
    faults: submitted ? faults : null,
    set: (change: Partial<WidgetDraft>): void => setEdits({ ...edits, ...change }),
  };
  return (
    <form
      ref={form}
      className="flex min-h-0 min-w-0 flex-1 flex-col"
      aria-label={nameOfWidget(widget)}
      onSubmit={submit}
      noValidate
    >
      <div className="flex flex-none flex-wrap items-center gap-2 border-b border-subtle px-6 py-3 max-md:px-4">
        <Button variant="quiet" className="-ms-3" onClick={onClose}>
          <ArrowLeft className="size-3.5 stroke-2 rtl:-scale-x-100" aria-hidden="true" />
          {t("back")}
        </Button>
        <h2 className="min-w-0 truncate font-semibold">{nameOfWidget(widget)}</h2>
        {!widget.enabled && <Badge>{t("disabled")}</Badge>}
        <span className="flex-1" />
        <IconButton label={t("menu.usage")} onClick={() => setDialog("usage")}>
          <ChartColumn />
        </IconButton>
        <Button onClick={() => setDialog("snippet")}>
          <Code className="size-3.5 stroke-2" aria-hidden="true" />
          {t("menu.snippet")}
        </Button>
      </div>
      <PageBody>
        <div className="grid max-w-[640px] grid-cols-1 gap-8 lg:max-w-none lg:grid-cols-[minmax(0,640px)_minmax(300px,400px)] lg:gap-10">
          <div className="grid grid-cols-1 gap-8">
            <WidgetGeneralFields {...fields} />
            <WidgetAccessFields {...fields} />
            <WidgetConversationFields {...fields} />
            <WidgetLookFields {...fields} />
            <WidgetLimitFields {...fields} />
            <WidgetVisitorFields {...fields} />
            <WidgetIdentity widget={widget} />
            {save.error && (
              <Notice kind="bad">
                <p>{t("saveFailed", { message: save.error.message })}</p>
              </Notice>
            )}
          </div>
          <WidgetPreview widget={widget} draft={draft} />
        </div>
      </PageBody>
      <SaveBar
        changes={changes}
        faults={submitted ? countFaults(faults) : 0}
        busy={save.isPending}
        onDiscard={discard}
      />
      {dialog === "snippet" && <WidgetSnippetDialog widget={widget} onClose={closeDialog} />}
      {dialog === "usage" && <WidgetUsageDialog widget={widget} onClose={closeDialog} />}
    </form>
  );
}

/** The edited widget on a sample page. It replies with a sample answer, which isn't stored. */
function WidgetPreview({ widget, draft }: { widget: Widget; draft: WidgetDraft }) {
  const { t } = useTranslation("widgets");
  const id = useId();
  const frame = useRef<HTMLIFrameElement>(null);
  const shown = JSON.stringify({
    ...previewOf(draft, widget),
    sampleAnswer: t("previewAnswer"),
  });
  const send = (): void =>
    frame.current?.contentWindow?.postMessage(JSON.parse(shown), location.origin);
  useEffect(send, [shown]);
  return (
    <section
      className="grid grid-cols-1 content-start gap-3 self-start lg:sticky lg:top-0"
      aria-labelledby={id}
    >
      <div>
        <h2 id={id} className="text-md font-semibold">
          {t("preview")}
        </h2>
        <p className="text-fg-2">{t("previewHelp")}</p>
      </div>
      <iframe
        ref={frame}
        className="h-[620px] w-full lg:h-[clamp(460px,100dvh-320px,720px)] rounded-md border border-line"
        src="/embed/preview"
        title={t("preview")}
        onLoad={send}
      />
    </section>
  );
}

/** What an empty chat shows, and whether answers name their sources. */
function WidgetConversationFields({ draft, faults, set }: WidgetFieldsProps) {
  const { t } = useTranslation("widgets");
  return (
    <FormSection title={t("conversation")}>
      <LinesField
        label={t("greeting")}
        help={t("greetingHelp")}
        maxLength={1_000}
        value={draft.greeting}
        onChange={(greeting) => set({ greeting })}
      />
      <LinesField
        label={t("suggested")}
        help={t("suggestedHelp", { count: mostSuggestions })}
        problem={
          faults?.suggested === true
            ? t("suggestedFault", { count: mostSuggestions, length: longestSuggestion })
            : null
        }
        value={draft.suggested}
        onChange={(suggested) => set({ suggested })}
      />
      <SwitchLine
        label={t("sources")}
        help={t("sourcesHelp")}
        on={draft.showSources}
        onChange={(showSources) => set({ showSources })}
      />
    </FormSection>
  );
}

/** Name, workspace and mode. */
function WidgetGeneralFields({ draft, set }: WidgetFieldsProps) {
  const { t } = useTranslation("widgets");
  const workspaces = useQuery(workspacesQuery);
  return (
    <FormSection title={t("general")}>
      <TextField
        label={t("name")}
        extra={<span className="text-fg-3">{t("optional")}</span>}
        help={t("nameHelp")}
        value={draft.name}
        maxLength={100}
        autoComplete="off"
        onChange={(event) => set({ name: event.target.value })}
      />
      <SelectField
        label={t("workspace")}
        value={draft.workspaceId}
        onChange={(workspaceId) => set({ workspaceId })}
      >
        {(workspaces.data ?? []).map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </SelectField>
      <SelectField
        label={t("mode")}
        value={draft.mode}
        onChange={(mode) => set({ mode: mode === "chat" ? "chat" : "query" })}
      >
        {(["query", "chat"] as const).map((mode) => (
          <option key={mode} value={mode}>
            {t(`modes.${mode}`)}
          </option>
        ))}
      </SelectField>
    </FormSection>
  );
}
