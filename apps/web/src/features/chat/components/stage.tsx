import { cn } from "../../../lib/cn.ts";
import { ChevronRight, CircleCheck, CircleStop } from "lucide-react";
import { useTranslation } from "react-i18next";
import { LiveDots } from "../../../components/ui/live-dots.tsx";
import { formatSeconds } from "../../../lib/format.ts";
import type { TurnView } from "../state/turn-view.ts";

const stageLine =
  "-ms-0.5 mb-2 inline-flex items-center gap-1.5 rounded-sm pt-0.5 pr-1.5 pb-0.5 pl-0.5 text-fg-3";

/** The current or last stage of the answer as text, shown above it. */
export function Stage({ turn, onOpen }: { turn: TurnView; onOpen: (() => void) | null }) {
  const { t } = useTranslation("chat");
  const { phase, stage } = turn;
  if (turn.reconnecting)
    return (
      <p className={cn(stageLine, "text-fg-2")}>
        <LiveDots className="ms-0.5 me-0.75" />
        {t("reconnecting")}
      </p>
    );
  if (phase === "sending")
    return (
      <p className={cn(stageLine, "text-fg-2")}>
        <LiveDots className="ms-0.5 me-0.75" />
        {t("sending")}
      </p>
    );
  if (phase === "queued")
    return (
      <p className={cn(stageLine, "text-fg-2")}>
        <LiveDots className="ms-0.5 me-0.75" />
        {t("queued")}
      </p>
    );
  if (phase === "searching")
    return (
      <p className={cn(stageLine, "text-fg-2")}>
        <LiveDots className="ms-0.5 me-0.75" />
        {stage.documents === null
          ? t("searching")
          : t("searchingDocuments", { count: stage.documents })}
      </p>
    );
  if (phase === "reading")
    return (
      <p className={cn(stageLine, "text-fg-2")}>
        <LiveDots className="ms-0.5 me-0.75" />
        {stage.passages ? t("reading", { count: stage.passages }) : t("readingNone")}
      </p>
    );
  if (phase === "writing")
    return (
      <p className={cn(stageLine, "text-fg-2")}>
        <LiveDots className="ms-0.5 me-0.75" />
        {stage.passages ? t("writingWith", { count: stage.passages }) : t("writing")}
      </p>
    );
  if (phase === "failed") return null;
  if (phase === "stopped")
    return (
      <p className={stageLine}>
        <CircleStop className="size-3.5 stroke-2" aria-hidden="true" />
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
      <CircleCheck className="size-3.5 stroke-2" aria-hidden="true" />
      {words}
      {time}
    </>
  );
  return onOpen ? (
    <button
      type="button"
      className={cn(stageLine, "hover:bg-hover hover:text-fg-1")}
      onClick={onOpen}
    >
      {content}
      <ChevronRight className="size-3.5 stroke-2 rtl:-scale-x-100" aria-hidden="true" />
    </button>
  ) : (
    <p className={stageLine}>{content}</p>
  );
}
