import type { FaultWire, WatchWire, WorkspaceDocumentStatus } from "@carrel/contracts";
import { CircleAlert, CircleCheck, Clock, Eye, Pin, TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { FaultText } from "../../../components/fault-text.tsx";
import "../../../components/live-sync/texts.ts";
import { ProgressBar } from "../../../components/ui/progress.tsx";
import { formatNumber, formatPercent, sentenceSpace } from "../../../lib/format.ts";
import { isInTrouble, watchWords } from "../../../lib/sync-words.ts";
import { StatusLine } from "./status-line.tsx";

export const isEncodingNote = (note: FaultWire): boolean =>
  note.code === "file-note.encoding-guessed";

/**
 * The most important note, if there is room for only one: with a wrong encoding, nothing is right.
 */
export function mainNote<Note extends FaultWire | string>(notes: readonly Note[]): Note | null {
  const encoding = notes.find((note) => typeof note !== "string" && isEncodingNote(note));
  return encoding ?? notes[0] ?? null;
}

function InProgress({ words, value }: { words: string; value: number | null }) {
  return (
    <StatusLine progress={value !== null && <ProgressBar value={value} label={words} />}>
      <span className="min-w-0 flex-1 truncate">{words}</span>
      {value !== null && <span className="text-fg-3 tabular-nums">{formatPercent(value)}</span>}
    </StatusLine>
  );
}

const isOfEmbedder = (reason: NonNullable<WorkspaceDocumentStatus["reason"]>): boolean =>
  typeof reason === "object" && reason.code.startsWith("embedder.");

/**
 * A document that can be searched: by full text and, once it is embedded, semantically; shows
 * whether it is pinned or watched.
 */
function Ready({
  document,
  watch,
  onExplain,
}: {
  document: WorkspaceDocumentStatus;
  watch: WatchWire | null;
  onExplain: (() => void) | null;
}) {
  const { t } = useTranslation(["documents-manager", "documents"]);
  const isEmbedded = document.state === "embedded";
  if (watch) return <WatchState watch={watch} onShow={onExplain} />;
  if (document.watched)
    return (
      <StatusLine icon={Eye} iconClassName="text-accent">
        {onExplain ? (
          <button
            type="button"
            className="rounded-[3px] underline decoration-dotted underline-offset-[3px]"
            title={t("watchedHelp")}
            onClick={onExplain}
          >
            {t(isEmbedded ? "readyWatched" : "searchableWatched")}
          </button>
        ) : (
          t(isEmbedded ? "readyWatched" : "searchableWatched")
        )}
      </StatusLine>
    );
  if (document.pinned)
    return (
      <StatusLine icon={Pin} iconClassName="text-accent">
        {t(isEmbedded ? "readyPinned" : "searchablePinned")}
      </StatusLine>
    );
  // The list says once what the embedder is waiting for.
  if (document.reason !== null && !isOfEmbedder(document.reason))
    return (
      <StatusLine tone="waiting" icon={Clock} wraps>
        <span>
          {t("workspace.textOnly")}
          {sentenceSpace()}
          <bdi>
            <FaultText fault={document.reason} fallback="" />
          </bdi>
        </span>
      </StatusLine>
    );
  return (
    <StatusLine
      tone="success"
      icon={CircleCheck}
      title={isEmbedded ? undefined : t("workspace.searchableHelp")}
    >
      <span className="text-fg-2">
        {t(isEmbedded ? "workspace.ready" : "workspace.searchable")}
      </span>
    </StatusLine>
  );
}

/** How the sync of a document with its source stands. */
function WatchState({ watch, onShow }: { watch: WatchWire; onShow: (() => void) | null }) {
  const { t } = useTranslation("live-sync");
  const words = watchWords(watch);
  const inTrouble = isInTrouble(watch);
  return (
    <StatusLine
      icon={inTrouble ? TriangleAlert : Eye}
      iconClassName={inTrouble ? "text-warning" : "text-accent"}
      wraps
    >
      {onShow ? (
        <button
          type="button"
          className="rounded-[3px] text-start underline decoration-dotted underline-offset-[3px]"
          title={t("settings")}
          onClick={onShow}
        >
          {words}
        </button>
      ) : (
        words
      )}
    </StatusLine>
  );
}

/** The document's state in words; a failure comes with its reason and what to do about it. */
export function DocumentStatus({
  document,
  watch,
  remedy,
  onExplain,
}: {
  document: WorkspaceDocumentStatus;
  /** null if it isn't watched, or until that is known. */
  watch: WatchWire | null;
  remedy: ReactNode;
  /** Shows its syncs or, until they are known, what watching means. */
  onExplain: (() => void) | null;
}) {
  const { t } = useTranslation(["documents", "documents-manager"]);
  const { state, progress, chunksDone, chunksTotal } = document;
  const counts = { done: formatNumber(chunksDone), total: formatNumber(chunksTotal) };
  switch (state) {
    case "queued":
      return (
        <StatusLine tone="waiting" icon={Clock} wraps>
          <bdi>
            <FaultText fault={document.reason} fallback={t("documents-manager:workspace.queued")} />
          </bdi>
        </StatusLine>
      );
    case "parsing":
      return (
        <InProgress
          words={t(
            document.kind === "audio" || document.kind === "video"
              ? "documents-manager:workspace.transcribing"
              : "documents-manager:workspace.parsing",
          )}
          value={progress > 0 ? progress : null}
        />
      );
    case "parsed":
      return (
        <StatusLine tone="waiting" icon={Clock}>
          {t("documents-manager:workspace.parsed")}
        </StatusLine>
      );
    case "indexing":
      return (
        <InProgress
          words={
            chunksTotal > 0
              ? t("documents-manager:workspace.indexingOf", counts)
              : t("documents-manager:workspace.indexing")
          }
          value={progress}
        />
      );
    case "embedding":
      return (
        <InProgress
          words={
            chunksTotal > 0
              ? t("documents-manager:workspace.embeddingOf", counts)
              : t("documents-manager:workspace.embedding")
          }
          value={progress}
        />
      );
    case "failed":
      return (
        <StatusLine tone="danger" icon={CircleAlert} wraps>
          <span>
            <bdi>
              <FaultText
                fault={document.reason}
                fallback={t("documents-manager:workspace.failed")}
              />
            </bdi>
            {sentenceSpace()}
            {remedy}
          </span>
        </StatusLine>
      );
    case "searchable":
    case "embedded":
      return <Ready document={document} watch={watch} onExplain={onExplain} />;
  }
}
