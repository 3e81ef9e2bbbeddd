import { useMutation } from "@tanstack/react-query";
import type { ListInput } from "./provider-form.ts";
import { fetchModels } from "./providers.ts";

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
  // Rejected only if every probe is.
  return Promise.any(probes).catch(() => null);
}

export const useEndpointDetection = () =>
  useMutation({
    mutationFn: ({ input, addresses }: { input: ListInput; addresses: readonly string[] }) =>
      detectEndpoint(input, addresses),
    gcTime: 0,
    meta: { errorToast: false },
  });
