import { ChevronRight, CircleCheck, CircleStop } from "lucide-react";
import { useTranslation } from "react-i18next";
import { LiveDots } from "../../../components/ui/live-dots.tsx";
import { formatSeconds } from "../../../lib/format.ts";
import type { TurnView } from "../state/turn-view.ts";

/** The current or last stage of the answer as text, shown above it. */
export function Stage({ turn, onOpen }: { turn: TurnView; onOpen: (() => void) | null }) {
  const { t } = useTranslation("chat");
  const { phase, stage } = turn;
  if (turn.reconnecting)
    return (
      <p className="stage now">
        <LiveDots />
        {t("reconnecting")}
      </p>
    );
  if (phase === "sending")
    return (
      <p className="stage now">
        <LiveDots />
        {t("sending")}
      </p>
    );
  if (phase === "queued")
    return (
      <p className="stage now">
        <LiveDots />
        {t("queued")}
      </p>
    );
  if (phase === "searching")
    return (
      <p className="stage now">
        <LiveDots />
        {stage.documents === null
          ? t("searching")
          : t("searchingDocuments", { count: stage.documents })}
      </p>
    );
  if (phase === "reading")
    return (
      <p className="stage now">
        <LiveDots />
        {stage.passages ? t("reading", { count: stage.passages }) : t("readingNone")}
      </p>
    );
  if (phase === "writing")
    return (
      <p className="stage now">
        <LiveDots />
        {stage.passages ? t("writingWith", { count: stage.passages }) : t("writing")}
      </p>
    );
  if (phase === "failed") return null;
  if (phase === "stopped")
    return (
      <p className="stage">
        <CircleStop className="i sm" aria-hidden="true" />
        {t("stopped")}
      </p>
    );
  const documents = stage.documents ?? 0;
  const passages = stage.passages ?? turn.sources.length;
  if (!passages && !documents) return null;
  const words =
    documents && !passages
      ? t("searchedNone", { documents: t("documents", { count: documents }) })
      : documents
        ? t("searched", {
            documents: t("documents", { count: documents }),
            passages: t("passages", { count: passages }),
          })
        : t("read", { count: passages });
  const time = stage.milliseconds === null ? "" : ` · ${formatSeconds(stage.milliseconds / 1000)}`;
  const content = (
    <>
      <CircleCheck className="i sm" aria-hidden="true" />
      {words}
      {time}
    </>
  );
  return onOpen ? (
    <button type="button" className="stage" onClick={onOpen}>
      {content}
      <ChevronRight className="i sm flip" aria-hidden="true" />
    </button>
  ) : (
    <p className="stage">{content}</p>
  );
}
