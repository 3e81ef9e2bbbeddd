import { quotingProvider } from "@carrel/contracts";
import {
  ClipboardList,
  Ellipsis,
  EyeOff,
  GitFork,
  Pencil,
  RefreshCw,
  ScanSearch,
  Square,
  ThumbsDown,
  ThumbsUp,
  Trash2,
  Volume2,
} from "lucide-react";
import { Suspense, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { IconButton } from "../../../components/ui/button.tsx";
import { CopyButton, copyText } from "../../../components/ui/copy-button.tsx";
import type { MenuItem } from "../../../components/ui/dropdown-menu.tsx";
import { Menu } from "../../../components/ui/overlays.tsx";
import { cn } from "../../../lib/cn.ts";
import {
  formatDateTime,
  formatNumber,
  formatSeconds,
  formatTime,
  joinFacts,
} from "../../../lib/format.ts";
import { lazyPart } from "../../../lib/lazy-part.ts";
import { useSpeechPlace } from "../../../lib/setup.ts";
import { withSources } from "../../../lib/source-places.ts";
import { toast } from "../../../lib/toast.ts";
import { useIsPhone } from "../../../lib/use-is-phone.ts";
import { citedNumbers } from "../state/citations.ts";
import { startEditing } from "../state/draft.ts";
import { isFlowResult, type TurnView } from "../state/turn-view.ts";
import {
  canSpeak,
  stopSpeaking,
  useSpeaking,
  type AnswerActions,
} from "../state/use-answer-actions.ts";
import { VersionSwitcher, hiddenActions, versionsOf } from "./version-switcher.tsx";

const FeedbackPopover = lazyPart(() => import("./feedback-popover.tsx"));

/**
 * Who wrote the answer and when, then how long it took, in one quiet line; not for failed answers.
 * Its tooltip has the date and the speed.
 */
function Facts({ metrics, sentAt }: Pick<TurnView, "metrics" | "sentAt">) {
  const { t } = useTranslation("chat");
  // Quoted answers are not generated, so token counts and speed would be meaningless.
  const written = metrics !== null && metrics.provider !== quotingProvider ? metrics : null;
  const parts = [
    ...(written?.model ? [written.model] : []),
    ...(sentAt === null ? [] : [formatTime(sentAt)]),
    ...(written
      ? [
          t("tokens", {
            count: written.completion_tokens,
            text: formatNumber(written.completion_tokens),
          }),
        ]
      : []),
    ...(metrics ? [formatSeconds(metrics.duration)] : []),
  ];
  const details = [
    ...(sentAt === null ? [] : [formatDateTime(sentAt)]),
    ...(written && written.outputTps > 0
      ? [t("speed", { text: formatNumber(written.outputTps) })]
      : []),
  ];
  return (
    <span
      className="ms-auto min-w-0 truncate ps-2 text-xs/5 text-fg-3 tabular-nums"
      data-meta
      title={joinFacts(details)}
    >
      {joinFacts(parts)}
    </span>
  );
}

/** Actions on an answer: a row that appears on hover and focus, a menu on phones. */
export function ActionRow({ turn, actions }: { turn: TurnView; actions: AnswerActions }) {
  const { t } = useTranslation("chat");
  const isPhone = useIsPhone();
  const speaking = useSpeaking(turn.key);
  const place = useSpeechPlace();
  const row = useRef<HTMLDivElement>(null);
  const [asksWhy, setAsksWhy] = useState(false);
  const { chatId, answer, feedback, feedbackReason } = turn;
  const act = {
    copySources: {
      label: t("copyWithSources"),
      icon: ClipboardList,
      run: () => {
        const cited = citedNumbers(answer, turn.sources.length);
        const words = { heading: t("sourcesList"), page: (page: number) => t("page", { page }) };
        void copyText(withSources(answer, turn.sources, cited, words)).then(() =>
          toast.success(t("copiedWithSources")),
        );
      },
    },
    again: { label: t("regenerate"), icon: RefreshCw, run: () => actions.onRetry(turn) },
    edit: {
      label: t("editAnswer"),
      icon: Pencil,
      run: () => startEditing(turn.key, "answer", answer),
    },
    good: {
      label: t("good"),
      icon: ThumbsUp,
      run: () => actions.onRate(turn, feedback === true ? null : true),
      pressed: feedback === true,
    },
    bad: {
      label: feedbackReason
        ? t("badBecause", { reason: t(`feedbackReason.${feedbackReason.reason}`) })
        : t("bad"),
      icon: ThumbsDown,
      run: () => {
        actions.onRate(turn, feedback === false ? null : false);
        setAsksWhy(feedback !== false);
      },
      pressed: feedback === false,
    },
    speak: speaking
      ? { label: t("stopSpeaking"), icon: Square, run: stopSpeaking }
      : { label: t("speak"), icon: Volume2, run: () => actions.onSpeak(turn) },
    fork: { label: t("fork"), icon: GitFork, run: () => actions.onFork(turn) },
    inspect: { label: t("inspect"), icon: ScanSearch, run: () => actions.onInspect(turn) },
    hide: { label: t("hideTurn"), icon: EyeOff, run: () => actions.onHide(turn) },
    remove: {
      label: t("deleteTurn"),
      icon: Trash2,
      run: () => actions.onDelete(turn),
      danger: true,
    },
  } satisfies Record<string, MenuItem & { pressed?: boolean }>;
  const hasVoice = canSpeak() || (place === "server" && chatId !== null);
  const voice = hasVoice && answer !== "" ? [act.speak] : [];
  const written = answer !== "" && chatId !== null;
  const buttons: (MenuItem & { pressed?: boolean })[] = [
    ...(answer !== "" && turn.sources.length > 0 ? [act.copySources] : []),
    ...(chatId !== null && turn.phase !== "stopped" && !isFlowResult(turn) ? [act.again] : []),
    ...(written ? [act.edit, act.good, act.bad] : []),
    ...voice,
    ...(written ? [act.fork] : []),
  ];
  const menu: MenuItem[] = [
    ...(isPhone
      ? [
          ...buttons.map(({ pressed, ...item }) => ({
            ...item,
            label: pressed ? t("undoFeedback", { what: item.label }) : item.label,
          })),
        ]
      : []),
    ...(chatId !== null ? [act.inspect, act.hide, act.remove] : []),
  ];
  return (
    <div
      ref={row}
      className={cn(
        "mt-2 -ms-1.5 flex items-center gap-0.5 max-md:-ms-3 max-md:[&_[data-slot=icon-button]]:size-10",
        !speaking &&
          feedback === null && [
            hiddenActions,
            "can-hover:group-last/turn:[&>:not([data-meta])]:opacity-100",
          ],
      )}
    >
      <VersionSwitcher
        kind="answer"
        ids={versionsOf(turn).answers}
        current={chatId}
        actions={actions}
      />
      {answer && <CopyButton text={() => answer} />}
      {!isPhone &&
        buttons.map((item) => (
          <IconButton
            key={item.label}
            label={item.label}
            {...(item.pressed === undefined ? {} : { "aria-pressed": item.pressed })}
            onClick={item.run}
          >
            <item.icon aria-hidden="true" />
          </IconButton>
        ))}
      {menu.length > 0 && (
        <Menu
          trigger={
            <IconButton label={t("answerMenu")}>
              <Ellipsis />
            </IconButton>
          }
          items={menu}
        />
      )}
      {isPhone && speaking && (
        <IconButton label={t("stopSpeaking")} onClick={stopSpeaking}>
          <Square />
        </IconButton>
      )}
      {asksWhy && (
        <Suspense>
          <FeedbackPopover
            anchor={row}
            onExplain={(reason) => actions.onExplain(turn, reason)}
            onClose={() => setAsksWhy(false)}
          />
        </Suspense>
      )}
      {answer !== "" && turn.phase !== "failed" && (
        <Facts metrics={turn.metrics} sentAt={turn.sentAt} />
      )}
    </div>
  );
}
