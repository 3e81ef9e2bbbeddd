import type { ScheduleWire } from "@carrel/contracts";
import { useQuery } from "@tanstack/react-query";
import { useCallback, useEffect, useRef, useState, type FormEvent, type ReactNode } from "react";
import { flushSync } from "react-dom";
import { useTranslation } from "react-i18next";
import { Button } from "../../../components/ui/button.tsx";
import { Field, FieldHelp } from "../../../components/ui/field.tsx";
import { FormSection, PageBody, settingsColumn } from "../../../components/ui/form-section.tsx";
import { Notice } from "../../../components/ui/notice.tsx";
import { Segmented } from "../../../components/ui/segmented.tsx";
import { ApiError } from "../../../lib/api.ts";
import { cn } from "../../../lib/cn.ts";
import { sharedFlowsQuery } from "../../../lib/shared-flows.ts";
import { toast } from "../../../lib/toast.ts";
import { workspacesQuery } from "../../../lib/workspaces.ts";
import { useSaveSchedule } from "../api/schedules.ts";
import {
  fieldOf,
  isSame,
  keepDraft,
  problemsOf,
  savedContent,
  usesTools,
  type Content,
  type Field as FieldName,
} from "../state/content.ts";
import { ApprovalsField } from "./approvals-field.tsx";
import { DeliveryFields } from "./delivery-fields.tsx";
import { SecretDialog } from "./secret-dialog.tsx";
import { TimingFields } from "./timing-fields.tsx";
import { WorkFields } from "./work-fields.tsx";

/** Creates or changes a schedule; what is typed is kept in this browser until it is saved. */
export function ScheduleForm({
  schedule,
  saved,
  initial,
  isRestored,
  onDone,
  onCancel,
}: {
  /** null: a new one. */
  schedule: ScheduleWire | null;
  /** Without changes. */
  saved: Content;
  initial: Content;
  /** Whether `initial` is a draft. */
  isRestored: boolean;
  onDone: (id: string) => void;
  onCancel: () => void;
}) {
  const { t } = useTranslation("schedules");
  const id = schedule?.id ?? null;
  const [content, setContent] = useState(initial);
  const [hasDraft, setHasDraft] = useState(isRestored);
  const [isChecked, setChecked] = useState(false);
  const [shownSecret, showSecret] = useState<{ id: string; secret: string } | null>(null);
  const form = useRef<HTMLFormElement>(null);
  const save = useSaveSchedule();
  const workspaceMode =
    useQuery(workspacesQuery).data?.find(({ slug }) => slug === content.workspace)?.chatMode ??
    null;
  const isChanged = !isSame(content, saved);
  const isDone = save.isSuccess;
  useEffect(() => {
    if (!isDone) void keepDraft(id, isChanged ? content : null);
  }, [id, content, isChanged, isDone]);

  const showFirstProblem = useCallback((): void => {
    const field = form.current?.querySelector<HTMLElement>('[aria-invalid="true"]');
    field?.focus();
    field?.scrollIntoView({ block: "center" });
  }, []);
  useEffect(() => {
    if (save.error) showFirstProblem();
  }, [save.error, showFirstProblem]);

  const flow = useQuery({ ...sharedFlowsQuery, enabled: content.kind === "flow" }).data?.find(
    (each) => each.id === content.flowId,
  );
  const problems = problemsOf(content, schedule === null, flow);
  const fault = save.error instanceof ApiError ? save.error : null;
  const faultField = fault && fieldAbout(fault, content);
  const problemOf = (field: FieldName): string | null => {
    const problem = problems[field];
    if (isChecked && problem !== undefined) {
      if (problem === "invalid" && (field === "webhook" || field === "zone"))
        return t(`form.problem.${field}`);
      return t(`form.problem.${field === "days" ? "days" : problem}`);
    }
    return faultField === field ? (fault?.message ?? null) : null;
  };
  const change = (next: Partial<Content>): void => {
    setContent((before) => ({ ...before, ...next }));
    if (save.error) save.reset();
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (save.isPending || isDone) return;
    const ready = savedContent(content, schedule === null, flow);
    if (ready === null) {
      flushSync(() => setChecked(true));
      return showFirstProblem();
    }
    save.mutate(
      {
        target: schedule === null ? { slug: content.workspace } : { id: schedule.id },
        content: ready,
      },
      {
        onSuccess: (reply) => {
          void keepDraft(id, null);
          toast.success(t(schedule === null ? "form.created" : "form.saved"));
          if (reply.secret === null) onDone(reply.schedule.id);
          else showSecret({ id: reply.schedule.id, secret: reply.secret });
        },
      },
    );
  };
  const toCorrect = isChecked ? Object.keys(problems).length : 0;
  return (
    <form ref={form} className="flex min-h-0 flex-1 flex-col" noValidate onSubmit={submit}>
      <PageBody>
        <div className={cn(settingsColumn, "mx-auto gap-8")}>
          {hasDraft && (
            <Notice
              kind="info"
              action={
                <Button
                  size="sm"
                  onClick={() => {
                    setContent(saved);
                    setHasDraft(false);
                  }}
                >
                  {t("form.discard")}
                </Button>
              }
            >
              {t("form.draft")}
            </Notice>
          )}
          <FormSection title={t("form.what")}>
            <WorkFields
              content={content}
              isNew={schedule === null}
              problemOf={problemOf}
              onChange={change}
            />
          </FormSection>
          <FormSection title={t("form.when")}>
            <TimingFields
              when={content.when}
              problemOf={problemOf}
              onChange={(when) => change({ when: { ...content.when, ...when } })}
            />
            <Field>
              <span className="font-medium">{t("form.missed")}</span>
              <div>
                <Segmented
                  label={t("form.missed")}
                  value={content.missed}
                  options={[
                    { value: "once", label: t("form.missedOnce") },
                    { value: "skip", label: t("form.missedSkip") },
                  ]}
                  onChange={(missed) => change({ missed })}
                />
              </div>
            </Field>
          </FormSection>
          <FormSection title={t("form.results")}>
            <DeliveryFields content={content} problemOf={problemOf} onChange={change} />
          </FormSection>
          {(usesTools(content, workspaceMode) || content.approvals.length > 0) && (
            <FormSection title={t("form.approvals")} help={t("form.approvalsHelp")}>
              <ApprovalsField content={content} onChange={(approvals) => change({ approvals })} />
            </FormSection>
          )}
          {save.error && faultField === null && <Notice kind="bad">{save.error.message}</Notice>}
        </div>
      </PageBody>
      <Foot>
        <Button type="submit" variant="primary" disabled={save.isPending || isDone}>
          {schedule === null
            ? t(save.isPending ? "form.creating" : "form.create")
            : t(save.isPending ? "form.saving" : "form.save")}
        </Button>
        <Button
          variant="quiet"
          onClick={() => {
            void keepDraft(id, null);
            onCancel();
          }}
        >
          {t("cancel")}
        </Button>
        <FieldHelp className="ms-auto text-end" role="status">
          {toCorrect > 0 ? t("form.toCorrect", { count: toCorrect }) : ""}
        </FieldHelp>
      </Foot>
      {shownSecret !== null && (
        <SecretDialog
          title={t("secretTitle")}
          value={shownSecret.secret}
          onClose={() => onDone(shownSecret.id)}
        />
      )}
    </form>
  );
}

/** The field on this form that a refusal is about; simple choices have no cron field. */
function fieldAbout(error: ApiError, { when, kind }: Content): FieldName | null {
  const field = fieldOf(error.fault?.code);
  if (field === "cron" && when.repeat !== "custom") return null;
  if (field === "date" && when.repeat !== "once") return null;
  return field === "flow" && kind !== "flow" ? null : field;
}

const Foot = ({ children }: { children: ReactNode }) => (
  <footer
    data-bottom-bar
    className="flex flex-none border-t border-subtle bg-surface px-6 py-3 max-md:px-4"
  >
    <div className="mx-auto flex w-full max-w-[640px] items-center gap-2 max-md:[&>button]:h-11">
      {children}
    </div>
  </footer>
);
