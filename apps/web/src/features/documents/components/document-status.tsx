import type { WorkspaceDocumentStatus } from "@carrel/contracts";
import { CircleAlert, CircleCheck, Clock, Eye, Pin } from "lucide-react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { ProgressBar } from "../../../components/ui/progress-bar.tsx";
import { formatNumber, formatPercent } from "../../../lib/format.ts";

function Moving({ words, value }: { words: string; value: number | null }) {
  return (
    <div className="st">
      <span className="row">
        <span className="grow cut">{words}</span>
        {value !== null && <span className="t3 num">{formatPercent(value)}</span>}
      </span>
      {value !== null && <ProgressBar value={value} label={words} />}
    </div>
  );
}

/** A document that can be searched: by full text, semantically, pinned, watched. */
function Ready({
  document,
  help,
  onExplain,
}: {
  document: WorkspaceDocumentStatus;
  help?: string | undefined;
  onExplain: (() => void) | null;
}) {
  const { t } = useTranslation(["library", "documents"]);
  if (document.watched)
    return (
      <div className="st">
        <span className="row">
          <Eye className="i sm text-accent" aria-hidden="true" />
          {onExplain ? (
            <button
              type="button"
              className="mark-help"
              title={t("watchedHelp")}
              onClick={onExplain}
            >
              {t("readyWatched")}
            </button>
          ) : (
            t("readyWatched")
          )}
        </span>
      </div>
    );
  if (document.pinned)
    return (
      <div className="st">
        <span className="row">
          <Pin className="i sm text-accent" aria-hidden="true" />
          {t("readyPinned")}
        </span>
      </div>
    );
  return (
    <div className="st ok">
      <span className="row" title={help}>
        <CircleCheck className="i sm" aria-hidden="true" />
        <span className="t2">{t("workspace.ready")}</span>
      </span>
    </div>
  );
}

/** The document's state in words; a failure comes with its reason and what to do about it. */
export function DocumentStatus({
  document,
  remedy,
  onExplain,
}: {
  document: WorkspaceDocumentStatus;
  remedy: ReactNode;
  /** Explains what watching means. */
  onExplain: (() => void) | null;
}) {
  const { t } = useTranslation(["documents", "library"]);
  const { state, progress, chunksDone, chunksTotal } = document;
  const counted = { done: formatNumber(chunksDone), total: formatNumber(chunksTotal) };
  switch (state) {
    case "queued":
      return (
        <div className="st wait">
          <span className="row">
            <Clock className="i sm" aria-hidden="true" />
            {t("library:workspace.queued")}
          </span>
        </div>
      );
    case "parsing":
      return (
        <Moving words={t("library:workspace.parsing")} value={progress > 0 ? progress : null} />
      );
    case "parsed":
      return (
        <div className="st wait">
          <span className="row">
            <Clock className="i sm" aria-hidden="true" />
            {t("library:workspace.parsed")}
          </span>
        </div>
      );
    case "indexing":
      return (
        <Moving
          words={
            chunksTotal > 0
              ? t("library:workspace.indexingOf", counted)
              : t("library:workspace.indexing")
          }
          value={progress}
        />
      );
    case "embedding":
      return (
        <Moving
          words={
            chunksTotal > 0
              ? t("library:workspace.embeddingOf", counted)
              : t("library:workspace.embedding")
          }
          value={progress}
        />
      );
    case "failed":
      return (
        <div className="st bad">
          <span className="row items-start">
            <CircleAlert className="i sm" aria-hidden="true" />
            <span>
              <bdi>{document.reason ?? t("library:workspace.failed")}</bdi> {remedy}
            </span>
          </span>
        </div>
      );
    case "searchable":
      return (
        <Ready
          document={document}
          help={t("library:workspace.searchableHelp")}
          onExplain={onExplain}
        />
      );
    case "embedded":
      return <Ready document={document} onExplain={onExplain} />;
  }
}
