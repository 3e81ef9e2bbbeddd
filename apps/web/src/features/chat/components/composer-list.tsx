import type { LucideIcon } from "lucide-react";
import { useEffect, useState, type RefObject } from "react";
import { cn } from "../../../lib/cn.ts";

/** Receives the field's key presses while a list is open; returns true if it handled the key. */
export type ListKeys = (key: string) => boolean;
export interface ListEntry {
  id: string;
  icon: LucideIcon;
  label: string;
  help: string;
  /** Where it comes from, always shown. */
  origin?: string;
  /** Written left to right in every language. */
  isCode?: boolean;
  run: () => void;
}

/** A list to choose from above the message field, which keeps focus. */
export function ComposerList({
  id,
  label,
  entries,
  keysRef,
  picksOnEnter,
  onActive,
  onClose,
}: {
  id: string;
  label: string;
  entries: readonly ListEntry[];
  keysRef: RefObject<ListKeys | null>;
  /** Otherwise Enter sends the message. */
  picksOnEnter: boolean;
  onActive: (option: string | null) => void;
  onClose: () => void;
}) {
  // By its id: entries that load later must not move another one under the key that is pressed.
  const [chosen, setChosen] = useState<string | null>(null);
  const active = Math.max(
    0,
    entries.findIndex((entry) => entry.id === chosen),
  );
  const setAt = (index: number): void => setChosen(entries[index]?.id ?? null);
  const optionId = (index: number): string => `${id}-${entries[index]?.id ?? ""}`;
  const activeId = optionId(active);
  useEffect(() => {
    onActive(activeId);
    document.getElementById(activeId)?.scrollIntoView({ block: "nearest" });
  }, [activeId, onActive]);
  useEffect(() => {
    keysRef.current = (key) => {
      if (key === "ArrowDown") setAt((active + 1) % entries.length);
      else if (key === "ArrowUp") setAt((active + entries.length - 1) % entries.length);
      else if (key === "Escape") onClose();
      else if (key === "Tab" || (key === "Enter" && picksOnEnter)) entries[active]?.run();
      else return false;
      return true;
    };
    return () => {
      keysRef.current = null;
    };
  });
  return (
    <div
      className="absolute inset-x-0 bottom-[calc(100%+6px)] z-(--layer-sheet) max-h-66 overflow-y-auto rounded-md border border-line bg-overlay p-1 shadow-float in-data-[slot=hero]:top-[calc(100%+6px)] in-data-[slot=hero]:bottom-auto [&_svg]:text-fg-3"
      role="listbox"
      id={id}
      aria-label={label}
    >
      {entries.map((entry, index) => (
        <div
          key={entry.id}
          id={optionId(index)}
          role="option"
          aria-selected={index === active}
          className={cn(
            "flex min-h-8.5 min-w-0 cursor-pointer items-center gap-2 rounded-sm px-2 max-md:min-h-11",
            index === active && "bg-hover",
            entry.id === "manage" &&
              "not-first:rounded-t-none not-first:border-t not-first:border-subtle",
          )}
          onPointerMove={() => setAt(index)}
          onPointerDown={(event) => event.preventDefault()}
          onClick={entry.run}
        >
          <entry.icon className="size-3.5 flex-none stroke-2" aria-hidden="true" />
          <b className="min-w-0 truncate" dir={entry.isCode ? "ltr" : "auto"}>
            {entry.label}
          </b>
          {entry.help && (
            <span className="min-w-0 shrink-100 truncate text-fg-3">{entry.help}</span>
          )}
          {entry.origin !== undefined && (
            <span className="ms-auto max-w-2/5 flex-none truncate text-xs text-fg-3" dir="auto">
              {entry.origin}
            </span>
          )}
        </div>
      ))}
    </div>
  );
}
