import { listPreferences, updatePreferences, type Args } from "@carrel/contracts";
import { queryOptions, useMutation } from "@tanstack/react-query";
import { call } from "../../../lib/api.ts";
import { instanceKeys } from "../../../lib/query-keys.ts";
import { brandingLabels, valuesOf } from "../state/branding-form.ts";
import { parseFooter } from "./branding.ts";

/** For managers, who may change them. */
export const brandingQuery = queryOptions({
  queryKey: [...instanceKeys.branding, "texts"],
  queryFn: ({ signal }) => call(listPreferences, { labels: brandingLabels.join(",") }, { signal }),
  select: ({ settings }) => valuesOf(settings, parseFooter(settings.footer_data)),
});

export const useSaveBranding = () =>
  useMutation({
    // The request body is the flat map itself.
    mutationFn: (changes: Record<string, string | null>) =>
      call(updatePreferences, changes as unknown as Args<typeof updatePreferences>),
    meta: { invalidates: [instanceKeys.branding], errorToast: false },
  });
