import { useVirtualizer } from "@tanstack/react-virtual";
import { clsx } from "clsx";
import { useRef, useState, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Checkbox } from "../../../components/ui/choices.tsx";
import { SearchField } from "../../../components/ui/text-field.tsx";

export interface PickListItem {
  id: number;
  name: string;
  /** Shown after the name. */
  mark?: ReactNode;
  /** Always checked and cannot be changed. */
  fixed?: boolean;
}

/** A searchable, virtualized checkbox list. */
export function PickList({
  label,
  search,
  items,
  selected,
  onChange,
}: {
  label: string;
  search: string;
  items: PickListItem[];
  selected: ReadonlySet<number>;
  onChange: (selected: Set<number>) => void;
}) {
  const { t } = useTranslation("admin");
  const [term, setTerm] = useState("");
  const box = useRef<HTMLDivElement>(null);
  const typed = term.trim().toLowerCase();
  const matching =
    typed === "" ? items : items.filter((item) => item.name.toLowerCase().includes(typed));
  const virtual = useVirtualizer({
    count: matching.length,
    getScrollElement: () => box.current,
    estimateSize: () => 36,
    overscan: 16,
    getItemKey: (index) => matching[index]?.id ?? index,
  });
  const toggle = (id: number, on: boolean): void => {
    const next = new Set(selected);
    if (on) next.add(id);
    else next.delete(id);
    onChange(next);
  };
  return (
    <div
      className="grid grid-rows-[auto_minmax(0,1fr)] overflow-hidden rounded-md border border-line bg-surface"
      role="group"
      aria-label={label}
    >
      {/* Enter in the search field must not submit the surrounding form. */}
      <SearchField
        variant="plain"
        label={search}
        value={term}
        onChange={(event) => setTerm(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === "Enter") event.preventDefault();
        }}
      />
      <div
        className="relative max-h-[300px] overflow-auto p-1 scrollbar-thin scrollbar-thumb-line scrollbar-track-transparent max-md:max-h-[38dvh]"
        ref={box}
      >
        {matching.length === 0 && (
          <p className="text-fg-3 p-2" role="status">
            {t("noMatch", { term: term.trim() })}
          </p>
        )}
        <div className="relative" style={{ blockSize: virtual.getTotalSize() }}>
          {virtual.getVirtualItems().map((virtualItem) => {
            const item = matching[virtualItem.index];
            return (
              item && (
                <div
                  key={virtualItem.key}
                  data-index={virtualItem.index}
                  ref={virtual.measureElement}
                  className="absolute inset-x-0 top-0"
                  style={{ transform: `translateY(${virtualItem.start}px)` }}
                >
                  <label
                    className={clsx(
                      "flex min-h-9 w-full items-center gap-2.5 rounded-sm px-2 max-md:min-h-11",
                      !item.fixed && "cursor-pointer hover:bg-hover",
                    )}
                  >
                    <Checkbox
                      checked={item.fixed || selected.has(item.id)}
                      disabled={item.fixed ?? false}
                      onChange={(event) => toggle(item.id, event.target.checked)}
                    />
                    <span className="min-w-0 flex-1 truncate" title={item.name} dir="auto">
                      {item.name}
                    </span>
                    {item.mark && <span className="text-xs text-fg-3">{item.mark}</span>}
                  </label>
                </div>
              )
            );
          })}
        </div>
      </div>
    </div>
  );
}
