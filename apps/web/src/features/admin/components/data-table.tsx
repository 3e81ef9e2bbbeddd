import { useVirtualizer } from "@tanstack/react-virtual";
import { clsx } from "clsx";
import { ArrowDown, ArrowUp, ChevronDown, ChevronLeft, ChevronRight, Ellipsis } from "lucide-react";
import { useId, useMemo, useRef, useState, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Button, IconButton } from "../../../components/ui/button.tsx";
import type { MenuItem } from "../../../components/ui/dropdown-menu.tsx";
import { FailedQuery } from "../../../components/ui/notice.tsx";
import { Menu } from "../../../components/ui/overlays.tsx";
import { Skeleton } from "../../../components/ui/progress.tsx";
import { formatNumber } from "../../../lib/format.ts";
import { addTexts } from "../../../lib/i18n.ts";
import admin from "../../../locales/en/admin.json" with { type: "json" };

/**
 * Expects the column widths in `--columns` and, if some columns are hidden on narrow windows,
 * `--columns-narrow`.
 */
const gridRow =
  "grid items-center gap-4 border-subtle ps-6 pe-4 grid-cols-(--columns) md:max-lg:grid-cols-[var(--columns-narrow,var(--columns))]";

const headRow = `${gridRow} sticky top-0 z-1 h-8 border-y bg-surface text-xs/5 text-fg-3 max-md:hidden`;

/** On phones a row is a card: its cells below each other, its menu beside the first. */
const bodyRow = `${gridRow} relative min-h-[52px] border-b py-1.5 hover:bg-hover max-md:grid-cols-[minmax(0,1fr)_40px] max-md:gap-x-2 max-md:gap-y-1 max-md:py-2.5 max-md:ps-4 max-md:pe-1`;

const scrollArea =
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
function sortRows<T>(
  rows: readonly T[],
  columns: readonly Column<T>[],
  sort: Sort | null,
): readonly T[] {
  const by = sort && columns.find((column) => column.id === sort.column)?.sortBy;
  return by ? rows.toSorted((a, b) => compareValues(by(a), by(b)) * (sort.down ? -1 : 1)) : rows;
}

const visibility = <T,>({ hiddenBelow, hiddenOnPhones }: Column<T>): string =>
  clsx(hiddenBelow && "md:max-lg:hidden", hiddenOnPhones && "max-md:hidden");

type Key = number | string;

interface Props<T> {
  label: string;
  columns: readonly Column<T>[];
  rows: readonly T[];
  keyOf: (row: T) => Key;
  /** Accessible name of the row's menu. */
  nameOf?: (row: T) => string;
  /** Actions on a row; an empty list renders no menu. */
  menuOf?: (row: T) => MenuItem[];
  /** What a row expands to, below it. The first column's value becomes the button. */
  details?: { of: (row: T) => ReactNode; nameOf: (row: T) => string };
  /** Without it, rows stay in the order in which they are given. */
  initialSort?: Sort;
  /** Shown when there are no rows. */
  empty: ReactNode;
  withAvatar?: boolean;
  query: {
    isPending: boolean;
    error: Error | null;
    refetch: () => unknown;
    /** The rows are those of another page or filter. */
    isPlaceholderData?: boolean;
  };
  /** Replaces what is said while the list is loading, or could not be loaded. */
  words?: { loading: string; failed: string };
  /** Shown below the last row, to load more. */
  more?: ReactNode;
}

/**
 * A virtualised table: only visible rows are rendered. On phones each row becomes a small card. At
 * most one row is expanded.
 */
export function DataTable<T>(props: Props<T>) {
  const { label, columns, rows, keyOf, menuOf, details, empty, query, words, more } = props;
  const { t } = useTranslation("admin");
  const [sort, setSort] = useState(props.initialSort ?? null);
  const [open, setOpen] = useState<Key | null>(null);
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
      ...(menuOf ? ["40px"] : []),
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
            title={words?.failed ?? t("loadFailed")}
            retryLabel={t("retry")}
            error={query.error}
            retry={() => void query.refetch()}
          />
        </div>
      )}
      {query.isPending && (
        <div
          className="grid gap-4 p-6"
          role="status"
          aria-busy="true"
          aria-label={words?.loading ?? t("loading")}
        >
          {[52, 38, 45].map((width) => (
            <Skeleton key={width} style={{ inlineSize: `${width}%` }} />
          ))}
        </div>
      )}
      {!query.isPending && !query.error && sorted.length === 0 && empty}
      {sorted.length > 0 && (
        <div
          role="table"
          aria-label={label}
          aria-rowcount={sorted.length + 1}
          aria-busy={query.isPlaceholderData}
        >
          <div role="rowgroup">
            <div className={headRow} role="row" aria-rowindex={1}>
              {columns.map((column) => (
                <ColumnHead key={column.id} column={column} sort={sort} onSort={setSort} />
              ))}
              {menuOf && (
                <span role="columnheader">
                  <span className="sr-only">{t("actions")}</span>
                </span>
              )}
            </div>
          </div>
          <div role="rowgroup" className="relative" style={{ blockSize: virtual.getTotalSize() }}>
            {virtual.getVirtualItems().map(({ key, index, start }) => {
              const row = sorted[index];
              if (row === undefined) return null;
              return (
                <div
                  key={key}
                  role="presentation"
                  data-index={index}
                  ref={virtual.measureElement}
                  className="absolute inset-x-0 top-0"
                  style={{ transform: `translateY(${start}px)` }}
                >
                  <TableRow
                    {...props}
                    row={row}
                    index={index}
                    isOpen={details !== undefined && open === keyOf(row)}
                    onToggle={() => setOpen(open === keyOf(row) ? null : keyOf(row))}
                  />
                </div>
              );
            })}
          </div>
        </div>
      )}
      {more}
    </div>
  );
}

function ColumnHead<T>({
  column,
  sort,
  onSort,
}: {
  column: Column<T>;
  sort: Sort | null;
  onSort: (sort: Sort) => void;
}) {
  const { t } = useTranslation("admin");
  if (!column.sortBy || sort === null)
    return (
      <span role="columnheader" className={visibility(column)}>
        {column.head}
      </span>
    );
  const active = sort.column === column.id;
  const Arrow = sort.down ? ArrowDown : ArrowUp;
  return (
    <span
      role="columnheader"
      className={visibility(column)}
      aria-sort={active ? (sort.down ? "descending" : "ascending") : "none"}
    >
      <button
        type="button"
        className={clsx(
          "inline-flex min-h-6 items-center gap-1 rounded-[4px] hover:text-fg-1",
          active && "text-fg-1",
        )}
        title={t("sortBy", { column: column.head })}
        onClick={() => onSort({ column: column.id, down: active && !sort.down })}
      >
        {column.head}
        {active && <Arrow className="size-3.5 stroke-2" aria-hidden="true" />}
      </button>
    </span>
  );
}

function TableRow<T>({
  columns,
  nameOf,
  menuOf,
  details,
  withAvatar,
  row,
  index,
  isOpen,
  onToggle,
}: Props<T> & { row: T; index: number; isOpen: boolean; onToggle: () => void }) {
  const { t } = useTranslation("admin");
  const id = useId();
  const items = menuOf?.(row) ?? [];
  const Chevron = isOpen ? ChevronDown : ChevronRight;
  return (
    <>
      <div
        className={clsx(bodyRow, isOpen && "border-transparent bg-hover")}
        role="row"
        aria-rowindex={index + 2}
      >
        {columns.map((column, position) => (
          <div
            key={column.id}
            role="cell"
            className={clsx(
              "min-w-0 max-md:col-start-1",
              !menuOf && "max-md:col-span-2",
              position > 0 && "max-md:text-xs max-md:text-fg-2",
              position > 0 && withAvatar && "max-md:ps-[38px]",
              visibility(column),
            )}
          >
            {position === 0 && details ? (
              <button
                type="button"
                className={rowButton}
                aria-expanded={isOpen}
                aria-controls={isOpen ? id : undefined}
                onClick={onToggle}
              >
                <Chevron
                  className={clsx("size-3.5 flex-none stroke-2", !isOpen && "rtl:-scale-x-100")}
                  aria-hidden="true"
                />
                <span className="truncate">{column.cell(row)}</span>
              </button>
            ) : (
              column.cell(row)
            )}
          </div>
        ))}
        {menuOf && (
          <div
            className="flex justify-end max-md:col-start-2 max-md:row-start-1 max-md:self-start"
            role="cell"
          >
            {items.length > 0 && (
              <Menu
                trigger={
                  <IconButton
                    className="max-md:-my-1 max-md:size-10"
                    label={t("rowMenu", { name: nameOf?.(row) })}
                  >
                    <Ellipsis />
                  </IconButton>
                }
                items={items}
              />
            )}
          </div>
        )}
      </div>
      {isOpen && details && (
        <div role="row">
          <div
            role="cell"
            aria-colspan={columns.length + (menuOf ? 1 : 0)}
            className="border-b border-subtle bg-hover px-6 pb-4 max-md:px-4"
            id={id}
            aria-label={details.nameOf(row)}
          >
            {details.of(row)}
          </div>
        </div>
      )}
    </>
  );
}

/** Turns the pages of a table that the server divides, below it. */
export function TablePages({
  label,
  page,
  perPage,
  count,
  total,
  isLast,
  onTurn,
}: {
  label: string;
  /** From 1. */
  page: number;
  perPage: number;
  /** Number of rows on this page. */
  count: number;
  total: number;
  isLast: boolean;
  onTurn: (page: number) => void;
}) {
  const { t } = useTranslation("admin");
  return (
    <nav
      className="flex flex-none items-center gap-2 border-t border-subtle px-6 py-3 max-md:px-4"
      aria-label={label}
    >
      <Button className="max-md:h-10" disabled={page === 1} onClick={() => onTurn(page - 1)}>
        <ChevronLeft className="size-3.5 stroke-2 rtl:-scale-x-100" aria-hidden="true" />
        {t("newer")}
      </Button>
      <span className="flex-1 text-center text-xs text-fg-3 tabular-nums" role="status">
        {count > 0 &&
          t("page", {
            from: formatNumber((page - 1) * perPage + 1),
            to: formatNumber((page - 1) * perPage + count),
            total: formatNumber(total),
          })}
      </span>
      <Button className="max-md:h-10" disabled={isLast} onClick={() => onTurn(page + 1)}>
        {t("older")}
        <ChevronRight className="size-3.5 stroke-2 rtl:-scale-x-100" aria-hidden="true" />
      </Button>
    </nav>
  );
}
