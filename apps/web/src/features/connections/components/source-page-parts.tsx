import type { ConnectionWire, ConnectorWire } from "@carrel/contracts";
import { Link } from "@tanstack/react-router";
import { ArrowLeft, type LucideIcon } from "lucide-react";
import type { ComponentProps, ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { SourceIcon } from "../../../components/source/source-icon.tsx";
import { FailedQuery } from "../../../components/ui/notice.tsx";
import { Skeleton } from "../../../components/ui/progress.tsx";
import { linkStyles } from "../../../components/ui/styles.ts";
import { cn } from "../../../lib/cn.ts";
import { formatNumber } from "../../../lib/format.ts";

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

/** The name of a source or kind of source at the top of its page. */
export const SourceHead = ({
  connector,
  name,
  facts,
  children,
}: {
  /** Its id. */
  connector: string;
  name: string;
  facts: ReactNode;
  children?: ReactNode;
}) => (
  <div className="flex items-start gap-3 max-md:flex-wrap">
    <SourceIcon id={connector} size="lg" />
    <div className="min-w-0 flex-1">
      <h2 className="truncate text-lg font-semibold tracking-snug">
        <bdi>{name}</bdi>
      </h2>
      <p className="text-fg-2 wrap-anywhere">
        <bdi>{facts}</bdi>
      </p>
    </div>
    {children}
  </div>
);

/** What parts of a source's page show. */
export interface ShownSource {
  slug: string;
  connection: ConnectionWire;
  /** undefined until it is known, or if this server doesn't have it. */
  connector: ConnectorWire | undefined;
}

const tones = { neutral: "text-fg-3", accent: "text-accent", warning: "text-warning" };

/** One thing to know about a source, with what can be done about it. */
export const SourceFact = ({
  icon: Icon,
  tone,
  title,
  buttons,
  children,
}: {
  icon: LucideIcon;
  tone: keyof typeof tones;
  title: string;
  buttons: ReactNode;
  children: ReactNode;
}) => (
  <section className="flex items-center gap-3 px-4 py-3 max-md:flex-wrap max-md:[&>:is(a,button)]:h-11 max-md:[&>:is(a,button)]:flex-1">
    <Icon className={cn("size-4 flex-none", tones[tone])} aria-hidden="true" />
    <div className="min-w-0 flex-1 text-fg-2 max-md:basis-[calc(100%-28px)]">
      <h3 className="font-medium text-fg-1">{title}</h3>
      {children}
    </div>
    {buttons}
  </section>
);

/** A list of numbers that line up. */
export const countList = "grid grid-cols-[auto_minmax(0,1fr)] gap-x-3 gap-y-1 text-fg-2";

/** How many of something there are, and what it is. */
export const Count = ({ of, children }: { of: number; children: ReactNode }) => (
  <li className="col-span-2 grid grid-cols-subgrid">
    <span className="text-end text-fg-1 tabular-nums">{formatNumber(of)}</span>
    <span className="wrap-anywhere">{children}</span>
  </li>
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

/** Says that the page couldn't be loaded. */
export function FailedSources(props: { error: Error; retry: () => void }) {
  const { t } = useTranslation("connections");
  return <FailedQuery title={t("loadFailed")} retryLabel={t("retry")} {...props} />;
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
