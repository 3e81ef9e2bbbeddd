import { Link } from "@tanstack/react-router";
import { ArrowLeft } from "lucide-react";
import type { ComponentProps, ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Skeleton } from "../../../components/ui/progress.tsx";
import { linkStyles } from "../../../components/ui/styles.ts";
import { cn } from "../../../lib/cn.ts";

/** The scrolling part of a page about sources. */
export const SourceBody = ({ className, ...rest }: ComponentProps<"div">) => (
  <div
    {...rest}
    className={cn(
      "flex-1 overflow-auto px-6 py-6 scrollbar-thin scrollbar-thumb-line scrollbar-track-transparent max-md:px-4 max-md:py-5",
      className,
    )}
  />
);

/** A link to another page about a workspace's sources. */
export const SourceLink = ({
  slug,
  rest,
  ...link
}: {
  slug: string;
  /** The page, as in the address. */
  rest: string;
  className?: string;
  children: ReactNode;
}) => (
  <Link
    {...link}
    to="/workspace/$workspaceSlug/documents"
    params={{ workspaceSlug: slug }}
    search={{ sources: rest }}
  />
);

/** Leads back to the list. */
export function AllSources({ slug }: { slug: string }) {
  const { t } = useTranslation("connections");
  return (
    <SourceLink
      slug={slug}
      rest="all"
      className={cn(linkStyles, "inline-flex min-h-6 items-center gap-1 self-start text-xs")}
    >
      <ArrowLeft className="size-3.5 stroke-2 rtl:-scale-x-100" aria-hidden="true" />
      {t("back")}
    </SourceLink>
  );
}

/** In place of a page that is loading. */
export function LoadingSources() {
  const { t } = useTranslation("connections");
  return (
    <SourceBody
      className="grid content-start gap-4"
      role="status"
      aria-busy="true"
      aria-label={t("loading")}
    >
      {[40, 62, 51].map((width) => (
        <Skeleton key={width} style={{ inlineSize: `${width}%` }} />
      ))}
    </SourceBody>
  );
}
