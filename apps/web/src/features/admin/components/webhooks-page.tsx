import type { WebhookWire } from "@carrel/contracts";
import { useQuery } from "@tanstack/react-query";
import { History, KeyRound, Pencil, Plus, Power, Send, Trash2 } from "lucide-react";
import { useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { Badge } from "../../../components/ui/badge.tsx";
import { Button } from "../../../components/ui/button.tsx";
import { ConfirmDialog } from "../../../components/ui/overlays.tsx";
import { formatAgo, joinNames } from "../../../lib/format.ts";
import { addTexts } from "../../../lib/i18n.ts";
import { toast } from "../../../lib/toast.ts";
import webhooks from "../../../locales/en/webhooks.json" with { type: "json" };
import {
  nameOfWebhook,
  useDeleteWebhook,
  useRotateSecret,
  useTestWebhook,
  useUpdateWebhook,
  webhookEventKey,
  webhooksQuery,
} from "../api/webhooks.ts";
import { DataTable, type Column } from "./data-table.tsx";
import { SecretDialog } from "./secret-dialog.tsx";
import { EmptyList, ListPane, PhoneLabel, RowCount } from "./settings-page.tsx";
import { DeliveriesDialog, DeliveryState, WebhookDialog } from "./webhook-dialogs.tsx";

// Loaded with the page, not with the first one.
addTexts("webhooks", webhooks);

type Open = { dialog: "edit" | "deliveries" | "rotate" | "delete"; webhook: WebhookWire };

/** Addresses that Carrel posts events to. */
export function WebhooksPage() {
  const { t } = useTranslation("webhooks");
  const webhooks = useQuery(webhooksQuery);
  const update = useUpdateWebhook({ errorToast: true });
  const test = useTestWebhook();
  const rotate = useRotateSecret();
  const remove = useDeleteWebhook();
  const [adding, setAdding] = useState(false);
  const [open, setOpen] = useState<Open | null>(null);
  const columns = useColumns();
  const all = webhooks.data ?? [];
  const close = (): void => setOpen(null);
  const add = (
    <Button variant="primary" onClick={() => setAdding(true)}>
      <Plus className="size-3.5 stroke-2" aria-hidden="true" />
      {t("add")}
    </Button>
  );
  const toggle = ({ id, url, description, events, workspaceIds, enabled }: WebhookWire): void =>
    update.mutate({ id, url, description, events, workspaceIds, enabled: !enabled });
  return (
    <ListPane
      label={t("list")}
      head={
        all.length > 0 && (
          <>
            <RowCount>{t("count", { count: all.length })}</RowCount>
            <span className="flex-1" />
            {add}
          </>
        )
      }
    >
      <DataTable
        label={t("list")}
        columns={columns}
        rows={all}
        keyOf={({ id }) => id}
        nameOf={nameOfWebhook}
        initialSort={{ column: "address", down: false }}
        query={webhooks}
        menuOf={(webhook) => [
          {
            label: t("menu.edit"),
            icon: Pencil,
            run: () => setOpen({ dialog: "edit", webhook }),
          },
          {
            label: t("menu.deliveries"),
            icon: History,
            run: () => setOpen({ dialog: "deliveries", webhook }),
          },
          ...(webhook.enabled
            ? [
                {
                  label: t("menu.test"),
                  icon: Send,
                  run: () =>
                    test.mutate(webhook.id, { onSuccess: () => toast.success(t("tested")) }),
                },
              ]
            : []),
          {
            label: t(webhook.enabled ? "menu.disable" : "menu.enable"),
            icon: Power,
            run: () => toggle(webhook),
          },
          {
            label: t("menu.rotate"),
            icon: KeyRound,
            run: () => setOpen({ dialog: "rotate", webhook }),
          },
          {
            label: t("menu.delete"),
            icon: Trash2,
            danger: true,
            run: () => setOpen({ dialog: "delete", webhook }),
          },
        ]}
        empty={
          <EmptyList title={t("emptyTitle")} text={t("emptyText")}>
            {add}
          </EmptyList>
        }
      />
      {adding && <WebhookDialog webhook={null} onClose={() => setAdding(false)} />}
      {open?.dialog === "edit" && <WebhookDialog webhook={open.webhook} onClose={close} />}
      {open?.dialog === "deliveries" && <DeliveriesDialog webhook={open.webhook} onClose={close} />}
      {open?.dialog === "rotate" && !rotate.isSuccess && (
        <ConfirmDialog
          open
          title={t("rotateTitle", { name: nameOfWebhook(open.webhook) })}
          text={t("rotateText")}
          action={t("menu.rotate")}
          onClose={() => !rotate.isPending && close()}
          onConfirm={() => rotate.mutateAsync(open.webhook.id)}
        />
      )}
      {rotate.isSuccess && (
        <SecretDialog
          title={t("rotatedTitle")}
          text={t("secretText")}
          label={t("secret")}
          value={rotate.data}
          onClose={() => {
            rotate.reset();
            close();
          }}
        />
      )}
      {open?.dialog === "delete" && (
        <ConfirmDialog
          open
          title={t("deleteTitle", { name: nameOfWebhook(open.webhook) })}
          text={t("deleteText")}
          action={t("menu.delete")}
          onClose={close}
          onConfirm={() =>
            remove.mutateAsync(open.webhook.id, { onSuccess: () => toast.success(t("deleted")) })
          }
        />
      )}
    </ListPane>
  );
}

function useColumns(): Column<WebhookWire>[] {
  const { t } = useTranslation("webhooks");
  return useMemo(
    () => [
      {
        id: "address",
        head: t("columnAddress"),
        width: "minmax(0, 1fr)",
        sortBy: nameOfWebhook,
        cell: (webhook) => (
          <>
            <span className="flex items-center gap-2">
              <span className="truncate font-medium">{nameOfWebhook(webhook)}</span>
              {!webhook.enabled && <Badge>{t("disabled")}</Badge>}
            </span>
            {/* The rest of an address may hold a secret. */}
            <span className="block truncate text-xs text-fg-3" dir="ltr">
              {new URL(webhook.url).origin}
            </span>
          </>
        ),
      },
      {
        id: "events",
        head: t("columnEvents"),
        width: "minmax(0, 0.8fr)",
        hiddenBelow: "lg",
        cell: ({ events }) => (
          <span className="block truncate text-xs text-fg-2">
            {joinNames(events.map((event) => t(`event.${webhookEventKey(event)}`)))}
          </span>
        ),
      },
      {
        id: "workspaces",
        head: t("columnWorkspaces"),
        width: "120px",
        hiddenOnPhones: true,
        sortBy: ({ workspaceIds }) => workspaceIds?.length ?? Infinity,
        cell: ({ workspaceIds }) => (
          <span className="text-xs text-fg-3">
            {workspaceIds === null
              ? t("allWorkspaces")
              : t("workspaceCount", { count: workspaceIds.length })}
          </span>
        ),
      },
      {
        id: "last",
        head: t("columnLast"),
        width: "170px",
        sortBy: ({ lastDelivery }) => (lastDelivery === null ? 0 : Date.parse(lastDelivery.at)),
        cell: ({ lastDelivery }) => (
          <span className="flex flex-wrap items-center gap-2 text-xs text-fg-3 tabular-nums">
            <PhoneLabel>{t("columnLast")}:</PhoneLabel>
            {lastDelivery === null ? (
              t("never")
            ) : (
              <>
                <DeliveryState state={lastDelivery.state} />
                {formatAgo(lastDelivery.at)}
              </>
            )}
          </span>
        ),
      },
    ],
    [t],
  );
}
