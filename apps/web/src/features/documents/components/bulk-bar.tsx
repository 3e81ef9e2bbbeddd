import { cva } from "class-variance-authority";
import { X, type LucideIcon } from "lucide-react";
import { useLayoutEffect } from "react";
import { useTranslation } from "react-i18next";
import { Button, IconButton } from "../../../components/ui/button.tsx";
import { cn } from "../../../lib/cn.ts";
import { formatNumber } from "../../../lib/format.ts";

export interface BulkAction {
  label: string;
  icon: LucideIcon;
  run: () => void;
  /** Shown with its label if there is room; the others are icons only. */
  main?: boolean;
  off?: boolean;
}

const bar = cva(
  "absolute z-(--layer-bar) flex items-center gap-0.5 rounded-md border border-line bg-overlay p-1.5 shadow-float",
  {
    variants: {
      place: {
        table:
          "inset-x-0 bottom-5 mx-auto w-max max-w-[calc(100%-24px)] max-md:inset-x-2 max-md:bottom-2 max-md:w-auto max-md:max-w-none",
        /** The library is narrow: the count on one line, the actions on the next. */
        library: "inset-x-3 bottom-3 flex-wrap",
      },
    },
  },
);

/** Actions for the current selection, floating over its list. */
export function BulkBar({
  place,
  count,
  actions,
  onClear,
}: {
  place: "table" | "library";
  count: number;
  actions: BulkAction[];
  onClear: () => void;
}) {
  const { t } = useTranslation("documents-manager");
  useLayoutEffect(() => {
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
  const isNarrow = place === "library";
  const label = t("selected", { count, text: formatNumber(count) });
  return (
    <div className={bar({ place })} role="toolbar" data-bottom-bar aria-label={label}>
      <span
        className={cn(
          "ps-2.5 pe-2 font-medium whitespace-nowrap tabular-nums",
          isNarrow ? "order-first flex-[1_0_60%]" : "max-md:flex-1",
        )}
        role="status"
      >
        {label}
      </span>
      {!isNarrow && <i className="mx-1 h-5 w-px bg-line" />}
      {actions.map(({ label: words, icon: Icon, run, main, off }) => (
        <Button
          key={words}
          variant="quiet"
          className={cn(
            "px-[9px] text-fg-1 max-md:size-11 max-md:p-0",
            isNarrow && main && "me-auto",
          )}
          aria-label={words}
          title={words}
          disabled={off}
          onClick={run}
        >
          <Icon aria-hidden="true" />
          <span className={main ? "@max-[1101px]/documents:hidden max-md:hidden" : "hidden"}>
            {words}
          </span>
        </Button>
      ))}
      {!isNarrow && <i className="mx-1 h-5 w-px bg-line" />}
      <IconButton
        className={isNarrow ? "order-first" : undefined}
        label={t("clearSelection")}
        onClick={onClear}
      >
        <X />
      </IconButton>
    </div>
  );
}
