import {
  createApiKey,
  createInstanceApiKey,
  deleteApiKey,
  deleteInstanceApiKey,
  listApiKeys,
  listInstanceApiKeys,
  updateApiKey,
  updateInstanceApiKey,
  type ApiKeyWire,
  type KeyScope,
} from "@carrel/contracts";
import { queryOptions, useMutation } from "@tanstack/react-query";
import i18next from "i18next";
import { call } from "../../../lib/api.ts";
import { optimistic } from "../../../lib/query-client.ts";

/** Days until a new key expires. */
export const expiryDays = ["7", "30", "90", "365"] as const;

/** The contents of the API key dialog, as typed and selected. */
export interface ApiKeyForm {
  name: string;
  access: "full" | "limited";
  /** Scopes selected in addition to reading. */
  more: ReadonlySet<KeyScope>;
  reach: "all" | "selected";
  workspaceIds: ReadonlySet<number>;
  /** `kept`: the existing date. */
  expiry: "kept" | "never" | "date" | (typeof expiryDays)[number];
  /** YYYY-MM-DD. */
  date: string;
  rate: string;
}

/** What a key may do, as fields of the API. */
interface KeyLimits {
  name: string;
  scopes: KeyScope[];
  workspaceIds: number[] | null;
  expiresAt: string | null;
  requestsPerMinute: number | null;
}

export const formOf = (key: ApiKeyWire): ApiKeyForm => ({
  name: key.name ?? "",
  access: key.scopes.includes("admin") ? "full" : "limited",
  more: new Set(key.scopes.filter((scope) => scope === "chat" || scope === "documents")),
  reach: key.workspaceIds ? "selected" : "all",
  workspaceIds: new Set(key.workspaceIds),
  expiry: key.expiresAt ? "kept" : "never",
  date: "",
  rate: key.requestsPerMinute ? String(key.requestsPerMinute) : "",
});

/** Unless somebody asks for more, a new key asks questions in one workspace for 90 days. */
export const newKeyForm = (workspaceId: number | undefined): ApiKeyForm => ({
  name: "",
  access: "limited",
  more: new Set(["chat"]),
  reach: workspaceId === undefined ? "all" : "selected",
  workspaceIds: new Set(workspaceId === undefined ? [] : [workspaceId]),
  expiry: "90",
  date: "",
  rate: "",
});

/** The end of a day in the reader's time zone. */
function endOf(day: string): Date {
  const [year, month, date] = day.split("-").map(Number) as [number, number, number];
  return new Date(year, month - 1, date + 1);
}

function expiryOf({ expiry, date }: ApiKeyForm, key: ApiKeyWire | null, now: Date): string | null {
  if (expiry === "never") return null;
  if (expiry === "kept") return key?.expiresAt ?? null;
  if (expiry === "date") return endOf(date).toISOString();
  return new Date(now.getTime() + Number(expiry) * 86_400_000).toISOString();
}

/** The fields that can't be saved as they are. */
export function faultsOf(
  form: ApiKeyForm,
  maxRate: number,
  now = new Date(),
): Partial<Record<"workspaceIds" | "date" | "rate", true>> {
  const rate = Number(form.rate);
  const isRate = form.rate.trim() === "" || (Number.isInteger(rate) && rate > 0 && rate <= maxRate);
  const isDate =
    form.expiry !== "date" || (form.date !== "" && endOf(form.date).getTime() > now.getTime());
  return {
    ...(form.reach === "selected" && form.workspaceIds.size === 0 ? { workspaceIds: true } : {}),
    ...(isDate ? {} : { date: true }),
    ...(isRate ? {} : { rate: true }),
  };
}

/** Call only if `faultsOf` finds none. */
export const limitsOf = (
  form: ApiKeyForm,
  key: ApiKeyWire | null,
  now = new Date(),
): KeyLimits => ({
  name: form.name.trim(),
  scopes: form.access === "full" ? ["admin"] : ["read", ...form.more],
  workspaceIds: form.reach === "all" ? null : [...form.workspaceIds],
  expiresAt: expiryOf(form, key, now),
  requestsPerMinute: form.rate.trim() === "" ? null : Number(form.rate),
});

export const isExpired = ({ expiresAt }: ApiKeyWire, now = Date.now()): boolean =>
  expiresAt !== null && Date.parse(expiresAt) <= now;

const apiKeyKeys = {
  all: ["admin", "api-keys"],
  list: (multiUser: boolean) => ["admin", "api-keys", multiUser],
} as const;

/** Developer API keys. In single-user mode they are served under other routes. */
export const apiKeysQuery = (multiUser: boolean) =>
  queryOptions({
    queryKey: apiKeyKeys.list(multiUser),
    queryFn: async ({ signal }) => {
      const operation = multiUser ? listApiKeys : listInstanceApiKeys;
      return (await call(operation, {}, { signal })).apiKeys;
    },
  });

/**
 * Creates a key, or changes one. Returns the secret of a new one: the server shows it only once, so
 * the cache drops it too.
 */
export const useSaveApiKey = (multiUser: boolean, key: ApiKeyWire | null) =>
  useMutation({
    mutationFn: async (limits: KeyLimits): Promise<string> => {
      const { apiKey } =
        key === null
          ? await call(multiUser ? createApiKey : createInstanceApiKey, limits)
          : await call(multiUser ? updateApiKey : updateInstanceApiKey, { id: key.id, ...limits });
      return apiKey!.secret;
    },
    gcTime: 0,
    meta: { invalidates: [apiKeyKeys.all], errorToast: false },
  });

export const useDeleteApiKey = (multiUser: boolean) =>
  useMutation({
    mutationFn: (id: number) => call(multiUser ? deleteApiKey : deleteInstanceApiKey, { id }),
    ...optimistic(apiKeysQuery(multiUser).queryKey, (keys, id: number) =>
      keys.filter((key) => key.id !== id),
    ),
    meta: {
      invalidates: [apiKeyKeys.all],
      errorToast: (message) => i18next.t("admin:keys.deleteFailed", { message }),
    },
  });
