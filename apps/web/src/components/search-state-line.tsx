import { getSearchState, type Out } from "@carrel/contracts";
import { queryOptions, useQuery } from "@tanstack/react-query";
import { TextSearch } from "lucide-react";
import { useTranslation } from "react-i18next";
import { call } from "../lib/api.ts";
import { cn } from "../lib/cn.ts";
import { formatNumber } from "../lib/format.ts";
import { addTexts } from "../lib/i18n.ts";
import { documentKeys } from "../lib/query-keys.ts";
import texts from "../locales/en/search-state.json" with { type: "json" };

// Loaded with the pages that show it, not with the first one.
addTexts("search-state", texts);

type SearchState = Out<typeof getSearchState>;

/** Refreshed together with the document counts. */
const searchStateQuery = (slug: string) =>
  queryOptions({
    queryKey: documentKeys.searchState(slug),
    staleTime: 10_000,
    retry: false,
    queryFn: ({ signal }) => call(getSearchState, { slug }, { signal }),
  });

/** The text of the line; null for a workspace without documents. */
function describeSearch({
  documents,
  embedded,
  embedder,
}: SearchState):
  | "complete"
  | "partly"
  | "missing"
  | "downloading"
  | "failed"
  | "off"
  | "unset"
  | null {
  if (documents === 0) return null;
  if (embedder.state === "ready") return embedded < documents ? "partly" : "complete";
  if (embedder.state !== "missing") return embedder.state;
  return embedder.fault?.code === "embedder.download-failed" ? "failed" : "missing";
}

const waiting: ReadonlySet<string> = new Set(["partly", "missing", "downloading"]);

/** One line about how the workspace is searched; empty until that is known. */
export default function SearchStateLine({
  slug,
  onlyWaiting = false,
  className,
}: {
  slug: string;
  /** Shows something only while documents wait for semantic search. */
  onlyWaiting?: boolean;
  className?: string;
}) {
  const { t } = useTranslation("search-state");
  const { data } = useQuery(searchStateQuery(slug));
  const line = data ? describeSearch(data) : null;
  if (!data || line === null || (onlyWaiting && !waiting.has(line))) return null;
  return (
    <p
      className={cn("flex items-start gap-1.5 text-xs text-fg-3 tabular-nums", className)}
      role="status"
    >
      <TextSearch className="mt-px size-3.5 flex-none stroke-2" aria-hidden="true" />
      {line === "partly"
        ? t("partly", {
            count: data.documents,
            done: formatNumber(data.embedded),
            total: formatNumber(data.documents),
          })
        : t(line)}
    </p>
  );
}
