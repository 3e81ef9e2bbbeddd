import type { ConnectionRunWire, FaultWire, SourceItemWire } from "@carrel/contracts";
import { useInfiniteQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useVirtualizer } from "@tanstack/react-virtual";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { FaultText } from "../../../components/fault-text.tsx";
import { Badge } from "../../../components/ui/badge.tsx";
import { FailedQuery } from "../../../components/ui/notice.tsx";
import { Skeleton } from "../../../components/ui/progress.tsx";
import { linkStyles } from "../../../components/ui/styles.ts";
import { cn } from "../../../lib/cn.ts";
import { placeHash, wholeDocument } from "../../../lib/document-place.ts";
import { formatBytes } from "../../../lib/format.ts";
import { itemsQuery, type ItemState } from "../api/connections.ts";
import { isOpen } from "../state/run-figures.ts";
import { Count, countList } from "./source-page-parts.tsx";

const tones = {
  pending: "neutral",
  fetched: "success",
  unchanged: "neutral",
  skipped: "neutral",
  failed: "danger",
} as const satisfies Record<ItemState, string>;

/** What became of an item; `skipped` would sound as if it could have been imported. */
function wordOf({ state, fault }: SourceItemWire, hasEnded: boolean) {
  if (state === "pending" && hasEnded) return "items.notRead";
  if (state === "skipped" && fault?.code === "source.gone") return "items.gone";
  if (state === "skipped" && fault?.code === "source.missing") return "items.notFound";
  return `items.${state}` as const;
}

/** Reasons shown above the items. */
const shownReasons = 6;

/** The items that the latest import came across, with the reasons of those left out. */
export function SourceItems({
  slug,
  connectionId,
  run,
  state,
}: {
  slug: string;
  connectionId: string;
  run: ConnectionRunWire;
  state: ItemState | null;
}) {
  const { t } = useTranslation("connections");
  const query = useInfiniteQuery(itemsQuery(slug, connectionId, state));
  const { data, error, isPending, refetch } = query;
  const items = data?.pages.flatMap((page) => page.items) ?? [];
  // They are those of all items.
  const reasons = (state === null && data?.pages[0]?.reasons) || [];
  return (
    <section className="grid grid-cols-1 gap-2">
      <h3 className="font-semibold">{t(state === null ? "items.all" : `items.${state}`)}</h3>
      {error && (
        <FailedQuery
          title={t("items.loadFailed")}
          retryLabel={t("retry")}
          error={error}
          retry={() => void refetch()}
        />
      )}
      {reasons.length > 0 && <Reasons reasons={reasons} />}
      {isPending && (
        <div className="grid gap-4 py-3" role="status" aria-label={t("items.loading")}>
          {[58, 41, 66].map((width) => (
            <Skeleton key={width} style={{ inlineSize: `${width}%` }} />
          ))}
        </div>
      )}
      {data && items.length === 0 && (
        <p className="text-fg-3">
          {t(state === null && isOpen(run) ? "items.none" : "items.noneIn")}
        </p>
      )}
      {items.length > 0 && (
        <ItemList slug={slug} items={items} hasEnded={!isOpen(run)} query={query} />
      )}
    </section>
  );
}

function Reasons({ reasons }: { reasons: { fault: FaultWire; count: number }[] }) {
  const { t } = useTranslation("connections");
  return (
    <ul
      className={cn(countList, "rounded-md bg-sunken px-4 py-2.5")}
      aria-label={t("items.reasons")}
    >
      {reasons.slice(0, shownReasons).map(({ fault, count }) => (
        <Count key={JSON.stringify(fault)} of={count}>
          <FaultText fault={fault} fallback={t("unknownReason")} />
        </Count>
      ))}
    </ul>
  );
}

interface MoreItems {
  hasNextPage: boolean;
  isFetchingNextPage: boolean;
  fetchNextPage: () => unknown;
}

function ItemList({
  slug,
  items,
  hasEnded,
  query: { hasNextPage, isFetchingNextPage, fetchNextPage },
}: {
  slug: string;
  items: SourceItemWire[];
  /** The import that they are of. */
  hasEnded: boolean;
  query: MoreItems;
}) {
  const { t } = useTranslation("connections");
  const [box, setBox] = useState<HTMLDivElement | null>(null);
  const virtual = useVirtualizer({
    count: items.length,
    getScrollElement: () => box,
    estimateSize: () => 53,
    overscan: 8,
    getItemKey: (index) => items[index]?.id ?? index,
  });
  const rows = virtual.getVirtualItems();
  const isAtEnd = (rows.at(-1)?.index ?? 0) >= items.length - 10;
  useEffect(() => {
    if (isAtEnd && hasNextPage && !isFetchingNextPage) void fetchNextPage();
  }, [isAtEnd, hasNextPage, isFetchingNextPage, fetchNextPage]);
  return (
    <div
      ref={setBox}
      className="max-h-[min(560px,60dvh)] overflow-auto rounded-md border border-line scrollbar-thin scrollbar-thumb-line scrollbar-track-transparent **:focus-visible:-outline-offset-2"
      role="region"
      aria-label={t("items.label")}
      tabIndex={0}
    >
      <ul className="relative" style={{ blockSize: virtual.getTotalSize() }}>
        {rows.map(({ index, start, key }) => {
          const item = items[index];
          return (
            item && (
              <li
                key={key}
                data-index={index}
                ref={virtual.measureElement}
                className="absolute inset-x-0 top-0 flex min-h-[52px] items-center gap-3 border-b border-subtle px-4 py-2 max-md:flex-wrap"
                style={{ transform: `translateY(${start}px)` }}
              >
                <Item slug={slug} item={item} hasEnded={hasEnded} />
              </li>
            )
          );
        })}
      </ul>
      {isFetchingNextPage && (
        <p className="px-4 py-2 text-xs text-fg-3" role="status">
          {t("items.more")}
        </p>
      )}
    </div>
  );
}

function Item({ slug, item, hasEnded }: { slug: string; item: SourceItemWire; hasEnded: boolean }) {
  const { t } = useTranslation("connections");
  const { title, address, state, fault, documentId, bytes } = item;
  return (
    <>
      <div className="min-w-0 flex-1 max-md:basis-full">
        <b className="block truncate font-medium" title={title}>
          <bdi>{title || address}</bdi>
        </b>
        <span className="block truncate text-xs text-fg-3" title={address}>
          <bdi>{address}</bdi>
        </span>
        {fault && (
          <span className={cn("block text-xs", state === "failed" ? "text-danger" : "text-fg-2")}>
            <FaultText fault={fault} fallback={t("unknownReason")} />
          </span>
        )}
      </div>
      {bytes !== null && (
        <span className="flex-none text-xs text-fg-3 tabular-nums">{formatBytes(bytes)}</span>
      )}
      {documentId !== null && (
        <Link
          className={cn(linkStyles, "flex-none text-xs")}
          to="/workspace/$workspaceSlug/documents"
          params={{ workspaceSlug: slug }}
          hash={placeHash(wholeDocument(documentId))}
        >
          {t("items.openDocument")}
        </Link>
      )}
      <Badge tone={tones[state]} className="flex-none">
        {t(wordOf(item, hasEnded))}
      </Badge>
    </>
  );
}
