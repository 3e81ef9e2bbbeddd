import { cn } from "../../../lib/cn.ts";
import { ChevronRight, CircleCheck, CircleStop } from "lucide-react";
import type { TFunction } from "i18next";
import { useTranslation } from "react-i18next";
import { LiveDots } from "../../../components/ui/live-dots.tsx";
import type { TurnView } from "../state/turn-view.ts";

const stageLine =
  "-ms-0.5 mb-2 inline-flex items-center gap-1.5 rounded-sm pt-0.5 pr-1.5 pb-0.5 pl-0.5 text-fg-3";

/** What is happening to an open answer; null once it has ended. */
function runningText(
  t: TFunction<"chat">,
  { phase, stage, reconnecting }: TurnView,
): string | null {
  if (reconnecting) return t("reconnecting");
  switch (phase) {
    case "sending":
      return t("sending");
    case "queued":
      return t("queued");
    case "searching":
      return stage.documents === null
        ? t("searching")
        : t("searchingDocuments", { count: stage.documents });
    case "reading":
      return stage.passages ? t("reading", { count: stage.passages }) : t("readingNone");
    case "writing":
      return stage.passages ? t("writingWith", { count: stage.passages }) : t("writing");
    default:
      return null;
  }
}

/** The current or last stage of the answer as text, shown above it. */
export function Stage({ turn, onOpen }: { turn: TurnView; onOpen: (() => void) | null }) {
  const { t } = useTranslation("chat");
  const { phase, stage } = turn;
  const running = runningText(t, turn);
  const { thoughts } = turn;
  const isThinking = phase === "writing" && thoughts.some(({ since }) => since !== null);
  // The thought above the answer already says that the model is thinking.
  const isSaid = isThinking || (phase === "writing" && thoughts.length > 0 && !stage.passages);
  if (running !== null && (turn.reconnecting || !isSaid))
    return (
      <p className={cn(stageLine, "text-fg-2")}>
        <LiveDots className="ms-0.5 me-0.75" />
        {running}
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
  // Those that the answer kept: the same after a reload, which doesn't know what was searched.
  const passages = turn.sources.length;
  if (!passages) return null;
  const content = (
    <>
      <CircleCheck className="size-3.5 stroke-2" aria-hidden="true" />
      {t("read", { count: passages })}
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
