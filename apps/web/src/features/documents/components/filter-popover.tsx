import type { DocumentKind } from "@carrel/contracts";
import { ListFilter } from "lucide-react";
import { Popover } from "radix-ui";
import { useTranslation } from "react-i18next";
import type { Sorting } from "../api/library.ts";
import { everything, isNarrowed, type Narrowing, type Shown } from "../state/narrowing.ts";
import { Check } from "./check.tsx";

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

export interface FilterPopoverProps {
  value: Narrowing;
  states: readonly Shown[];
  /** Offers to hide documents that are already in the workspace. */
  canMiss?: boolean;
  tags: readonly string[];
  sorting: Sorting;
  onChange: (value: Narrowing) => void;
  onSort: (sorting: Sorting) => void;
}

/** Filters and sort order of a list. */
export function FilterPopover({
  value,
  states,
  canMiss = false,
  tags,
  sorting,
  onChange,
  onSort,
}: FilterPopoverProps) {
  const { t } = useTranslation("library");
  const narrowed = isNarrowed(value);
  const label = narrowed ? t("filterActive") : t("filter");
  // Selected tags stay listed even if no document has them anymore.
  const offered = [...new Set([...tags, ...value.tags])];
  return (
    <Popover.Root>
      <Popover.Trigger className={narrowed ? "ib on" : "ib"} aria-label={label} title={label}>
        <ListFilter className="i" aria-hidden="true" />
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Content
          className="menu filter-menu"
          align="end"
          sideOffset={4}
          collisionPadding={8}
          aria-label={t("filter")}
        >
          <fieldset>
            <legend>{t("state")}</legend>
            <div className="choices">
              {[null, ...states].map((state) => (
                <button
                  key={state ?? ""}
                  type="button"
                  className="choice"
                  aria-pressed={value.state === state}
                  onClick={() => onChange({ ...value, state })}
                >
                  {t(state === null ? "stateAll" : stateLabels[state])}
                </button>
              ))}
            </div>
            {canMiss && (
              <label className="tag-choice">
                <Check
                  checked={value.missing}
                  onChange={() => onChange({ ...value, missing: !value.missing })}
                />
                {t("missingOnly")}
              </label>
            )}
          </fieldset>
          <fieldset>
            <legend>{t("kind")}</legend>
            <div className="choices">
              {kinds.map((kind) => (
                <button
                  key={kind}
                  type="button"
                  className="choice"
                  aria-pressed={value.kinds.includes(kind)}
                  onClick={() => onChange({ ...value, kinds: toggled(value.kinds, kind) })}
                >
                  {t(`kinds.${kind}`)}
                </button>
              ))}
            </div>
          </fieldset>
          {offered.length > 0 && (
            <fieldset>
              <legend>{t("tags")}</legend>
              <div className="choices">
                {offered.map((tag) => (
                  <button
                    key={tag}
                    type="button"
                    className="choice"
                    aria-pressed={value.tags.includes(tag)}
                    onClick={() => onChange({ ...value, tags: toggled(value.tags, tag) })}
                  >
                    <bdi>{tag}</bdi>
                  </button>
                ))}
              </div>
            </fieldset>
          )}
          <fieldset>
            <legend>{t("order")}</legend>
            <div className="choices">
              {orders.map((order) => (
                <button
                  key={order.label}
                  type="button"
                  className="choice"
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
          {narrowed && (
            <button type="button" className="link" onClick={() => onChange(everything)}>
              {t("reset")}
            </button>
          )}
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}
