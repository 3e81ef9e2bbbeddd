import { cva } from "class-variance-authority";
import {
  Check as Tick,
  ChevronDown,
  ChevronRight,
  FileText,
  Folder,
  X,
  type LucideIcon,
} from "lucide-react";
import { useId, useLayoutEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { Button, IconButton } from "../../../components/ui/button.tsx";
import { cn } from "../../../lib/cn.ts";
import { formatNumber, joinNames } from "../../../lib/format.ts";
import { useSaveStaged } from "../api/bulk-actions.ts";
import { maxIdsPerRequest } from "../state/selected-documents.ts";
import { unstage, unstageOne, useStaged } from "../state/staged.ts";

/** Any others are only counted; they can be discarded all at once. */
const maxListed = 200;

/** Documents moved here but not yet added. */
export function StagedBar({ slug }: { slug: string }) {
  const { t } = useTranslation("documents-manager");
  const { documents, filters } = useStaged(slug);
  const saving = useSaveStaged(slug);
  const busy = saving.isPending;
  const [open, setOpen] = useState(false);
  const listId = useId();
  const entries = Object.entries(documents);
  const count = entries.length + filters.reduce((sum, each) => sum + each.count, 0);
  if (entries.length + filters.length === 0) return null;
  const names = [...filters.map((each) => each.name), ...Object.values(documents)];
  const shown = joinNames(names.slice(0, 3));
  const label = t("staged", { count, text: formatNumber(count) });
  const save = (): void => {
    const pages = Array.from(
      { length: Math.ceil(entries.length / maxIdsPerRequest) },
      (_, page) => ({
        documentIds: entries
          .slice(page * maxIdsPerRequest, (page + 1) * maxIdsPerRequest)
          .map(([id]) => id),
      }),
    );
    saving.mutate({ documents: [...filters.map((each) => each.selection), ...pages] });
  };
  const row = (
    key: string,
    icon: "folder" | "file",
    name: string,
    some: number | null,
    unstageEntry: () => void,
  ) => (
    <li key={key} className="flex min-h-[26px] min-w-0 items-center gap-2">
      {icon === "folder" ? (
        <Folder className="size-3.5 stroke-2 text-fg-3" aria-hidden="true" />
      ) : (
        <FileText className="size-3.5 stroke-2 text-fg-3" aria-hidden="true" />
      )}
      <span className="truncate min-w-0 flex-1" title={name} dir="auto">
        {name}
      </span>
      {some !== null && (
        <span className="text-fg-3 tabular-nums text-xs">{formatNumber(some)}</span>
      )}
      <IconButton
        className="size-6"
        label={t("unstage", { name })}
        disabled={busy}
        onClick={unstageEntry}
      >
        <X className="size-3.5 stroke-2" />
      </IconButton>
    </li>
  );
  const all = [
    ...filters.map((each, index) =>
      row(`f${index}`, "folder", each.name, each.count, () => unstageOne(slug, each)),
    ),
    ...entries.map(([id, name]) => row(id, "file", name, null, () => unstageOne(slug, id))),
  ];
  return (
    <div
      className="mb-3 ms-4 me-3 grid flex-none gap-1.5 rounded-md border border-accent-line bg-accent-subtle p-2"
      role="region"
      aria-label={label}
    >
      <div className="flex items-center gap-2">
        <IconButton
          className="size-6"
          label={t(open ? "hideStaged" : "showStaged")}
          aria-expanded={open}
          aria-controls={listId}
          onClick={() => setOpen(!open)}
        >
          {open ? (
            <ChevronDown className="size-3.5 stroke-2" />
          ) : (
            <ChevronRight className="size-3.5 stroke-2 rtl:-scale-x-100" />
          )}
        </IconButton>
        <div className="min-w-0 flex-1">
          <b className="font-medium" role="status">
            {label}
          </b>
          {!open && (
            <p className="text-xs text-fg-3 truncate">
              {names.length > 3
                ? t("stagedNames", { names: shown, more: formatNumber(names.length - 3) })
                : shown}
            </p>
          )}
        </div>
        <Button variant="quiet" size="sm" disabled={busy} onClick={() => unstage(slug)}>
          {t("discard")}
        </Button>
        <Button variant="primary" size="sm" disabled={busy} onClick={save}>
          <Tick className="size-3.5 stroke-2" aria-hidden="true" />
          {busy ? t("saving") : t("saveAndEmbed")}
        </Button>
      </div>
      {open && (
        <ul
          className="grid max-h-[168px] gap-0.5 overflow-auto border-t border-accent-line ps-[30px] pt-1.5"
          id={listId}
        >
          {all.slice(0, maxListed)}
          {all.length > maxListed && (
            <li className="flex min-h-[26px] items-center text-xs text-fg-3">
              {t("stagedMore", { text: formatNumber(all.length - maxListed) })}
            </li>
          )}
        </ul>
      )}
    </div>
  );
}

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
