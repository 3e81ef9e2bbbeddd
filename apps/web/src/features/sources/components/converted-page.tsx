import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { convertedQuery } from "../api/converted-document.ts";
import type { DocumentScope } from "../api/document-text.ts";
import type { Converted } from "../worker/conversion.ts";
import { PageSkeleton } from "./page-skeleton.tsx";
import { TextInstead } from "./text-instead.tsx";

/** An original, converted to be shown; falls back to its text if it can't be. */
export function ConvertedPage({
  slug,
  documentId,
  file,
  fallback,
  children,
}: {
  slug: DocumentScope;
  documentId: string;
  file: { mime: string; encoding?: string | undefined };
  fallback: ReactNode;
  children: (converted: Converted) => ReactNode;
}) {
  const { t } = useTranslation("sources");
  const query = useQuery(convertedQuery(slug, documentId, file));
  if (query.isError || query.data === null)
    return <TextInstead title={t("pdfFailed")}>{fallback}</TextInstead>;
  return query.data ? children(query.data) : <PageSkeleton />;
}
