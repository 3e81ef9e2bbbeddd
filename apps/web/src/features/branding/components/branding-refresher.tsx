import { useEffect } from "react";
import { useBrandingVersion } from "../../../lib/brand.ts";
import { errorMessage } from "../../../lib/fault.ts";
import { useTheme } from "../../../lib/theme.ts";
import { refreshLogo, refreshName, refreshPageTitle } from "../api/branding.ts";

/**
 * Keeps the instance's name and logo current: after the first paint, on theme changes, and when
 * they change on the server. Renders nothing.
 */
export function BrandingRefresher() {
  const theme = useTheme();
  const version = useBrandingVersion();
  // On failure the page keeps the current branding; the next visit retries.
  useEffect(() => {
    void refreshName().catch(() => undefined);
    if (version > 0) void refreshPageTitle().catch(() => undefined);
  }, [version]);
  useEffect(() => {
    const leave = new AbortController();
    void refreshLogo(theme, leave.signal).catch((error: unknown) => {
      if (!leave.signal.aborted) console.warn(errorMessage(error));
    });
    return () => leave.abort();
  }, [theme, version]);
  return null;
}
