import type { DeliveryWire, WebhookWire } from "@carrel/contracts";
import { useInfiniteQuery } from "@tanstack/react-query";
import { ChevronDown, ChevronRight } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useFaultText } from "../../../components/fault-text.tsx";
import { Badge } from "../../../components/ui/badge.tsx";
import { Button } from "../../../components/ui/button.tsx";
import { Dialog, DialogFooter } from "../../../components/ui/dialog.tsx";
import { FailedQuery } from "../../../components/ui/notice.tsx";
import { Skeleton } from "../../../components/ui/progress.tsx";
import { Segmented } from "../../../components/ui/segmented.tsx";
import { formatTime } from "../../../lib/format.ts";
import { toast } from "../../../lib/toast.ts";
import {
  deliveriesQuery,
  deliveryEventKey,
  nameOfWebhook,
  useReplayDelivery,
} from "../api/webhooks.ts";

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
