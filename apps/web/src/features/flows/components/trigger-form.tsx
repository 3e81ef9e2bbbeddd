import type { FlowTriggerKind, FlowTriggerWire } from "@carrel/contracts";
import { useQuery } from "@tanstack/react-query";
import { useState, type FormEvent, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { FlowApprovals } from "../../../components/flow-approvals.tsx";
import { Button } from "../../../components/ui/button.tsx";
import { Notice } from "../../../components/ui/notice.tsx";
import { SelectField } from "../../../components/ui/text-field.tsx";
import { useCurrentUser } from "../../../lib/current-user.ts";
import { toast } from "../../../lib/toast.ts";
import { workspacesQuery } from "../../../lib/workspaces.ts";
import { useSetTrigger } from "../api/triggers.ts";

const noInputs = {};

/** What runs of a trigger may do without asking; saving it adds one that isn't there. */
export function TriggerForm({
  flowId,
  kind,
  trigger,
  searches,
  onSaved,
  children,
}: {
  flowId: string;
  kind: FlowTriggerKind;
  trigger: FlowTriggerWire | null;
  /** Whether a block of the flow needs a workspace. */
  searches: boolean;
  /** With the secret of a new webhook. */
  onSaved: (secret: string | null) => void;
  /** Beside its button. */
  children?: ReactNode;
}) {
  const { t } = useTranslation("flows");
  const user = useCurrentUser();
  const [approvals, setApprovals] = useState(trigger?.approvals ?? []);
  const [workspaceId, setWorkspaceId] = useState(trigger?.workspaceId ?? null);
  // Keys can be limited to workspaces.
  const takesWorkspace = kind === "api" || searches || workspaceId !== null;
  const workspaces = useQuery({ ...workspacesQuery, enabled: takesWorkspace }).data ?? [];
  const set = useSetTrigger(flowId);
  const isChanged =
    trigger === null ||
    workspaceId !== trigger.workspaceId ||
    JSON.stringify(approvals) !== JSON.stringify(trigger.approvals);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (set.isPending) return;
    // By then, a new trigger has replaced this form.
    void set.mutateAsync({ kind, approvals, workspaceId }).then(
      ({ secret }) => {
        if (secret === null) toast.success(t(trigger === null ? "trigger.added" : "trigger.saved"));
        onSaved(secret);
      },
      () => undefined, // the form shows it
    );
  };
  const owner = trigger?.owner ?? null;
  const isOthers = owner !== null && owner.id !== user?.id;
  return (
    <form className="grid grid-cols-1 gap-3" noValidate onSubmit={submit}>
      {takesWorkspace && (
        <SelectField
          label={t(searches ? "trigger.workspaceToSearch" : "trigger.workspace")}
          help={kind === "api" ? t("trigger.workspaceHelp") : undefined}
          value={workspaceId === null ? "" : String(workspaceId)}
          onChange={(id) => setWorkspaceId(id === "" ? null : Number(id))}
        >
          <option value="">{t("trigger.noWorkspace")}</option>
          {workspaces.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </SelectField>
      )}
      <div>
        <h4 className="font-medium">{t("trigger.allowed")}</h4>
        <p className="text-xs text-fg-3">{t("trigger.allowedHelp")}</p>
      </div>
      <FlowApprovals
        flowId={flowId}
        inputs={noInputs}
        approvals={approvals}
        onChange={(next) => {
          setApprovals(next);
          if (set.error) set.reset();
        }}
      />
      {set.error && (
        <Notice kind="bad">
          <p>{set.error.message}</p>
        </Notice>
      )}
      {isOthers && isChanged && (
        <p className="text-xs text-fg-2">{t("trigger.becomesYours", { name: owner.username })}</p>
      )}
      <div className="flex flex-wrap items-center gap-2">
        {(trigger === null || isChanged) && (
          <Button type="submit" variant="primary" aria-busy={set.isPending}>
            {t(trigger === null ? `trigger.${kind}.add` : "trigger.save")}
          </Button>
        )}
        {trigger !== null && isChanged && (
          <Button
            variant="quiet"
            onClick={() => {
              setApprovals(trigger.approvals);
              setWorkspaceId(trigger.workspaceId);
              set.reset();
            }}
          >
            {t("trigger.discard")}
          </Button>
        )}
        {children}
      </div>
    </form>
  );
}
