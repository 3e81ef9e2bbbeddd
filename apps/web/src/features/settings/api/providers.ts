import { listModels, listProviders, updateSettings } from "@carrel/contracts";
import { queryOptions } from "@tanstack/react-query";
import i18next from "i18next";
import { call } from "../../../lib/api.ts";
import { queryClient } from "../../../lib/query-client.ts";

export const providersQuery = queryOptions({
  queryKey: ["providers"],
  queryFn: ({ signal }) => call(listProviders, {}, { signal }),
});

/**
 * Saves settings; throws with the server's reason. Keys before a refused one stay saved, so the
 * choice of a provider goes last.
 */
export async function saveSettings(values: Record<string, string>): Promise<void> {
  // On the wire the body is the flat map itself.
  const { error } = await call(
    updateSettings,
    values as unknown as Parameters<typeof call<typeof updateSettings>>[1],
  );
  await Promise.all([
    queryClient.invalidateQueries({ queryKey: ["providers"] }),
    queryClient.invalidateQueries({ queryKey: ["setup"] }),
  ]);
  if (error !== false) throw new Error(error);
}

export interface ModelOption {
  id: string;
  name: string | null;
}
/**
 * How long a provider's list is waited for; the wire has no field for it (wire-contract 12).
 */
const patienceMs = 15_000;
/**
 * Asks the provider what it offers, which also proves address and key. `apiKey: true` uses the
 * saved one.
 */
export async function testProvider(input: {
  provider: string;
  apiKey: string | true | null;
  basePath: string | null;
}): Promise<{ models: ModelOption[]; milliseconds: number }> {
  const began = performance.now();
  const signal = AbortSignal.timeout(patienceMs);
  const { models, error } = await call(listModels, input, { signal }).catch((cause: unknown) => {
    throw signal.aborted ? new Error(i18next.t("settings:testTimedOut")) : cause;
  });
  if (error) throw new Error(error);
  return {
    milliseconds: performance.now() - began,
    models: models.map((model) => ({
      id: model.id,
      name: typeof model.name === "string" && model.name !== model.id ? model.name : null,
    })),
  };
}
