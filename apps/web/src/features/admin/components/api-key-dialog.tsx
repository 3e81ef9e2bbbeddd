import { maxRequestsPerMinute, type ApiKeyWire, type KeyScope } from "@carrel/contracts";
import { useQuery } from "@tanstack/react-query";
import { useState, type FormEvent } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../../components/ui/button.tsx";
import { Checkbox, ChoiceCards } from "../../../components/ui/choices.tsx";
import { Dialog, DialogFooter } from "../../../components/ui/dialog.tsx";
import { Field, FieldError, labelStyles } from "../../../components/ui/field.tsx";
import { Notice } from "../../../components/ui/notice.tsx";
import { Segmented } from "../../../components/ui/segmented.tsx";
import { SelectField, TextField } from "../../../components/ui/text-field.tsx";
import { formatTime } from "../../../lib/format.ts";
import { toast } from "../../../lib/toast.ts";
import { workspacesQuery } from "../../../lib/workspaces.ts";
import {
  expiryDays,
  faultsOf,
  formOf,
  limitsOf,
  newKeyForm,
  useSaveApiKey,
  type ApiKeyForm,
} from "../api/api-keys.ts";
import { PickList } from "./pick-list.tsx";
import { SecretDialog } from "./secret-dialog.tsx";

interface ApiKeyDialogProps {
  apiKey: ApiKeyWire | null;
  multiUser: boolean;
  onClose: () => void;
}

/** Creates a key and shows it once, or changes what an existing one may do. */
export function ApiKeyDialog(props: ApiKeyDialogProps) {
  const workspaces = useQuery(workspacesQuery);
  if (props.apiKey !== null) return <Editor {...props} initial={formOf(props.apiKey)} />;
  // One of the workspaces is selected at first.
  if (workspaces.isPending) return null;
  return <Editor {...props} initial={newKeyForm(workspaces.data?.[0]?.id)} />;
}

function Editor({
  apiKey,
  multiUser,
  onClose,
  initial,
}: ApiKeyDialogProps & { initial: ApiKeyForm }) {
  const { t } = useTranslation("admin");
  const [form, setForm] = useState(initial);
  const [isChecked, setChecked] = useState(false);
  const save = useSaveApiKey(multiUser, apiKey);
  const faults = faultsOf(form, maxRequestsPerMinute);
  const set = (change: Partial<ApiKeyForm>): void => {
    setForm({ ...form, ...change });
    save.reset();
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    setChecked(true);
    if (save.isPending || Object.keys(faults).length > 0) return;
    save.mutate(limitsOf(form, apiKey), {
      onSuccess: () => {
        if (apiKey === null) return;
        toast.success(t("keys.saved"));
        onClose();
      },
    });
  };
  if (apiKey === null && save.isSuccess)
    return (
      <SecretDialog
        title={t("keys.createdTitle")}
        label={t("keys.key")}
        value={save.data}
        onClose={onClose}
      />
    );
  return (
    <Dialog
      open
      onClose={onClose}
      title={
        apiKey
          ? t("keys.editTitle", { name: apiKey.name || t("keys.unnamed") })
          : t("keys.newTitle")
      }
      description={apiKey ? undefined : t("keys.newText")}
      className="w-[min(560px,100vw-24px)]"
    >
      <form className="grid grid-cols-1 gap-5" onSubmit={submit} noValidate>
        <TextField
          label={t("keys.name")}
          extra={<span className="text-fg-3">{t("users.optional")}</span>}
          placeholder={t("keys.nameHint")}
          value={form.name}
          maxLength={255}
          autoFocus
          autoComplete="off"
          onChange={(event) => set({ name: event.target.value })}
        />
        <Field>
          <span className={labelStyles}>{t("keys.access")}</span>
          <ChoiceCards
            name="key-access"
            label={t("keys.access")}
            value={form.access}
            options={(["limited", "full"] as const).map((value) => ({
              value,
              label: t(`keys.accessChoice.${value}`),
              text: t(`keys.accessText.${value}`),
            }))}
            onChange={(access) => set({ access })}
          />
          {form.access === "limited" && (
            <ScopeChoice chosen={form.more} onChange={(more) => set({ more })} />
          )}
        </Field>
        <WorkspaceChoice form={form} isMissing={isChecked && faults.workspaceIds} onChange={set} />
        <div className="grid grid-cols-2 items-start gap-4 max-md:grid-cols-1">
          <ExpiryChoice
            form={form}
            apiKey={apiKey}
            isWrong={isChecked && faults.date}
            onChange={set}
          />
          <TextField
            label={t("keys.rate")}
            extra={<span className="text-fg-3">{t("users.optional")}</span>}
            type="number"
            inputMode="numeric"
            min={1}
            max={maxRequestsPerMinute}
            placeholder={t("keys.rateNone")}
            value={form.rate}
            problem={isChecked && faults.rate ? t("keys.rateFault") : null}
            onChange={(event) => set({ rate: event.target.value })}
          />
        </div>
        {save.error && (
          <Notice kind="bad">
            <p>
              {t(apiKey ? "keys.saveFailed" : "keys.createFailed", { message: save.error.message })}
            </p>
          </Notice>
        )}
        <DialogFooter>
          <Button variant="quiet" onClick={onClose}>
            {t("cancel")}
          </Button>
          <Button type="submit" variant="primary" disabled={save.isPending}>
            {save.isPending
              ? t(apiKey ? "saving" : "keys.creating")
              : t(apiKey ? "users.save" : "keys.create")}
          </Button>
        </DialogFooter>
      </form>
    </Dialog>
  );
}

function ScopeChoice({
  chosen,
  onChange,
}: {
  chosen: ReadonlySet<KeyScope>;
  onChange: (chosen: Set<KeyScope>) => void;
}) {
  const { t } = useTranslation("admin");
  const toggle = (scope: KeyScope): void => {
    const next = new Set(chosen);
    if (!next.delete(scope)) next.add(scope);
    onChange(next);
  };
  return (
    <div className="grid gap-1 pt-1" role="group" aria-label={t("keys.scopes")}>
      {(["read", "chat", "documents"] as const).map((scope) => (
        <label key={scope} className="flex items-start gap-2.5 py-1">
          <Checkbox
            checked={scope === "read" || chosen.has(scope)}
            disabled={scope === "read"}
            onChange={() => toggle(scope)}
          />
          <span className="-mt-0.5 min-w-0">
            <span className="block font-medium">{t(`keys.scope.${scope}`)}</span>
            <span className="block text-xs text-fg-3">{t(`keys.scopeText.${scope}`)}</span>
          </span>
        </label>
      ))}
    </div>
  );
}

function WorkspaceChoice({
  form,
  isMissing,
  onChange,
}: {
  form: ApiKeyForm;
  isMissing: boolean | undefined;
  onChange: (change: Partial<ApiKeyForm>) => void;
}) {
  const { t } = useTranslation("admin");
  const workspaces = useQuery(workspacesQuery);
  return (
    <Field>
      <div className={`${labelStyles} items-center`}>
        <span>{t("keys.workspaces")}</span>
        <Segmented
          label={t("keys.workspaces")}
          value={form.reach}
          options={(["all", "selected"] as const).map((value) => ({
            value,
            label: t(`keys.reach.${value}`),
          }))}
          onChange={(reach) => onChange({ reach })}
        />
      </div>
      {form.reach === "selected" && (
        <PickList
          label={t("keys.workspaces")}
          search={t("invites.searchWorkspaces")}
          items={workspaces.data ?? []}
          selected={form.workspaceIds}
          onChange={(workspaceIds) => onChange({ workspaceIds })}
        />
      )}
      {isMissing && <FieldError role="alert">{t("keys.workspacesFault")}</FieldError>}
    </Field>
  );
}

function ExpiryChoice({
  form,
  apiKey,
  isWrong,
  onChange,
}: {
  form: ApiKeyForm;
  apiKey: ApiKeyWire | null;
  isWrong: boolean | undefined;
  onChange: (change: Partial<ApiKeyForm>) => void;
}) {
  const { t } = useTranslation("admin");
  return (
    <div className="grid gap-2">
      <SelectField
        label={t("keys.expiry")}
        value={form.expiry}
        onChange={(expiry) => onChange({ expiry: expiry as ApiKeyForm["expiry"] })}
      >
        {apiKey?.expiresAt && (
          <option value="kept">{formatTime(Date.parse(apiKey.expiresAt))}</option>
        )}
        <option value="never">{t("keys.expiryNever")}</option>
        {expiryDays.map((days) => (
          <option key={days} value={days}>
            {t(`keys.expiryDays.${days}`)}
          </option>
        ))}
        <option value="date">{t("keys.expiryDate")}</option>
      </SelectField>
      {form.expiry === "date" && (
        <TextField
          label={t("keys.date")}
          type="date"
          value={form.date}
          problem={isWrong ? t("keys.dateFault") : null}
          onChange={(event) => onChange({ date: event.target.value })}
        />
      )}
    </div>
  );
}
