import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../../components/ui/button.tsx";
import { CopyButton } from "../../../components/ui/copy-button.tsx";
import { cn } from "../../../lib/cn.ts";
import { formatNumber } from "../../../lib/format.ts";
import { toCsv } from "../state/chart-data.ts";
import { withoutHidden } from "../state/safe-text.ts";

type Cell = string | number | null;

const shownAtFirst = 10;
const shownMore = 90;

/** Rows of figures: the first ones, and more on demand. */
export function DataTable({
  title,
  columns,
  rows,
  total,
}: {
  title: string;
  columns: readonly string[];
  rows: readonly (readonly Cell[])[];
  /** How many rows there are; `rows` may be only the first ones. */
  total: number;
}) {
  const { t } = useTranslation("steps");
  const [shown, setShown] = useState(shownAtFirst);
  const more = Math.min(shownMore, rows.length - shown);
  const size =
    total > rows.length
      ? t("table.first", { shown: formatNumber(rows.length), total: formatNumber(total) })
      : t("table.rows", { count: total, text: formatNumber(total) });
  const isNumeric = columns.map((_, column) =>
    rows.every((row) => row[column] === null || typeof row[column] === "number"),
  );
  const name = withoutHidden(title) || t("result");
  return (
    <figure className="min-w-0 overflow-hidden rounded-md border border-line bg-raised">
      <figcaption className="flex items-center gap-2 border-b border-subtle py-1.5 ps-3 pe-1.5">
        <b className="min-w-0 flex-1 truncate font-medium" dir="auto" title={name}>
          {name}
        </b>
        <span className="flex-none text-xs text-fg-3 tabular-nums">{size}</span>
        <CopyCsv columns={columns} rows={rows} />
      </figcaption>
      <div
        className="max-h-120 overflow-auto -outline-offset-2 [scrollbar-color:var(--border-default)_transparent] [scrollbar-width:thin]"
        // Scrollable by keyboard.
        tabIndex={0}
        role="group"
        aria-label={name}
      >
        <TableBody columns={columns} rows={rows.slice(0, shown)} isNumeric={isNumeric} />
        {rows.length === 0 && <p className="px-3 py-2 text-fg-3">{t("table.empty")}</p>}
      </div>
      {more > 0 && (
        <div className="border-t border-subtle p-1">
          <Button variant="quiet" size="sm" className="px-2" onClick={() => setShown(shown + more)}>
            {t("table.more", { count: more })}
          </Button>
        </div>
      )}
    </figure>
  );
}

function CopyCsv({
  columns,
  rows,
}: {
  columns: readonly string[];
  rows: readonly (readonly Cell[])[];
}) {
  const { t } = useTranslation("steps");
  return (
    <span title={t("table.copyCsv")}>
      <CopyButton text={() => toCsv(columns, rows)} />
    </span>
  );
}

function TableBody({
  columns,
  rows,
  isNumeric,
}: {
  columns: readonly string[];
  rows: readonly (readonly Cell[])[];
  isNumeric: readonly boolean[];
}) {
  const cell = (column: number): string =>
    cn(
      "max-w-80 px-3 py-1.5 align-top wrap-anywhere",
      isNumeric[column] ? "text-end whitespace-nowrap tabular-nums" : "text-start",
    );
  return (
    <table className="w-full border-collapse text-sm">
      <thead>
        <tr>
          {columns.map((column, index) => (
            <th
              key={index}
              scope="col"
              className={cn(cell(index), "sticky top-0 bg-raised text-xs font-medium text-fg-3")}
              dir="auto"
            >
              {withoutHidden(column)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row, index) => (
          <tr key={index} className="border-t border-subtle">
            {columns.map((_, column) => {
              const value = row[column] ?? null;
              return (
                <td key={column} className={cell(column)} dir="auto">
                  {value === null ? (
                    <span className="text-fg-3">–</span>
                  ) : typeof value === "number" ? (
                    formatNumber(value, 4)
                  ) : (
                    value
                  )}
                </td>
              );
            })}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
