import type { ProviderDeclaration } from "@carrel/contracts";
import { useEffect, useEffectEvent } from "react";
import { useTranslation } from "react-i18next";
import { useEndpointDetection } from "../../lib/endpoint-detection.ts";
import { initialValues, listInput, type Values } from "../../lib/provider-form.ts";
import { toast } from "../../lib/toast.ts";

export interface Detection {
  isPending: boolean;
  run: () => void;
}

/** Once per visit, a form without an address looks for one on its own. */
const attempted = new Set<string>();

/** Looks for a provider's address where it usually answers; null for other providers. */
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
