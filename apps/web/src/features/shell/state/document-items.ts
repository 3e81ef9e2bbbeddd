import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { FileText, TextSearch } from "lucide-react";
import { useTranslation } from "react-i18next";
import { placeHash } from "../../../lib/document-place.ts";
import { documentTextsQuery, excerptPieces } from "../../../lib/document-search.ts";
import { documentSearchQuery, minTermLength, traceOf } from "../api/search.ts";
import type { PaletteItem } from "./palette-item.ts";

const maxHits = 8;

/** Documents whose names match, and places in documents that have the words. */
export function useDocumentItems(
  target: string | null,
  targetName: string | undefined,
  term: string,
  isSearching: boolean,
): { named: PaletteItem[]; inside: PaletteItem[]; isFetching: boolean; error: Error | null } {
  const { t } = useTranslation("shell");
  const navigate = useNavigate();
  const named = useQuery(documentSearchQuery(target, term));
  const inside = useQuery(documentTextsQuery(term, target, maxHits, () => traceOf(term)));
  const isFound = isSearching && term.length >= minTermLength;
  const open = (workspaceSlug: string, hash: string) => () =>
    void navigate({ to: "/workspace/$workspaceSlug/documents", params: { workspaceSlug }, hash });
  return {
    named: (isFound && target !== null ? (named.data?.documents ?? []) : []).map((document) => ({
      id: `document-${document.documentId}`,
      label: document.title,
      ...(targetName !== undefined && { hint: targetName }),
      icon: FileText,
      run: open(target ?? "", `document-${document.documentId}`),
    })),
    inside: (isFound ? (inside.data ?? []) : []).map((hit) => ({
      id: `place-${hit.documentId}-${hit.start}`,
      label: hit.title,
      pieces: excerptPieces(hit),
      hint: [
        hit.page === null ? hit.headingPath.at(-1) : t("onPage", { page: hit.page }),
        hit.workspace.name,
      ]
        .filter(Boolean)
        .join(" · "),
      icon: TextSearch,
      run: open(hit.workspace.slug, placeHash({ ...hit, marks: hit.matches })),
    })),
    isFetching: named.isFetching || inside.isFetching,
    error: inside.error,
  };
}
