import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { FileType } from "../../../components/ui/badge.tsx";
import { FailedQuery } from "../../../components/ui/notice.tsx";
import { Skeleton } from "../../../components/ui/progress.tsx";
import type { DocumentPlace } from "../../../lib/document-place.ts";
import {
  documentTextsQuery,
  excerptPieces,
  minTermLength,
  useDebounced,
} from "../../../lib/document-search.ts";
import { fileTag } from "../../../lib/file-tag.ts";
import { joinFacts } from "../../../lib/format.ts";

const maxHits = 20;

/** Matches in the documents of all the user's workspaces, this one's first. */
export function DocumentHits({
  slug,
  term,
  onOpen,
}: {
  slug: string;
  term: string;
  onOpen: (place: DocumentPlace, slug: string) => void;
}) {
  const { t } = useTranslation(["documents-manager", "common"]);
  const wanted = useDebounced(term);
  const query = useQuery(documentTextsQuery(wanted, slug, maxHits));
  if (term.length < minTermLength) return null;
  const hits = query.data?.hits ?? [];
  const isWaiting = wanted !== term || query.isFetching;
  return (
    <section className="border-t border-subtle px-2 py-3" aria-label={t("inside.title")}>
      <h3 className="px-2 pb-1.5 text-xs font-medium text-fg-3">{t("inside.title")}</h3>
      {query.isError ? (
        <FailedQuery
          title={t("inside.failed")}
          retryLabel={t("tryAgain")}
          error={query.error}
          retry={() => void query.refetch()}
        />
      ) : hits.length > 0 ? (
        <ul>
          {hits.map((hit) => (
            <li key={`${hit.documentId} ${hit.start}`}>
              <button
                type="button"
                className="flex w-full items-start gap-3 rounded-sm px-2 py-2 text-start hover:bg-hover"
                onClick={() => onOpen({ ...hit, marks: hit.matches }, hit.workspace.slug)}
              >
                <FileType>{fileTag(hit.title, hit.mime)}</FileType>
                <span className="grid min-w-0 flex-1 gap-0.5">
                  <span className="flex items-baseline gap-2">
                    <span className="truncate font-medium" dir="auto">
                      {hit.title}
                    </span>
                    <span className="ms-auto max-w-[50%] flex-none truncate text-xs text-fg-3">
                      {joinFacts([
                        hit.page === null
                          ? hit.headingPath.at(-1)
                          : t("inside.page", { page: hit.page }),
                        hit.workspace.slug === slug ? null : hit.workspace.name,
                      ])}
                    </span>
                  </span>
                  <span className="line-clamp-3 text-xs wrap-anywhere text-fg-2">
                    {excerptPieces(hit).map((piece, n) =>
                      piece.hit ? (
                        <mark
                          className="rounded-[3px] bg-accent-subtle font-medium text-accent"
                          key={n}
                        >
                          {piece.text}
                        </mark>
                      ) : (
                        piece.text
                      ),
                    )}
                  </span>
                </span>
              </button>
            </li>
          ))}
        </ul>
      ) : isWaiting ? (
        <div className="grid gap-3 px-2 py-1" role="status" aria-label={t("inside.searching")}>
          {[64, 48].map((width) => (
            <Skeleton key={width} style={{ inlineSize: `${width}%` }} />
          ))}
        </div>
      ) : (
        <p className="px-2 text-fg-3">{t("inside.nothing", { term })}</p>
      )}
      {!isWaiting && !query.isError && query.data?.isRebuilding && (
        <p className="px-2 pt-2 text-xs text-fg-3" role="status">
          {t("common:indexRebuilding")}
        </p>
      )}
    </section>
  );
}
