import {
  createWebhook,
  deleteWebhook,
  listDeliveries,
  listWebhooks,
  replayDelivery,
  rotateWebhookSecret,
  testWebhook,
  updateWebhook,
  type Args,
  type DeliveryWire,
  type WebhookEvent,
  type WebhookWire,
} from "@carrel/contracts";
import { infiniteQueryOptions, queryOptions, useMutation } from "@tanstack/react-query";
import i18next from "i18next";
import { call } from "../../../lib/api.ts";

const keys = {
  "document.ready": "document_ready",
  "document.failed": "document_failed",
  "answer.finished": "answer_finished",
  "sync.stopped": "sync_stopped",
} as const satisfies Record<WebhookEvent, string>;

/** An event as part of a text's key, in which a full stop separates levels. */
export const webhookEventKey = (event: WebhookEvent) => keys[event];

/** The same for a delivery's event; null if only a newer server knows it. */
export const deliveryEventKey = (event: string) =>
  event === "webhook.test" ? "webhook_test" : event in keys ? keys[event as WebhookEvent] : null;

const webhookKeys = {
  all: ["admin", "webhooks"],
  list: ["admin", "webhooks", "list"],
  deliveries: (id: number, state: DeliveryWire["state"] | null) => [
    "admin",
    "webhooks",
    "deliveries",
    id,
    state,
  ],
} as const;

export const webhooksQuery = queryOptions({
  queryKey: webhookKeys.list,
  queryFn: ({ signal }) => call(listWebhooks, {}, { signal }),
  select: (reply) => reply.webhooks,
});

/** Refetched while a delivery on the newest page is pending. */
export const deliveriesQuery = (id: number, state: DeliveryWire["state"] | null) =>
  infiniteQueryOptions({
    queryKey: webhookKeys.deliveries(id, state),
    queryFn: ({ pageParam, signal }) =>
      call(
        listDeliveries,
        { id, ...(state && { state }), ...(pageParam && { cursor: pageParam }) },
        { signal },
      ),
    initialPageParam: "",
    getNextPageParam: (last) => last.nextCursor ?? undefined,
    staleTime: 0,
    refetchInterval: ({ state: { data } }) =>
      data?.pages[0]?.deliveries.some((delivery) => delivery.state === "pending") === true
        ? 2_000
        : false,
  });

export type WebhookFields = Args<typeof createWebhook>;

/** Returns the secret, which the server shows only once, so the cache drops it too. */
export const useCreateWebhook = () =>
  useMutation({
    mutationFn: async (fields: WebhookFields) => (await call(createWebhook, fields)).secret,
    gcTime: 0,
    meta: { invalidates: [webhookKeys.all], errorToast: false },
  });

export const useUpdateWebhook = ({ errorToast }: { errorToast: boolean }) =>
  useMutation({
    mutationFn: ({ id, ...fields }: WebhookFields & { id: number }) =>
      call(updateWebhook, { id, ...fields }),
    meta: {
      invalidates: [webhookKeys.all],
      errorToast: errorToast && ((message) => i18next.t("webhooks:saveFailed", { message })),
    },
  });

export const useRotateSecret = () =>
  useMutation({
    mutationFn: async (id: number) => (await call(rotateWebhookSecret, { id })).secret,
    gcTime: 0,
    meta: { errorToast: (message) => i18next.t("webhooks:rotateFailed", { message }) },
  });

export const useDeleteWebhook = () =>
  useMutation({
    mutationFn: (id: number) => call(deleteWebhook, { id }),
    meta: {
      invalidates: [webhookKeys.all],
      errorToast: (message) => i18next.t("webhooks:deleteFailed", { message }),
    },
  });

export const useTestWebhook = () =>
  useMutation({
    mutationFn: (id: number) => call(testWebhook, { id }),
    meta: {
      invalidates: [webhookKeys.all],
      errorToast: (message) => i18next.t("webhooks:testFailed", { message }),
    },
  });

export const useReplayDelivery = (id: number) =>
  useMutation({
    mutationFn: (deliveryId: string) => call(replayDelivery, { id, deliveryId }),
    meta: {
      invalidates: [webhookKeys.all],
      errorToast: (message) => i18next.t("webhooks:replayFailed", { message }),
    },
  });

/** How people identify a webhook. */
export const nameOfWebhook = ({ description, url }: WebhookWire): string =>
  description || new URL(url).host;
