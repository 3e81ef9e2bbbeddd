import type { HubItemType } from "@carrel/contracts";
import { useInfiniteQuery, useSuspenseQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Button, buttonStyles } from "../../../components/ui/button.tsx";
import { PageBody } from "../../../components/ui/form-section.tsx";
import { FailedQuery, Notice } from "../../../components/ui/notice.tsx";
import { Skeleton } from "../../../components/ui/progress.tsx";
import { PageBoundary } from "../../../components/ui/query-boundary.tsx";
import { Segmented } from "../../../components/ui/segmented.tsx";
import { SearchField } from "../../../components/ui/text-field.tsx";
import { hubSettingsQuery } from "../../../lib/hub.ts";
import { hubItemsQuery } from "../api/hub.ts";
import { hubTypes, typeKey, type ListSearch } from "../state/hub-search.ts";
import { cardGrid, ItemCard } from "./item-card.tsx";

interface Shown {
  type: HubItemType;
  search: string;
  onChange: (search: ListSearch) => void;
}

/** What the hub has. */
export function TrendingPage(shown: Shown) {
  const { t } = useTranslation("hub");
  return (
    <PageBoundary words={{ loading: t("loading"), failed: t("loadFailed"), retry: t("retry") }}>
      <Trending {...shown} />
    </PageBoundary>
  );
}

function Trending(shown: Shown) {
  const { data: settings } = useSuspenseQuery(hubSettingsQuery);
  return <PageBody>{settings.source.kind === "off" ? <HubOff /> : <Items {...shown} />}</PageBody>;
}

/** Nothing is asked of any server until an admin chooses one. */
export function HubOff() {
  const { t } = useTranslation("hub");
  return (
    <div className="grid max-w-[520px] justify-items-start gap-2 rounded-md border border-line p-6">
      <h2 className="font-semibold">{t("off.title")}</h2>
      <p className="text-fg-2">{t("off.text")}</p>
      <Link
        className={buttonStyles({ variant: "primary", className: "mt-2" })}
        to="/settings/community-hub/authentication"
      >
        {t("off.choose")}
      </Link>
    </div>
  );
}

function Items({ type, search, onChange }: Shown) {
  const { t } = useTranslation("hub");
  const [typed, setTyped] = useState(search);
  const query = useInfiniteQuery(hubItemsQuery(type, search));
  const items = query.data?.pages.flatMap((page) => page.items) ?? [];
  const last = query.data?.pages.at(-1);
  const change = (next: ListSearch): void =>
    onChange({ type, ...(typed.trim() !== "" && { search: typed.trim() }), ...next });
  return (
    <div className="grid max-w-[1080px] grid-cols-1 gap-4">
      <form
        className="flex flex-wrap items-center gap-3"
        role="search"
        onSubmit={(event) => {
          event.preventDefault();
          change({});
        }}
      >
        <Segmented
          label={t("list.types")}
          value={type}
          options={hubTypes.map((each) => ({ value: each, label: t(`types.${typeKey[each]}`) }))}
          onChange={(next) => change({ type: next })}
        />
        <SearchField
          className="h-8 w-64 max-md:h-10 max-md:w-auto max-md:min-w-48 max-md:flex-1"
          label={t("list.search")}
          value={typed}
          maxLength={200}
          onChange={({ target }) => {
            setTyped(target.value);
            if (target.value === "") onChange({ type });
          }}
        />
        <Button type="submit">{t("list.find")}</Button>
        <span className="text-xs text-fg-3 tabular-nums" role="status">
          {last !== undefined && t("list.count", { count: last.total })}
        </span>
      </form>
      {query.error && (
        <FailedQuery
          title={t("list.failed")}
          retryLabel={t("retry")}
          error={query.error}
          retry={() => void query.refetch()}
        />
      )}
      {query.isPending && (
        <div className={cardGrid} role="status" aria-busy="true" aria-label={t("list.loading")}>
          {[1, 2, 3, 4, 5, 6].map((card) => (
            <Skeleton key={card} className="h-32 rounded-md" />
          ))}
        </div>
      )}
      {last !== undefined && items.length === 0 && (
        <p className="py-6 text-fg-2">{t(search === "" ? "list.empty" : "list.noMatch")}</p>
      )}
      <ul className={cardGrid} aria-label={t(`types.${typeKey[type]}`)}>
        {items.map((item) => (
          <ItemCard key={item.importId} item={item} />
        ))}
      </ul>
      {query.hasNextPage && (
        <div>
          <Button disabled={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
            {t(query.isFetchingNextPage ? "list.loadingMore" : "list.more")}
          </Button>
        </div>
      )}
      {last?.hasUnlisted && !query.hasNextPage && (
        <Notice
          action={
            <Link className={buttonStyles({ size: "sm" })} to="/settings/community-hub/import-item">
              {t("list.byId")}
            </Link>
          }
        >
          {t("list.unlisted")}
        </Notice>
      )}
    </div>
  );
}
