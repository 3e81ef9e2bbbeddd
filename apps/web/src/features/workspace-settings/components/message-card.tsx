import { ArrowDown, ArrowUp, Trash2 } from "lucide-react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { IconButton } from "../../../components/ui/button.tsx";

/** A message in an ordered list, with buttons to move and remove it. */
export function MessageCard({
  index,
  count,
  title,
  onMove,
  onRemove,
  children,
}: {
  index: number;
  count: number;
  title: ReactNode;
  onMove: (step: -1 | 1) => void;
  onRemove: () => void;
  children: ReactNode;
}) {
  const { t } = useTranslation("workspace");
  const number = index + 1;
  const button = "max-md:size-10";
  return (
    <div
      data-row={index}
      className="grid gap-2 rounded-md border border-line bg-surface px-3 pt-2 pb-3"
      role="group"
      aria-label={t("suggestedNumber", { number })}
    >
      <div className="flex min-h-7 items-center gap-1">
        <span className="min-w-0 flex-1 text-xs text-fg-3 tabular-nums">{title}</span>
        <IconButton
          data-move={-1}
          className={button}
          label={t("moveUp", { number })}
          disabled={index === 0}
          onClick={() => onMove(-1)}
        >
          <ArrowUp className="size-3.5 stroke-2" />
        </IconButton>
        <IconButton
          data-move={1}
          className={button}
          label={t("moveDown", { number })}
          disabled={index === count - 1}
          onClick={() => onMove(1)}
        >
          <ArrowDown className="size-3.5 stroke-2" />
        </IconButton>
        <IconButton
          data-remove
          className={button}
          label={t("removeSuggested", { number })}
          onClick={onRemove}
        >
          <Trash2 className="size-3.5 stroke-2" />
        </IconButton>
      </div>
      {children}
    </div>
  );
}
