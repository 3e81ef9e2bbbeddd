import {
  createWidget,
  createWidgetSecret,
  deleteWidget,
  deleteWidgetSecret,
  getWidgetUsage,
  listWidgets,
  updateWidget,
  type Args,
  type Out,
} from "@carrel/contracts";
import { keepPreviousData, queryOptions, useMutation, useQuery } from "@tanstack/react-query";
import i18next from "i18next";
import { call } from "../../../lib/api.ts";
import { addTexts } from "../../../lib/i18n.ts";
import widgets from "../../../locales/en/widgets.json" with { type: "json" };

// Loaded with the page, not with the first one.
addTexts("widgets", widgets);

export type Widget = Out<typeof listWidgets>["embeds"][number];
export type WidgetFields = Omit<Args<typeof updateWidget>, "id" | "uuid">;

export type WidgetUse = Out<typeof getWidgetUsage>["totals"];

export const widgetKeys = {
  list: ["admin", "widgets"],
  usage: (id: number, period: object) => ["admin", "widget-usage", id, period],
} as const;

export const widgetsQuery = queryOptions({
  queryKey: widgetKeys.list,
  queryFn: ({ signal }) => call(listWidgets, {}, { signal }),
  select: (reply) => reply.embeds,
});

/** Whether the instance requires every widget to list its sites. */
export const useAllowlistRequired = (): boolean =>
  useQuery({ ...widgetsQuery, select: (reply) => reply.allowlist_required }).data ?? false;

/** Always refetched, because visitors keep asking. */
export const widgetUsageQuery = (id: number, period: { from: string; to: string }) =>
  queryOptions({
    queryKey: widgetKeys.usage(id, period),
    queryFn: ({ signal }) => {
      const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
      return call(getWidgetUsage, { id, ...period, timeZone }, { signal });
    },
    placeholderData: keepPreviousData,
    staleTime: 0,
  });

/** Returns the widget's id. */
export const useCreateWidget = () =>
  useMutation({
    mutationFn: async (fields: WidgetFields) => {
      const { embed, error } = await call(createWidget, fields);
      if (embed === null) throw new Error(error ?? "");
      return embed.id;
    },
    meta: { invalidates: [widgetKeys.list], errorToast: false },
  });

export const useUpdateWidget = ({ errorToast }: { errorToast: boolean }) =>
  useMutation({
    mutationFn: ({ id, ...fields }: WidgetFields & { id: number }) =>
      call(updateWidget, { id, ...fields }),
    meta: {
      invalidates: [widgetKeys.list],
      errorToast: errorToast && ((message) => i18next.t("widgets:saveFailed", { message })),
    },
  });

export const useDeleteWidget = () =>
  useMutation({
    mutationFn: (id: number) => call(deleteWidget, { id }),
    meta: {
      invalidates: [widgetKeys.list],
      errorToast: (message) => i18next.t("widgets:deleteFailed", { message }),
    },
  });

/** Returns the secret, which the server shows only once, so the cache drops it too. */
export const useCreateWidgetSecret = () =>
  useMutation({
    mutationFn: async (id: number) => (await call(createWidgetSecret, { id })).secret,
    gcTime: 0,
    meta: {
      invalidates: [widgetKeys.list],
      errorToast: (message) => i18next.t("widgets:secretFailed", { message }),
    },
  });

export const useDeleteWidgetSecret = () =>
  useMutation({
    mutationFn: (id: number) => call(deleteWidgetSecret, { id }),
    meta: {
      invalidates: [widgetKeys.list],
      errorToast: (message) => i18next.t("widgets:secretFailed", { message }),
    },
  });

/** How people identify a widget. */
export const nameOfWidget = ({ name, workspace }: Widget): string => name ?? workspace.name;
