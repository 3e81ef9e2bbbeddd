import { useVirtualizer } from "@tanstack/react-virtual";
import { useLayoutEffect, useMemo, useRef, useState, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { cn } from "../../../lib/cn.ts";
import { findSheet, type MarkedRows, type SheetPlace } from "../state/find-rows.ts";
import type { Passage } from "../state/passage.ts";
import type { Sheet } from "../worker/conversion.ts";

/** Width of a character in a cell, in pixels. */
const characterWidth = 7.2;
const lineHeight = 18;
const padding = { inline: 24, block: 9 };
const narrowest = 64;
const widest = 320;
/** Approximate number of rows from which column widths are calculated. */
const sampledRows = 300;
/** Longer cells are cut off. */
const mostLines = 12;

interface SheetLayout {
  /** Widths of the columns. */
  widths: number[];
  heightOf: (row: number) => number;
}

const wordsWidth = (text: string): number => Math.ceil(text.length * characterWidth);

/** Sizes of a sheet's columns and rows, from the lengths of its texts. */
function layOutSheet({ rows }: Sheet): SheetLayout {
  const widths: number[] = [];
  const step = Math.ceil(rows.length / sampledRows);
  for (const [index, row] of rows.entries())
    for (const [column, cell] of row.entries()) {
      widths[column] ??= narrowest;
      if (index % step === 0 && cell.length > 0)
        widths[column] = Math.min(
          widest,
          Math.max(widths[column], wordsWidth(cell) + padding.inline),
        );
    }
  const linesOf = (cell: string, width: number): number =>
    cell
      .split("\n")
      .reduce(
        (sum, line) => sum + Math.max(1, Math.ceil(wordsWidth(line) / (width - padding.inline))),
        0,
      );
  return {
    widths: Array.from(widths, (width) => width ?? narrowest),
    heightOf: (row) =>
      padding.block +
      lineHeight *
        (rows[row] ?? []).reduce(
          (most, cell, column) =>
            Math.min(mostLines, Math.max(most, linesOf(cell, widths[column]!))),
          1,
        ),
  };
}

/** A column's letters: A to Z, then AA. */
function columnName(index: number): string {
  let name = "";
  for (let rest = index + 1; rest > 0; rest = Math.floor((rest - 1) / 26))
    name = String.fromCharCode(65 + ((rest - 1) % 26)) + name;
  return name;
}

const headHeight = 24;
const numberWidth = 52;

/** One sheet; only rows and columns in view are rendered. */
function SheetGrid({
  sheet,
  marked,
  number,
}: {
  sheet: Sheet;
  marked: MarkedRows | null;
  number: number | null;
}) {
  const { t } = useTranslation("sources");
  const box = useRef<HTMLDivElement>(null);
  const layout = useMemo(() => layOutSheet(sheet), [sheet]);
  const rows = useVirtualizer({
    count: sheet.rows.length,
    getScrollElement: () => box.current,
    estimateSize: layout.heightOf,
    scrollMargin: headHeight,
    scrollPaddingStart: headHeight,
    overscan: 8,
  });
  const columns = useVirtualizer({
    horizontal: true,
    count: layout.widths.length,
    getScrollElement: () => box.current,
    estimateSize: (index) => layout.widths[index]!,
    scrollMargin: numberWidth,
    overscan: 3,
  });
  const first = marked ? Math.min(...marked.quoted) : null;
  useLayoutEffect(() => {
    if (first !== null) rows.scrollToIndex(first, { align: "center" });
  }, [first, rows]);
  const width = columns.getTotalSize() + numberWidth;
  const names = sheet.rows.findIndex((row) => row.filter((cell) => cell !== "").length > 1);
  const shownColumns = columns.getVirtualItems();
  return (
    <div
      className="min-h-0 flex-1 overflow-auto bg-paper font-sans text-[12.5px]/[18px] text-paper-fg [scrollbar-width:thin]"
      ref={box}
      role="region"
      aria-label={t("sheet", { name: sheet.name })}
      tabIndex={0}
    >
      <div
        className="relative"
        role="table"
        aria-label={sheet.name}
        aria-rowcount={sheet.rows.length}
        aria-colcount={layout.widths.length}
        style={{ inlineSize: width, blockSize: rows.getTotalSize() + headHeight }}
      >
        <div
          className="sticky top-0 z-2 border-b border-paper-line bg-paper text-center text-2xs/6 text-paper-fg-2"
          aria-hidden="true"
          style={{ blockSize: headHeight, inlineSize: width }}
        >
          {shownColumns.map(({ index, start, size }) => (
            <span
              key={index}
              className="absolute inset-y-0 border-e border-paper-line"
              style={{ insetInlineStart: start, inlineSize: size }}
            >
              {columnName(index)}
            </span>
          ))}
        </div>
        {rows.getVirtualItems().map(({ index, start, size }) => {
          const mark = marked?.quoted.has(index)
            ? "quote"
            : marked?.passage.has(index)
              ? "passage"
              : undefined;
          return (
            <div
              key={index}
              role="row"
              aria-rowindex={index + 1}
              data-marked={mark}
              className={cn(
                "absolute inset-x-0 border-b border-paper-line",
                index === names && "font-semibold",
                mark === "quote" && "bg-paper-mark",
                mark === "passage" &&
                  "bg-[color-mix(in_srgb,var(--paper-mark)_22%,var(--paper-bg))]",
              )}
              style={{ insetBlockStart: start, blockSize: size }}
            >
              <span
                role="rowheader"
                className={cn(
                  "sticky start-0 z-1 flex h-full items-center justify-end gap-1.5 border-e border-paper-line bg-paper pe-2 text-2xs font-normal text-paper-fg-2 tabular-nums",
                  mark === "quote" &&
                    "border-s-3 border-s-paper-mark-edge font-semibold text-paper-fg",
                )}
                style={{ inlineSize: numberWidth }}
              >
                {index === first && number !== null && (
                  <b className="me-auto ps-1.5 font-bold" data-source-number>
                    {number}
                  </b>
                )}
                {index + 1}
              </span>
              {shownColumns.map((column) => {
                const text = sheet.rows[index]?.[column.index] ?? "";
                return (
                  <span
                    key={column.index}
                    role="cell"
                    aria-colindex={column.index + 1}
                    dir="auto"
                    className="absolute inset-y-0 overflow-hidden border-e border-paper-line px-2 py-1 wrap-anywhere whitespace-pre-line"
                    style={{ insetInlineStart: column.start, inlineSize: column.size }}
                  >
                    {text}
                  </span>
                );
              })}
            </div>
          );
        })}
      </div>
    </div>
  );
}

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
