import { useEffect } from "react";
import { useBrandTurn } from "../../../lib/brand.ts";
import { useTheme } from "../../../lib/theme.ts";
import { refreshLogo, refreshName } from "../api/branding.ts";

/**
 * Keeps name and logo of the instance current: after the first paint, with each theme, and when
 * they changed. Draws nothing.
 */
export default function BrandKeeper() {
  const theme = useTheme();
  const turn = useBrandTurn();
  // Without an answer the page keeps what it has; the next visit asks again.
  useEffect(() => {
    void refreshName().catch(() => undefined);
  }, [turn]);
  useEffect(() => {
    const leave = new AbortController();
    void refreshLogo(theme, leave.signal).catch((error: unknown) => {
      if (!leave.signal.aborted) console.warn(error instanceof Error ? error.message : error);
    });
    return () => leave.abort();
  }, [theme, turn]);
  return null;
}
