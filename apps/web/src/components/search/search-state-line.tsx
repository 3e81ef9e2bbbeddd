import "./search-state-texts.ts";
import { useQuery } from "@tanstack/react-query";
import { TextSearch } from "lucide-react";
import { useTranslation } from "react-i18next";
import { cn } from "../../lib/cn.ts";
import { formatNumber } from "../../lib/format.ts";
import { describeSearch, searchStateQuery } from "../../lib/search-state.ts";

const waiting: ReadonlySet<string> = new Set(["partly", "missing", "downloading"]);

/** One line about how the workspace is searched; nothing until it is known. */
export default function SearchStateLine({
  slug,
  onlyWaiting = false,
  className,
}: {
  slug: string;
  /** Speaks only while documents wait for semantic search. */
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
