import type { DocumentKind } from "@carrel/contracts";
import { ListFilter } from "lucide-react";
import { Popover } from "radix-ui";
import { useTranslation } from "react-i18next";
import { IconButton } from "../../../components/ui/button.tsx";
import { Checkbox } from "../../../components/ui/choices.tsx";
import { linkStyles } from "../../../components/ui/styles.ts";
import { SearchField } from "../../../components/ui/text-field.tsx";
import { cn } from "../../../lib/cn.ts";
import type { Sorting } from "../api/library.ts";
import {
  hasFilters,
  noFilters,
  type DocumentFilters,
  type StateFilter,
} from "../state/document-filters.ts";
import type { ListView } from "../state/list-view.ts";

const kinds: DocumentKind[] = [
  "pdf",
  "word",
  "slides",
  "sheet",
  "text",
  "markdown",
  "web",
  "mail",
  "book",
  "code",
  "data",
  "image",
  "audio",
  "video",
  "other",
];
const stateLabels = {
  waiting: "stateWaiting",
  ready: "stateReady",
  failed: "stateFailed",
  pinned: "statePinned",
} as const;
const orders = [
  { label: "sortTitle", sort: "title", descending: false },
  { label: "sortTitleDown", sort: "title", descending: true },
  { label: "sortAdded", sort: "added", descending: true },
  { label: "sortAddedUp", sort: "added", descending: false },
  { label: "sortBytes", sort: "bytes", descending: true },
] as const;

const toggled = <T,>(list: T[], value: T): T[] =>
  list.includes(value) ? list.filter((each) => each !== value) : [...list, value];

interface FilterPopoverProps {
  value: DocumentFilters;
  states: readonly StateFilter[];
  /** Offers to hide documents that are already in the workspace. */
  canHideAdded?: boolean;
  tags: readonly string[];
  sorting: Sorting;
  onChange: (value: DocumentFilters) => void;
  onSort: (sorting: Sorting) => void;
}

const group = "grid min-w-0 items-start justify-items-start gap-2";
const option =
  "min-h-[26px] max-w-full truncate rounded-[13px] border border-line px-[9px] text-xs text-fg-2 hover:border-strong hover:text-fg-1 aria-pressed:border-accent-line aria-pressed:bg-accent-subtle aria-pressed:text-accent";

/** Filters and sort order of a list. */
function FilterPopover({
  value,
  states,
  canHideAdded = false,
  tags,
  sorting,
  onChange,
  onSort,
}: FilterPopoverProps) {
  const { t } = useTranslation("documents-manager");
  const isFiltered = hasFilters(value);
  const label = isFiltered ? t("filterActive") : t("filter");
  // Selected tags stay listed even if no document has them any more.
  const offered = [...new Set([...tags, ...value.tags])];
  return (
    <Popover.Root>
      <Popover.Trigger asChild>
        <IconButton
          label={label}
          className={isFiltered ? "text-accent hover:text-accent" : undefined}
        >
          <ListFilter aria-hidden="true" />
        </IconButton>
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Content
          className="z-(--layer-menu) grid max-h-[min(560px,var(--radix-popover-content-available-height))] w-[340px] animate-appear gap-4 overflow-auto rounded-md border border-line bg-overlay p-4 shadow-float"
          align="end"
          sideOffset={4}
          collisionPadding={8}
          aria-label={t("filter")}
        >
          <fieldset className={group}>
            <legend className="mb-1.5 text-xs/5 text-fg-3">{t("state")}</legend>
            <div className="flex flex-wrap gap-1.5">
              {[null, ...states].map((state) => (
                <button
                  key={state ?? ""}
                  type="button"
                  className={option}
                  aria-pressed={value.state === state}
                  onClick={() => onChange({ ...value, state })}
                >
                  {t(state === null ? "stateAll" : stateLabels[state])}
                </button>
              ))}
            </div>
            {canHideAdded && (
              <label className="flex min-h-6 min-w-0 cursor-pointer items-center gap-2 max-md:min-h-9">
                <Checkbox
                  checked={value.missing}
                  onChange={() => onChange({ ...value, missing: !value.missing })}
                />
                {t("missingOnly")}
              </label>
            )}
          </fieldset>
          <fieldset className={group}>
            <legend className="mb-1.5 text-xs/5 text-fg-3">{t("kind")}</legend>
            <div className="flex flex-wrap gap-1.5">
              {kinds.map((kind) => (
                <button
                  key={kind}
                  type="button"
                  className={option}
                  aria-pressed={value.kinds.includes(kind)}
                  onClick={() => onChange({ ...value, kinds: toggled(value.kinds, kind) })}
                >
                  {t(`kinds.${kind}`)}
                </button>
              ))}
            </div>
          </fieldset>
          {offered.length > 0 && (
            <fieldset className={group}>
              <legend className="mb-1.5 text-xs/5 text-fg-3">{t("tags")}</legend>
              <div className="flex flex-wrap gap-1.5">
                {offered.map((tag) => (
                  <button
                    key={tag}
                    type="button"
                    className={option}
                    aria-pressed={value.tags.includes(tag)}
                    onClick={() => onChange({ ...value, tags: toggled(value.tags, tag) })}
                  >
                    <bdi>{tag}</bdi>
                  </button>
                ))}
              </div>
            </fieldset>
          )}
          <fieldset className={group}>
            <legend className="mb-1.5 text-xs/5 text-fg-3">{t("order")}</legend>
            <div className="flex flex-wrap gap-1.5">
              {orders.map((order) => (
                <button
                  key={order.label}
                  type="button"
                  className={option}
                  aria-pressed={
                    sorting.sort === order.sort && sorting.descending === order.descending
                  }
                  onClick={() => onSort({ sort: order.sort, descending: order.descending })}
                >
                  {t(order.label)}
                </button>
              ))}
            </div>
          </fieldset>
          {isFiltered && (
            <button
              type="button"
              className={cn(linkStyles, "justify-self-start")}
              onClick={() => onChange(noFilters)}
            >
              {t("reset")}
            </button>
          )}
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}

/** The search field, filters and order of a list of documents. */
export function ListControls({
  view: { search, filters, sorting, setSearch, setFilters, setSorting },
  label,
  placeholder,
  className,
  states,
  canHideAdded = false,
  tags,
}: {
  view: ListView;
  label: string;
  placeholder: string;
  /** Class of the search field. */
  className: string;
  states: readonly StateFilter[];
  canHideAdded?: boolean;
  /** Tags to filter by. */
  tags: string[];
}) {
  return (
    <>
      <SearchField
        className={cn("h-7 [&_input::-webkit-search-cancel-button]:appearance-none", className)}
        label={label}
        placeholder={placeholder}
        value={search}
        maxLength={200}
        onChange={(event) => setSearch(event.target.value)}
      />
      <FilterPopover
        value={filters}
        states={states}
        canHideAdded={canHideAdded}
        tags={tags}
        sorting={sorting}
        onChange={setFilters}
        onSort={setSorting}
      />
    </>
  );
}
