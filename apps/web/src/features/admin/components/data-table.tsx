import { useVirtualizer } from "@tanstack/react-virtual";
import { clsx } from "clsx";
import { ArrowDown, ArrowUp, Ellipsis } from "lucide-react";
import { useMemo, useRef, useState, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { IconButton } from "../../../components/ui/button.tsx";
import type { MenuItem } from "../../../components/ui/dropdown-menu.tsx";
import { Menu } from "../../../components/ui/menu.tsx";
import { FailedQuery } from "../../../components/ui/notice.tsx";
import { Skeleton } from "../../../components/ui/progress.tsx";
import { addTexts } from "../../../lib/i18n.ts";
import admin from "../../../locales/en/admin.json" with { type: "json" };

/**
 * Expects the column widths in `--columns` and, if some columns are hidden on narrow windows,
 * `--columns-narrow`.
 */
const row =
  "grid items-center gap-4 border-subtle ps-6 pe-4 grid-cols-(--columns) md:max-lg:grid-cols-[var(--columns-narrow,var(--columns))]";

export const headRow = `${row} sticky top-0 z-1 h-8 border-y bg-surface text-xs/5 text-fg-3 max-md:hidden`;

/** On phones a row is a card: its cells below each other, its menu beside the first. */
export const bodyRow = `${row} relative min-h-[52px] border-b py-1.5 hover:bg-hover max-md:grid-cols-[minmax(0,1fr)_40px] max-md:gap-x-2 max-md:gap-y-1 max-md:py-2.5 max-md:ps-4 max-md:pe-1`;

export const scrollArea =
  "flex-1 overflow-auto scrollbar-thin scrollbar-thumb-line scrollbar-track-transparent **:focus-visible:-outline-offset-2";

/** A button in a row that reads like text. */
export const rowButton =
  "inline-flex min-h-6 max-w-full items-center gap-1.5 rounded-[3px] font-medium hover:underline hover:underline-offset-[3px] [&_svg]:text-fg-3";

// Loaded with these pages, not with the first one.
addTexts("admin", admin);

export interface Column<T> {
  id: string;
  head: string;
  /** Track size in the CSS grid. */
  width: string;
  cell: (row: T) => ReactNode;
  /** Makes the column sortable; returns the value to compare. */
  sortBy?: (row: T) => string | number;
  /** Hides the column on windows narrower than this, up to phones, whose rows are cards. */
  hiddenBelow?: "lg";
  /** Hides the value on phones. */
  hiddenOnPhones?: boolean;
}
export interface Sort {
  column: string;
  down: boolean;
}

const collator = new Intl.Collator(undefined, { numeric: true, sensitivity: "base" });
export const compareValues = (a: string | number, b: string | number): number =>
  typeof a === "number" && typeof b === "number" ? a - b : collator.compare(String(a), String(b));

/** Sorts rows by one column. Stable. */
function sortRows<T>(rows: readonly T[], columns: readonly Column<T>[], sort: Sort): T[] {
  const by = columns.find((column) => column.id === sort.column)?.sortBy;
  return by
    ? rows.toSorted((a, b) => compareValues(by(a), by(b)) * (sort.down ? -1 : 1))
    : [...rows];
}

const visibility = <T,>({ hiddenBelow, hiddenOnPhones }: Column<T>): string =>
  clsx(hiddenBelow && "md:max-lg:hidden", hiddenOnPhones && "max-md:hidden");

/** A virtualized table: only visible rows are rendered. On phones each row becomes a small card. */
export function DataTable<T>({
  label,
  columns,
  rows,
  keyOf,
  nameOf,
  menuOf,
  initialSort,
  empty,
  withAvatar,
  query,
}: {
  label: string;
  columns: Column<T>[];
  rows: T[];
  keyOf: (row: T) => number;
  /** Accessible name of the row. */
  nameOf: (row: T) => string;
  /** Actions on a row; an empty list renders no menu. */
  menuOf: (row: T) => MenuItem[];
  initialSort: Sort;
  /** Shown when there are no rows. */
  empty: ReactNode;
  withAvatar?: boolean;
  query: { isPending: boolean; error: Error | null; refetch: () => unknown };
}) {
  const { t } = useTranslation("admin");
  const [sort, setSort] = useState(initialSort);
  const box = useRef<HTMLDivElement>(null);
  const sorted = useMemo(() => sortRows(rows, columns, sort), [rows, columns, sort]);
  const virtual = useVirtualizer({
    count: sorted.length,
    getScrollElement: () => box.current,
    estimateSize: () => 53,
    overscan: 12,
    getItemKey: (index) => {
      const row = sorted[index];
      return row === undefined ? index : keyOf(row);
    },
  });
  const tracks = (narrow: boolean): string =>
    [
      ...columns.filter((column) => !narrow || !column.hiddenBelow).map((column) => column.width),
      "40px",
    ].join(" ");
  return (
    <div
      className={scrollArea}
      ref={box}
      style={
        { "--columns": tracks(false), "--columns-narrow": tracks(true) } as Record<string, string>
      }
    >
      {query.error && (
        <div className="p-6">
          <FailedQuery
            title={t("loadFailed")}
            retryLabel={t("retry")}
            error={query.error}
            retry={() => void query.refetch()}
          />
        </div>
      )}
      {query.isPending && (
        <div className="grid gap-4 p-6" role="status" aria-busy="true" aria-label={t("loading")}>
          {[52, 38, 45].map((width) => (
            <Skeleton key={width} style={{ inlineSize: `${width}%` }} />
          ))}
        </div>
      )}
      {!query.isPending && !query.error && sorted.length === 0 && empty}
      {sorted.length > 0 && (
        <div role="table" aria-label={label} aria-rowcount={sorted.length + 1}>
          <div role="rowgroup">
            <div className={headRow} role="row" aria-rowindex={1}>
              {columns.map((column) => {
                const active = sort.column === column.id;
                return (
                  <span
                    key={column.id}
                    role="columnheader"
                    className={visibility(column)}
                    aria-sort={
                      column.sortBy
                        ? active
                          ? sort.down
                            ? "descending"
                            : "ascending"
                          : "none"
                        : undefined
                    }
                  >
                    {column.sortBy ? (
                      <button
                        type="button"
                        className={clsx(
                          "inline-flex min-h-6 items-center gap-1 rounded-[4px] hover:text-fg-1",
                          active && "text-fg-1",
                        )}
                        title={t("sortBy", { column: column.head })}
                        onClick={() => setSort({ column: column.id, down: active && !sort.down })}
                      >
                        {column.head}
                        {active &&
                          (sort.down ? (
                            <ArrowDown className="size-3.5 stroke-2" aria-hidden="true" />
                          ) : (
                            <ArrowUp className="size-3.5 stroke-2" aria-hidden="true" />
                          ))}
                      </button>
                    ) : (
                      column.head
                    )}
                  </span>
                );
              })}
              <span role="columnheader">
                <span className="sr-only">{t("actions")}</span>
              </span>
            </div>
          </div>
          <div role="rowgroup" className="relative" style={{ blockSize: virtual.getTotalSize() }}>
            {virtual.getVirtualItems().map((item) => {
              const row = sorted[item.index];
              if (row === undefined) return null;
              const items = menuOf(row);
              return (
                <div
                  key={item.key}
                  role="presentation"
                  data-index={item.index}
                  ref={virtual.measureElement}
                  className="absolute inset-x-0 top-0"
                  style={{ transform: `translateY(${item.start}px)` }}
                >
                  <div className={bodyRow} role="row" aria-rowindex={item.index + 2}>
                    {columns.map((column, index) => (
                      <div
                        key={column.id}
                        role="cell"
                        className={clsx(
                          "min-w-0 max-md:col-start-1",
                          index > 0 && "max-md:text-xs max-md:text-fg-2",
                          index > 0 && withAvatar && "max-md:ps-[38px]",
                          visibility(column),
                        )}
                      >
                        {column.cell(row)}
                      </div>
                    ))}
                    <div
                      className="flex justify-end max-md:col-start-2 max-md:row-start-1 max-md:self-start"
                      role="cell"
                    >
                      {items.length > 0 && (
                        <Menu
                          trigger={
                            <IconButton
                              className="max-md:-my-1 max-md:size-10"
                              label={t("rowMenu", { name: nameOf(row) })}
                            >
                              <Ellipsis />
                            </IconButton>
                          }
                          items={items}
                        />
                      )}
                    </div>
                  </div>
                </div>
              );
            })}
          </div>
        </div>
      )}
    </div>
  );
}

/** The empty state of a list, with the first action to take. */
export function EmptyList({
  title,
  text,
  children,
}: {
  title: string;
  text: string;
  children?: ReactNode;
}) {
  return (
    <div className="m-6 grid max-w-[400px] max-md:m-4 justify-items-start gap-2 rounded-md border border-line p-6">
      <h2 className="font-semibold">{title}</h2>
      <p className="text-fg-2">{text}</p>
      {children && <div className="mt-2">{children}</div>}
    </div>
  );
}
