import { webhookEvents, type WebhookEvent, type WebhookWire } from "@carrel/contracts";
import { useQuery } from "@tanstack/react-query";
import { useState, type FormEvent } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../../components/ui/button.tsx";
import { Checkbox } from "../../../components/ui/choices.tsx";
import { Dialog, DialogFooter } from "../../../components/ui/dialog.tsx";
import { Notice } from "../../../components/ui/notice.tsx";
import { Segmented } from "../../../components/ui/segmented.tsx";
import { TextField } from "../../../components/ui/text-field.tsx";
import { toast } from "../../../lib/toast.ts";
import { workspacesQuery } from "../../../lib/workspaces.ts";
import { useCreateWebhook, useUpdateWebhook, webhookEventKey } from "../api/webhooks.ts";
import { PickList } from "./pick-list.tsx";
import { SecretDialog } from "./secret-dialog.tsx";

/** Adds a webhook and shows its secret once, or changes an existing one. */
export function WebhookDialog({
  webhook,
  onClose,
}: {
  webhook: WebhookWire | null;
  onClose: () => void;
}) {
  const { t } = useTranslation("webhooks");
  const [url, setUrl] = useState(webhook?.url ?? "");
  const [description, setDescription] = useState(webhook?.description ?? "");
  const [events, setEvents] = useState<ReadonlySet<WebhookEvent>>(
    new Set(webhook?.events ?? webhookEvents),
  );
  const [ofSome, setOfSome] = useState((webhook?.workspaceIds ?? null) !== null);
  const [chosen, setChosen] = useState<ReadonlySet<number>>(new Set(webhook?.workspaceIds ?? []));
  const [problem, setProblem] = useState<"noEvents" | "noWorkspaces" | null>(null);
  const workspaces = useQuery({ ...workspacesQuery, enabled: ofSome });
  const create = useCreateWebhook();
  const update = useUpdateWebhook({ errorToast: false });
  const isPending = create.isPending || update.isPending;
  const error = create.error ?? update.error;
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (isPending) return;
    const missing =
      events.size === 0 ? "noEvents" : ofSome && chosen.size === 0 ? "noWorkspaces" : null;
    setProblem(missing);
    if (missing !== null) return;
    const fields = {
      url: url.trim(),
      description: description.trim(),
      events: webhookEvents.filter((each) => events.has(each)),
      workspaceIds: ofSome ? [...chosen] : null,
      enabled: webhook?.enabled ?? true,
    };
    if (webhook === null) create.mutate(fields);
    else
      update.mutate(
        { id: webhook.id, ...fields },
        {
          onSuccess: () => {
            toast.success(t("saved"));
            onClose();
          },
        },
      );
  };
  if (create.isSuccess)
    return (
      <SecretDialog
        title={t("createdTitle")}
        text={t("secretText")}
        label={t("secret")}
        value={create.data}
        onClose={onClose}
      />
    );
  return (
    <Dialog
      open
      onClose={onClose}
      title={t(webhook === null ? "newTitle" : "editTitle")}
      description={t("newText")}
    >
      <form className="grid grid-cols-1 gap-4" onSubmit={submit}>
        <TextField
          label={t("url")}
          type="url"
          dir="ltr"
          placeholder="https://"
          value={url}
          required
          maxLength={2_000}
          autoFocus
          autoComplete="off"
          onChange={(event) => setUrl(event.target.value)}
        />
        <TextField
          label={t("description")}
          extra={<span className="text-fg-3">{t("optional")}</span>}
          placeholder={t("descriptionHint")}
          value={description}
          maxLength={200}
          autoComplete="off"
          onChange={(event) => setDescription(event.target.value)}
        />
        <fieldset className="grid gap-1">
          <legend className="mb-1 font-medium">{t("events")}</legend>
          {webhookEvents.map((each) => (
            <label key={each} className="flex items-start gap-2.5 py-1">
              <Checkbox
                checked={events.has(each)}
                onChange={({ target }) => {
                  const next = new Set(events);
                  if (target.checked) next.add(each);
                  else next.delete(each);
                  setEvents(next);
                }}
              />
              <span>
                {t(`event.${webhookEventKey(each)}`)}
                <span className="block text-xs text-fg-3">
                  {t(`eventHelp.${webhookEventKey(each)}`)}
                </span>
              </span>
            </label>
          ))}
        </fieldset>
        <div className="grid gap-2">
          <div>
            <Segmented
              label={t("workspaces")}
              options={[
                { value: "all", label: t("ofAll") },
                { value: "some", label: t("ofSome") },
              ]}
              value={ofSome ? "some" : "all"}
              onChange={(value) => setOfSome(value === "some")}
            />
          </div>
          {ofSome && (
            <PickList
              label={t("workspaces")}
              search={t("searchWorkspaces")}
              items={(workspaces.data ?? []).map(({ id, name }) => ({ id, name }))}
              selected={chosen}
              onChange={setChosen}
            />
          )}
        </div>
        {(problem ?? error) && (
          <Notice kind="bad">
            <p>{problem ? t(problem) : error?.message}</p>
          </Notice>
        )}
        <DialogFooter>
          <Button variant="quiet" onClick={onClose}>
            {t("cancel")}
          </Button>
          <Button type="submit" variant="primary" disabled={isPending}>
            {webhook === null
              ? t(isPending ? "creating" : "create")
              : t(isPending ? "saving" : "save")}
          </Button>
        </DialogFooter>
      </form>
    </Dialog>
  );
}
