import { useMemo, useState, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { cn } from "../../../lib/cn.ts";
import { findSheet, type SheetPlace } from "../state/find-sheet.ts";
import type { Passage } from "../state/passage.ts";
import type { Sheet } from "../worker/conversion.ts";
import { SheetGrid } from "./sheet-grid.tsx";

/**
 * A spreadsheet or CSV file, opened at the rows of the passage. Falls back to its text if the
 * passage isn't found in it.
 */
export default function WorkbookPage({
  sheets,
  title,
  passage,
  number,
  fallback,
}: {
  sheets: Sheet[];
  title: string;
  passage: Passage;
  number: number | null;
  fallback: ReactNode;
}) {
  const { t } = useTranslation("sources");
  const place = useMemo(() => findSheet(sheets, title, passage), [sheets, title, passage]);
  /** The sheet chosen since the passage was opened. */
  const [chosen, setChosen] = useState<{ place: SheetPlace; sheet: number } | null>(null);
  if (!place || sheets.length === 0) return fallback;
  const shown = chosen?.place === place ? chosen.sheet : place.sheet;
  return (
    <>
      <SheetGrid
        key={shown}
        sheet={sheets[shown]!}
        marked={shown === place.sheet ? place.rows : null}
        number={number}
      />
      {sheets.length > 1 && (
        <div
          className="flex flex-none gap-0.5 overflow-x-auto border-t border-subtle px-2 py-1.5 [scrollbar-width:thin]"
          role="tablist"
          aria-label={t("sheets")}
        >
          {sheets.map(({ name }, index) => (
            <button
              key={index}
              type="button"
              role="tab"
              aria-selected={index === shown}
              className={cn(
                "h-7 max-w-48 flex-none truncate rounded-sm px-2.5 text-xs text-fg-3 hover:bg-hover hover:text-fg-1 max-md:h-10",
                index === shown && "bg-selected font-medium text-fg-1",
              )}
              onClick={() => setChosen({ place, sheet: index })}
            >
              {name}
            </button>
          ))}
        </div>
      )}
    </>
  );
}
