import {
  webhookEvents,
  type DeliveryWire,
  type WebhookEvent,
  type WebhookWire,
} from "@carrel/contracts";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { ChevronDown, ChevronRight } from "lucide-react";
import { useState, type FormEvent } from "react";
import { useTranslation } from "react-i18next";
import { useFaultText } from "../../../components/fault-text.tsx";
import { Badge } from "../../../components/ui/badge.tsx";
import { Button } from "../../../components/ui/button.tsx";
import { Checkbox } from "../../../components/ui/choices.tsx";
import { Dialog, DialogFooter } from "../../../components/ui/dialog.tsx";
import { FailedQuery, Notice } from "../../../components/ui/notice.tsx";
import { Skeleton } from "../../../components/ui/progress.tsx";
import { Segmented } from "../../../components/ui/segmented.tsx";
import { TextField } from "../../../components/ui/text-field.tsx";
import { formatTime } from "../../../lib/format.ts";
import { toast } from "../../../lib/toast.ts";
import { workspacesQuery } from "../../../lib/workspaces.ts";
import {
  deliveriesQuery,
  deliveryEventKey,
  nameOfWebhook,
  useCreateWebhook,
  useReplayDelivery,
  useUpdateWebhook,
  webhookEventKey,
} from "../api/webhooks.ts";
import { PickList } from "./pick-list.tsx";
import { SecretDialog } from "./secret-dialog.tsx";

const tones = { pending: "info", delivered: "success", failed: "danger" } as const;

export function DeliveryState({ state }: { state: DeliveryWire["state"] }) {
  const { t } = useTranslation("webhooks");
  return <Badge tone={tones[state]}>{t(`state.${state}`)}</Badge>;
}

type Filter = "all" | "delivered" | "failed";

/** What was posted to a webhook, and its replies. */
export function DeliveriesDialog({
  webhook,
  onClose,
}: {
  webhook: WebhookWire;
  onClose: () => void;
}) {
  const { t } = useTranslation("webhooks");
  const [filter, setFilter] = useState<Filter>("all");
  const query = useInfiniteQuery(deliveriesQuery(webhook.id, filter === "all" ? null : filter));
  const deliveries = query.data?.pages.flatMap((page) => page.deliveries) ?? [];
  return (
    <Dialog
      open
      onClose={onClose}
      className="w-[min(720px,100vw-24px)]"
      title={t("deliveriesTitle", { name: nameOfWebhook(webhook) })}
      description={t("deliveriesText")}
    >
      <div>
        <Segmented
          label={t("filter")}
          options={[
            { value: "all", label: t("all") },
            { value: "delivered", label: t("state.delivered") },
            { value: "failed", label: t("state.failed") },
          ]}
          value={filter}
          onChange={setFilter}
        />
      </div>
      {query.error && (
        <FailedQuery
          title={t("deliveriesFailed")}
          retryLabel={t("retry")}
          error={query.error}
          retry={() => void query.refetch()}
        />
      )}
      {query.isPending && (
        <div className="grid gap-3" role="status" aria-busy="true" aria-label={t("loading")}>
          <Skeleton />
          <Skeleton />
        </div>
      )}
      {query.isSuccess && deliveries.length === 0 && (
        <p className="py-4 text-center text-fg-3">{t("noDeliveries")}</p>
      )}
      {deliveries.length > 0 && (
        <ul className="rounded-md border border-line">
          {deliveries.map((delivery) => (
            <Delivery key={delivery.id} webhookId={webhook.id} delivery={delivery} />
          ))}
        </ul>
      )}
      <DialogFooter>
        {query.hasNextPage && (
          <Button
            className="me-auto max-md:me-0"
            disabled={query.isFetchingNextPage}
            onClick={() => void query.fetchNextPage()}
          >
            {t("more")}
          </Button>
        )}
        <Button variant="primary" onClick={onClose}>
          {t("close")}
        </Button>
      </DialogFooter>
    </Dialog>
  );
}

function Delivery({ webhookId, delivery }: { webhookId: number; delivery: DeliveryWire }) {
  const { t } = useTranslation("webhooks");
  const [isOpen, setOpen] = useState(false);
  const fault = useFaultText(delivery.fault, "");
  const key = deliveryEventKey(delivery.event);
  const Arrow = isOpen ? ChevronDown : ChevronRight;
  return (
    <li className="border-t border-subtle first:border-t-0">
      <button
        type="button"
        className="flex min-h-11 w-full flex-wrap items-center gap-x-3 gap-y-1 rounded-md px-3 py-2 text-start hover:bg-hover"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        <Arrow
          className="size-3.5 flex-none stroke-2 text-fg-3 rtl:-scale-x-100"
          aria-hidden="true"
        />
        <span className="min-w-0 flex-1 truncate font-medium">
          {key === null ? delivery.event : t(`event.${key}`)}
        </span>
        <span className="text-xs text-fg-3 tabular-nums">
          {formatTime(Date.parse(delivery.createdAt))}
        </span>
        <DeliveryState state={delivery.state} />
      </button>
      {isOpen && (
        <div className="grid grid-cols-1 gap-3 px-3 pb-3">
          <p className="flex flex-wrap gap-x-3 text-xs text-fg-3 tabular-nums">
            <span>{t("attempts", { count: delivery.attempts })}</span>
            {delivery.status !== null && <span>{t("status", { status: delivery.status })}</span>}
            {delivery.milliseconds !== null && (
              <span>{t("duration", { milliseconds: delivery.milliseconds })}</span>
            )}
            {delivery.nextAttemptAt !== null && (
              <span>{t("next", { time: formatTime(Date.parse(delivery.nextAttemptAt)) })}</span>
            )}
          </p>
          {fault !== "" && <p className="text-danger">{fault}</p>}
          <Text label={t("sent")} text={readable(delivery.payload)} />
          {delivery.reply !== "" && <Text label={t("received")} text={delivery.reply} />}
          <Replay webhookId={webhookId} deliveryId={delivery.id} />
        </div>
      )}
    </li>
  );
}

function Text({ label, text }: { label: string; text: string }) {
  return (
    <figure className="grid grid-cols-1 gap-1">
      <figcaption className="text-xs font-medium">{label}</figcaption>
      <pre
        className="max-h-48 overflow-auto rounded-sm bg-sunken p-2 font-mono text-xs whitespace-pre-wrap"
        dir="ltr"
        tabIndex={0}
      >
        {text}
      </pre>
    </figure>
  );
}

function Replay({ webhookId, deliveryId }: { webhookId: number; deliveryId: string }) {
  const { t } = useTranslation("webhooks");
  const replay = useReplayDelivery(webhookId);
  return (
    <Button
      size="sm"
      className="justify-self-start"
      disabled={replay.isPending}
      onClick={() => replay.mutate(deliveryId, { onSuccess: () => toast.success(t("replayed")) })}
    >
      {t("replay")}
    </Button>
  );
}

const readable = (json: string): string => JSON.stringify(JSON.parse(json), null, 2);

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
