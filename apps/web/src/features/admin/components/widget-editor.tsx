import { useSuspenseQuery } from "@tanstack/react-query";
import { ArrowLeft, ChartColumn, Code } from "lucide-react";
import { useRef, useState, type FormEvent } from "react";
import { useTranslation } from "react-i18next";
import { Badge } from "../../../components/ui/badge.tsx";
import { Button } from "../../../components/ui/button.tsx";
import { IconButton } from "../../../components/ui/icon-button.tsx";
import { Notice } from "../../../components/ui/notice.tsx";
import { PageBody } from "../../../components/ui/page-body.tsx";
import { SaveBar } from "../../../components/ui/save-bar.tsx";
import { toast } from "../../../lib/toast.ts";
import { nameOfWidget, useUpdateWidget, widgetsQuery, type Widget } from "../api/widgets.ts";
import {
  countChanges,
  countFaults,
  draftFaults,
  draftOf,
  fieldsOf,
  type WidgetDraft,
} from "../state/widget-draft.ts";
import { EmptyList } from "./data-table.tsx";
import { WidgetAccessFields } from "./widget-access-fields.tsx";
import { WidgetConversationFields } from "./widget-conversation-fields.tsx";
import { WidgetGeneralFields } from "./widget-general-fields.tsx";
import { WidgetIdentity } from "./widget-identity.tsx";
import { WidgetLimitFields } from "./widget-limit-fields.tsx";
import { WidgetLookFields } from "./widget-look-fields.tsx";
import { WidgetPreview } from "./widget-preview.tsx";
import { WidgetSnippetDialog } from "./widget-snippet-dialog.tsx";
import { WidgetUsageDialog } from "./widget-usage-dialog.tsx";
import { WidgetVisitorFields } from "./widget-visitor-fields.tsx";

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
