import { CloudOff } from "lucide-react";
import { useTranslation } from "react-i18next";
import { useAppName } from "../../../lib/brand.ts";
import { useOffline, useUnreachable } from "../../../lib/connection.ts";

/**
 * Floats above the page while the server is unreachable. The live region is always there, because
 * screen readers only announce changes within one.
 */
export function ConnectionNotice() {
  const { t } = useTranslation("shell");
  const name = useAppName();
  const unreachable = useUnreachable();
  const offline = useOffline();
  return (
    <div
      className="pointer-events-none fixed inset-x-0 top-2 z-(--layer-toast) flex justify-center px-3 max-md:top-15 md:group-data-[sidebar=shown]/app:start-(--size-sidebar)"
      aria-live="polite"
    >
      {(offline || unreachable) && (
        <p className="flex max-w-full animate-appear items-center gap-2 rounded-full border border-line bg-overlay px-3 py-1.5 text-sm text-fg-1 shadow-float">
          <CloudOff className="size-4 flex-none text-warning" aria-hidden="true" />
          <span className="min-w-0 wrap-anywhere">
            {offline ? t("offline") : t("disconnected", { name })}
          </span>
        </p>
      )}
    </div>
  );
}
