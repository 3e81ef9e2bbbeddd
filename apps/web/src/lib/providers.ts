import {
  listModels,
  listProviders,
  listWorkspaceProviders,
  testProvider,
  updateSettings,
  type Args,
  type ErrorCode,
  type Out,
  type ProviderDeclaration,
} from "@carrel/contracts";
import { queryOptions, useMutation } from "@tanstack/react-query";
import i18next from "i18next";
import { ApiError, call } from "./api.ts";
import type { ListInput } from "./provider-form.ts";
import { agentKeys, instanceKeys, modelKeys } from "./query-keys.ts";

/** Ignores case, spaces and punctuation, so "lmstudio" finds LM Studio. */
const fold = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "");

/** Providers most people look for, in that order; the others follow in the list's own order. */
const known: readonly string[] = [
  "local-gguf",
  "extractive",
  "native",
  "openai",
  "anthropic",
  "gemini",
  "azure",
  "ollama",
  "mistral",
  "lmstudio",
  "openrouter",
  "groq",
  "deepseek",
  "xai",
  "bedrock",
  "generic-openai",
];
const rankOf = (id: string): number => {
  const rank = known.indexOf(id);
  return rank === -1 ? known.length : rank;
};

/**
 * Searches by name, or by the ID that other clients show: "generic" finds the OpenAI-compatible
 * one.
 */
export function findProviders<T extends Pick<ProviderDeclaration, "id" | "name">>(
  providers: readonly T[],
  term: string,
): T[] {
  const sought = fold(term);
  return providers
    .filter(({ id, name }) => fold(name).includes(sought) || fold(id).includes(sought))
    .sort((one, other) => rankOf(one.id) - rankOf(other.id));
}

/** `model-2` comes before `model-10`. */
const { compare } = new Intl.Collator("en", { numeric: true, sensitivity: "base" });

/** Sorts models by their ids, as a person would. */
export const sortModels = <Model extends { id: string }>(models: readonly Model[]): Model[] =>
  models.toSorted((one, other) => compare(one.id, other.id));

export const withSortedModels = <Provider extends { models: { id: string }[] }>(
  provider: Provider,
): Provider => ({ ...provider, models: sortModels(provider.models) });

export const providersQuery = queryOptions({
  queryKey: instanceKeys.providers,
  queryFn: async ({ signal }) => {
    const reply = await call(listProviders, {}, { signal });
    return { ...reply, providers: reply.providers.map(withOwnName) };
  },
});

/** What isn't a vendor's name has one in each language; its English is the server's. */
const ownNames = {
  "Quotes from your documents": "quotes",
  "Built-in model": "localModel",
  "Your browser": "browser",
  "Built in": "builtIn",
  "OpenAI compatible": "openAiCompatible",
} as const;

/** The provider with its name in the person's language. */
function withOwnName<P extends { name: string }>(provider: P): P {
  const key = ownNames[provider.name as keyof typeof ownNames] as
    | (typeof ownNames)[keyof typeof ownNames]
    | undefined;
  return key === undefined ? provider : { ...provider, name: i18next.t(`common:provider.${key}`) };
}

/** Keys before a rejected one are still saved, so the provider choice goes last. */
export const useSaveSettings = () =>
  useMutation({
    mutationFn: (values: Record<string, string | null>) =>
      // The request body is the flat map itself.
      call(updateSettings, values as unknown as Args<typeof updateSettings>),
    meta: {
      // Another model may be able to call tools, here and in workspaces that use the instance's.
      invalidates: [instanceKeys.providers, instanceKeys.setup, agentKeys.all],
      errorToast: false,
    },
  });

export interface ModelOption {
  id: string;
  name: string | null;
  /** In tokens; null if unknown. */
  contextWindow: number | null;
  /** Who specifies it, for providers whose form leaves it to them. */
  windowSource: "server" | "catalogue" | null;
}

const connectionFaults = new Set<string>([
  "provider.connection-refused",
  "provider.dns-failed",
  "provider.host-unknown",
  "provider.timed-out",
  "provider.unreachable",
] satisfies ErrorCode[]);
/** Whether the provider couldn't be reached, as opposed to refusing what it was sent. */
export const isConnectionFault = (error: unknown): boolean =>
  error instanceof ApiError && connectionFaults.has(error.fault?.code ?? "");

/** Whether the settings can never work, in which case saving them anyway doesn't help. */
export function isSettingFault(error: unknown): boolean {
  const code = error instanceof ApiError ? (error.fault?.code ?? "") : "";
  return code === ("egress.metadata-address" satisfies ErrorCode) || code.startsWith("setting.");
}

/** The wire has no field for a timeout. */
const listTimeoutMs = 15_000;
/** Lists the provider's models. `apiKey: true` means the saved key. */
export async function fetchModels(
  input: ListInput,
  timeoutMs: number = listTimeoutMs,
): Promise<ModelOption[]> {
  const signal = AbortSignal.timeout(timeoutMs);
  const { models } = await call(listModels, input, { signal }).catch((cause: unknown) => {
    throw signal.aborted ? new Error(i18next.t("settings:testTimedOut")) : cause;
  });
  return sortModels(models).map((model) => ({
    id: model.id,
    name: typeof model.name === "string" && model.name !== model.id ? model.name : null,
    contextWindow: typeof model.contextWindow === "number" ? model.contextWindow : null,
    windowSource:
      model.windowSource === "server" || model.windowSource === "catalogue"
        ? model.windowSource
        : null,
  }));
}

/** The result may hold a key in its input, so it is dropped when the form unmounts. */
export const useModels = () =>
  useMutation({
    mutationFn: (input: ListInput) => fetchModels(input),
    gcTime: 0,
    meta: { errorToast: false },
  });

export type ConnectionResult = NonNullable<Out<typeof testProvider>["result"]>;

/** One tiny real call with the form's values. Like a list, the result isn't kept. */
export const useTestConnection = () =>
  useMutation({
    mutationFn: async (
      prepare: () => Promise<Args<typeof testProvider>>,
    ): Promise<ConnectionResult> => (await call(testProvider, await prepare())).result!,
    gcTime: 0,
    meta: { errorToast: false },
  });

/**
 * Configured language model providers and their models. The server waits up to three seconds for a
 * provider that doesn't answer.
 */
export const readyProvidersQuery = (slug: string) =>
  queryOptions({
    queryKey: modelKeys.choices(slug),
    queryFn: async ({ signal }) => {
      const reply = await call(listWorkspaceProviders, { slug }, { signal });
      return { ...reply, providers: reply.providers.map(withOwnName).map(withSortedModels) };
    },
  });
