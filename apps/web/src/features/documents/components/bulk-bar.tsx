import { X, type LucideIcon } from "lucide-react";
import { useEffect } from "react";
import { useTranslation } from "react-i18next";
import { IconButton } from "../../../components/ui/icon-button.tsx";
import { formatNumber } from "../../../lib/format.ts";

export interface BulkAction {
  label: string;
  icon: LucideIcon;
  run: () => void;
  /** Shown with its label where there is room; the others are icons only. */
  main?: boolean;
  off?: boolean;
}

/** Actions for the current selection, floating over its list. */
export function BulkBar({
  count,
  actions,
  onClear,
}: {
  count: number;
  actions: BulkAction[];
  onClear: () => void;
}) {
  const { t } = useTranslation("library");
  useEffect(() => {
    const listener = (event: KeyboardEvent): void => {
      // Dialogs and menus above the page handle Escape first.
      if (
        event.key === "Escape" &&
        !event.defaultPrevented &&
        !document.querySelector('[role="dialog"], [role="menu"]')
      )
        onClear();
    };
    addEventListener("keydown", listener);
    return () => removeEventListener("keydown", listener);
  });
  const label = t("selected", { count, text: formatNumber(count) });
  return (
    <div className="bulk" role="toolbar" aria-label={label}>
      <span className="cnt num" role="status">
        {label}
      </span>
      <i className="rule" />
      {actions.map(({ label: words, icon: Icon, run, main, off }) => (
        <button
          key={words}
          type="button"
          className={main ? "btn quiet is-main" : "btn quiet"}
          aria-label={words}
          title={words}
          disabled={off}
          onClick={run}
        >
          <Icon className="i" aria-hidden="true" />
          <span>{words}</span>
        </button>
      ))}
      <i className="rule" />
      <IconButton label={t("clearSelection")} onClick={onClear}>
        <X className="i" />
      </IconButton>
    </div>
  );
}
