import type { ProviderDeclaration } from "@carrel/contracts";
import { useMutation } from "@tanstack/react-query";
import { useEffect, useEffectEvent } from "react";
import { useTranslation } from "react-i18next";
import { initialValues, listInput, type ListInput, type Values } from "../../lib/provider-form.ts";
import { fetchModels } from "../../lib/providers.ts";
import { toast } from "../../lib/toast.ts";

/** Specification 2, section 4. */
const probeTimeoutMs = 2_000;

/** Asks all addresses at once; the first to list any models wins. null if none does in time. */
export async function detectEndpoint(
  input: ListInput,
  addresses: readonly string[],
): Promise<string | null> {
  const probes = addresses.map(async (address) => {
    const models = await fetchModels({ ...input, basePath: address }, probeTimeoutMs);
    if (models.length === 0) throw new Error("No models");
    return address;
  });
  // Rejects only if every probe does.
  return Promise.any(probes).catch(() => null);
}

const useEndpointDetection = () =>
  useMutation({
    mutationFn: ({ input, addresses }: { input: ListInput; addresses: readonly string[] }) =>
      detectEndpoint(input, addresses),
    gcTime: 0,
    meta: { errorToast: false },
  });

export interface Detection {
  isPending: boolean;
  run: () => void;
}

/** Detects the address automatically if the form has none, once per visit. */
const attempted = new Set<string>();

/** Looks for a provider's address in the usual places; null for other providers. */
export function useAutoDetect({
  provider,
  saved,
  locked,
  getValues,
  onFound,
  onMissing,
}: {
  provider: ProviderDeclaration;
  saved: Record<string, unknown>;
  locked: string[];
  getValues: () => Values;
  onFound: (key: string, address: string) => void;
  onMissing?: () => void;
}): Detection | null {
  const { t } = useTranslation("settings");
  const { isPending, mutate } = useEndpointDetection();
  const field = provider.fields.find(({ candidates }) => candidates);
  const isOpen = (): boolean =>
    field !== undefined && !locked.includes(field.key) && !getValues()[field.key]?.trim();
  const run = (): void => {
    const values = { ...initialValues(provider, saved), ...getValues() };
    mutate(
      { input: listInput(provider, values, saved), addresses: field?.candidates ?? [] },
      {
        onSuccess: (found) => {
          // Typed in the meantime.
          if (!field || !isOpen()) return;
          if (found === null) {
            onMissing?.();
            toast.info(t("notDetected"));
          } else {
            onFound(field.key, found);
            toast.success(t("detected"));
          }
        },
      },
    );
  };
  const tryOnce = useEffectEvent(() => {
    const id = `${provider.kind} ${provider.id}`;
    if (!isOpen() || attempted.has(id)) return;
    attempted.add(id);
    run();
  });
  useEffect(() => tryOnce(), []);
  return field ? { isPending, run } : null;
}
