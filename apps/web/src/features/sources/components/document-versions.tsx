import type { DocumentVersion } from "@carrel/contracts";
import { useQuery } from "@tanstack/react-query";
import { ChevronDown, ChevronRight } from "lucide-react";
import { useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { Badge } from "../../../components/ui/badge.tsx";
import { FailedQuery } from "../../../components/ui/notice.tsx";
import { Skeleton } from "../../../components/ui/progress.tsx";
import { pageArea } from "../../../components/ui/styles.ts";
import { formatDate } from "../../../lib/format-source.ts";
import { formatNumber, formatTime, joinFacts, joinPhrases } from "../../../lib/format.ts";
import { versionDiffQuery, versionsQuery } from "../api/document-versions.ts";
import { diffWords, type ShownLine } from "../state/diff-words.ts";

/** The contents that a document of a source has had, each with what it changed. */
export default function DocumentVersions({
  slug,
  documentId,
  title,
  cited,
}: {
  slug: string;
  documentId: string;
  title: string;
  /** The version that the answer quotes; null without an answer. */
  cited: number | null;
}) {
  const { t } = useTranslation("versions");
  const { data, error, refetch } = useQuery(versionsQuery(slug, documentId));
  /** The version whose changes are shown; undefined: the latest. */
  const [chosen, setChosen] = useState<number | null>();
  const open = chosen === undefined ? data?.[0]?.version : chosen;
  return (
    <div
      className={pageArea}
      id="panel-versions"
      role="tabpanel"
      aria-labelledby="tab-versions"
      tabIndex={0}
    >
      <div className="grid grid-cols-1 gap-3 max-md:px-2">
        <div>
          <h2 className="truncate text-sm font-semibold" title={title}>
            {title}
          </h2>
          <p className="text-xs text-fg-3">{t("purpose")}</p>
        </div>
        {error && (
          <FailedQuery
            title={t("failed")}
            retryLabel={t("retry")}
            error={error}
            retry={() => void refetch()}
          />
        )}
        {!data && !error && <Loading label={t("loading")} />}
        {data && (
          <ol className="rounded-md border border-line bg-surface">
            {data.map((version, n) => (
              <Version
                key={version.version}
                slug={slug}
                documentId={documentId}
                version={version}
                before={data[n + 1] ?? null}
                isCited={version.version === cited}
                isOpen={version.version === open}
                onToggle={(next) => setChosen(next ? version.version : null)}
              />
            ))}
          </ol>
        )}
      </div>
    </div>
  );
}

function Version({
  slug,
  documentId,
  version: { version, since, until, checkedAt, wordCount },
  before,
  isCited,
  isOpen,
  onToggle,
}: {
  slug: string;
  documentId: string;
  version: DocumentVersion;
  /** The version before; null if it isn't kept. */
  before: DocumentVersion | null;
  isCited: boolean;
  isOpen: boolean;
  onToggle: (isOpen: boolean) => void;
}) {
  const { t } = useTranslation("versions");
  const facts = joinFacts([
    t("words", { count: wordCount }),
    until === null &&
      checkedAt !== null &&
      t("checked", { date: formatDate(Date.parse(checkedAt)) }),
    version === 1 ? t("first") : !before?.hasText && t("notKept"),
  ]);
  const head = (
    <span className="grid min-w-0 flex-1 grid-cols-1">
      <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <span className="font-medium tabular-nums">{formatTime(Date.parse(since))}</span>
        {until === null && <Badge tone="success">{t("current")}</Badge>}
        {isCited && <Badge tone="accent">{t("quoted")}</Badge>}
      </span>
      <span className="text-xs text-fg-3 tabular-nums">{facts}</span>
    </span>
  );
  const row = "flex w-full items-center gap-2 px-3 py-2.5 text-start";
  const Icon = isOpen ? ChevronDown : ChevronRight;
  return (
    <li className="border-subtle not-first:border-t">
      {before?.hasText ? (
        <button
          type="button"
          className={`${row} rounded-md hover:bg-hover`}
          aria-expanded={isOpen}
          onClick={() => onToggle(!isOpen)}
        >
          <Icon
            className="size-3.5 flex-none stroke-2 text-fg-3 rtl:-scale-x-100"
            aria-hidden="true"
          />
          {head}
        </button>
      ) : (
        <div className={`${row} ps-8.5`}>{head}</div>
      )}
      {isOpen && before?.hasText && (
        <Changes slug={slug} documentId={documentId} version={before.version} />
      )}
    </li>
  );
}

/** What changed after a version. */
function Changes(asked: { slug: string; documentId: string; version: number }) {
  const { t } = useTranslation("versions");
  const { data, error, refetch } = useQuery(
    versionDiffQuery(asked.slug, asked.documentId, asked.version),
  );
  const hunks = useMemo(
    () => data?.hunks.map((hunk) => ({ ...hunk, lines: diffWords(hunk.lines) })),
    [data],
  );
  return (
    <div className="grid grid-cols-1 gap-2 px-3 pb-3">
      {error && (
        <FailedQuery
          title={t("diffFailed")}
          retryLabel={t("retry")}
          error={error}
          retry={() => void refetch()}
        />
      )}
      {!data && !error && <Loading label={t("diffLoading")} />}
      {data && (
        <p className="text-xs text-fg-2">
          {data.added + data.removed === 0
            ? t("same")
            : joinPhrases([
                data.added > 0 && t("added", { count: data.added }),
                data.removed > 0 && t("removed", { count: data.removed }),
              ])}
        </p>
      )}
      {hunks?.map(({ newLine, lines }) => (
        <section
          key={newLine}
          className="overflow-hidden rounded-sm border border-subtle"
          aria-label={t("line", { line: formatNumber(newLine) })}
        >
          <p className="bg-sunken px-2 py-0.5 text-2xs text-fg-3 tabular-nums" aria-hidden="true">
            {t("line", { line: formatNumber(newLine) })}
          </p>
          {lines.map((line, n) => (
            <Line key={n} {...line} />
          ))}
        </section>
      ))}
      {data && !data.isComplete && <p className="text-xs text-fg-3">{t("more")}</p>}
    </div>
  );
}

const looks = {
  same: { sign: "", tag: "span", line: "text-fg-2", change: "" },
  removed: {
    sign: "−",
    tag: "del",
    line: "bg-danger-subtle no-underline",
    change: "rounded-[2px] bg-danger-line",
  },
  added: {
    sign: "+",
    tag: "ins",
    line: "bg-success-subtle no-underline",
    change: "rounded-[2px] bg-success-line",
  },
} as const;

function Line({ kind, parts }: ShownLine) {
  const { t } = useTranslation("versions");
  const { sign, tag: Tag, line, change } = looks[kind];
  return (
    <Tag className={`flex gap-2 px-2 py-0.5 ${line}`}>
      <span className="w-2.5 flex-none text-fg-2 select-none" aria-hidden="true">
        {sign}
      </span>
      {kind !== "same" && <span className="sr-only">{t(`kind.${kind}`)}</span>}
      <span className="min-h-5 min-w-0 flex-1 wrap-anywhere whitespace-pre-wrap" dir="auto">
        {parts.map(({ text, isChanged }, n) =>
          isChanged ? (
            <mark key={n} className={`text-inherit ${change}`}>
              {text}
            </mark>
          ) : (
            text
          ),
        )}
      </span>
    </Tag>
  );
}

const Loading = ({ label }: { label: string }) => (
  <div className="grid gap-3 py-1" role="status" aria-label={label}>
    {[52, 70, 44].map((width) => (
      <Skeleton key={width} style={{ inlineSize: `${width}%` }} />
    ))}
  </div>
);
