import { clsx } from "clsx";
import { ChevronRight } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { Suggestion } from "../state/paths.ts";

/** A variable or a part of one, with its type and its value in the last test run. */
export function VariableOption({
  id,
  suggestion: { path, type, maybe, preview, into },
  isActive,
  onPick,
  onInto,
}: {
  id: string;
  suggestion: Suggestion;
  isActive: boolean;
  onPick: () => void;
  /** Shows the parts of its value. */
  onInto: (typed: string) => void;
}) {
  const { t } = useTranslation("flows");
  return (
    <li
      id={id}
      role="option"
      aria-selected={isActive}
      className={clsx(
        "flex min-h-8 cursor-default items-center gap-3 rounded-sm ps-2 pe-1 hover:bg-hover max-md:min-h-11",
        isActive && "bg-hover",
      )}
      onClick={onPick}
    >
      <span className="grid min-w-0 flex-1 py-1 md:flex md:items-center md:gap-3">
        <code className="min-w-0 font-mono text-xs wrap-anywhere md:flex-none md:max-w-3/5">
          {path}
        </code>
        {preview !== null && (
          <span className="min-w-0 truncate text-xs text-fg-3 md:flex-1 md:text-end">
            {preview}
          </span>
        )}
      </span>
      {maybe && <span className="flex-none text-xs text-warning">{t("field.maybeMissing")}</span>}
      {type !== null && (
        <span className="flex-none text-xs text-fg-3">{t(`field.valueType.${type}`)}</span>
      )}
      {into === null ? (
        <span className="w-6 flex-none max-md:w-0" />
      ) : (
        // The keyboard uses the right arrow key.
        <span
          data-into
          className="grid size-6 flex-none place-items-center rounded-sm text-fg-3 hover:bg-active hover:text-fg-1 max-md:size-11"
          title={t("field.into")}
          onClick={(event) => {
            event.stopPropagation();
            onInto(into);
          }}
        >
          <ChevronRight className="size-4 rtl:-scale-x-100" aria-hidden="true" />
        </span>
      )}
    </li>
  );
}
