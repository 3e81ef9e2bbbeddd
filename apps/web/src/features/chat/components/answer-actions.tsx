import { cn } from "../../../lib/cn.ts";
import { hiddenActions } from "./hidden-actions.ts";
import {
  Ellipsis,
  EyeOff,
  GitFork,
  ScanSearch,
  Pencil,
  RefreshCw,
  Square,
  ThumbsDown,
  ThumbsUp,
  Trash2,
  Volume2,
  Copy,
} from "lucide-react";
import { useTranslation } from "react-i18next";
import { quotingProvider, type MetricsWire } from "@carrel/contracts";
import { CopyButton } from "../../../components/ui/copy-button.tsx";
import { IconButton } from "../../../components/ui/icon-button.tsx";
import { Menu } from "../../../components/ui/menu.tsx";
import type { MenuItem } from "../../../components/ui/menu-item.ts";
import { copyText } from "../../../lib/clipboard.ts";
import { formatNumber, formatSeconds } from "../../../lib/format.ts";
import { startEditing } from "../state/editing.ts";
import { useIsPhone } from "../../../lib/use-is-phone.ts";
import { canSpeak, speak, stopSpeaking, useSpeaking } from "../state/speech.ts";
import type { TurnView } from "../state/turn-view.ts";
import type { AnswerActions } from "../state/answer-actions.ts";

function Metrics({ metrics }: { metrics: MetricsWire }) {
  const { t } = useTranslation("chat");
  // Quoted answers are not generated, so token counts and speed would be meaningless.
  const written = metrics.provider !== quotingProvider;
  const parts = [
    ...(written
      ? [
          t("tokens", {
            count: metrics.completion_tokens,
            text: formatNumber(metrics.completion_tokens),
          }),
        ]
      : []),
    formatSeconds(metrics.duration),
  ];
  if (written && metrics.outputTps > 0)
    parts.push(t("speed", { text: formatNumber(metrics.outputTps) }));
  return (
    <span
      className="ms-auto text-xs/5 whitespace-nowrap text-fg-3 tabular-nums"
      data-meta
      title={written ? metrics.model : undefined}
    >
      {parts.join(" · ")}
    </span>
  );
}

/** Actions on an answer: a row that appears on hover and focus, a menu on phones. */
export function ActionRow({ turn, actions }: { turn: TurnView; actions: AnswerActions }) {
  const { t } = useTranslation("chat");
  const isPhone = useIsPhone();
  const speaking = useSpeaking(turn.key);
  const { chatId, answer, feedback } = turn;
  const act = {
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
      label: t("bad"),
      icon: ThumbsDown,
      run: () => actions.onRate(turn, feedback === false ? null : false),
      pressed: feedback === false,
    },
    speak: speaking
      ? { label: t("stopSpeaking"), icon: Square, run: stopSpeaking }
      : { label: t("speak"), icon: Volume2, run: () => speak(turn.key, answer) },
    fork: { label: t("fork"), icon: GitFork, run: () => actions.onFork(turn) },
    copy: { label: t("copyAnswer"), icon: Copy, run: () => void copyText(answer) },
    inspect: { label: t("inspect"), icon: ScanSearch, run: () => actions.onInspect(turn) },
    hide: { label: t("hideTurn"), icon: EyeOff, run: () => actions.onHide(turn) },
    remove: {
      label: t("deleteTurn"),
      icon: Trash2,
      run: () => actions.onDelete(turn),
      danger: true,
    },
  } satisfies Record<string, MenuItem & { pressed?: boolean }>;
  const voice = canSpeak() && answer !== "" ? [act.speak] : [];
  const written = answer !== "" && chatId !== null;
  const row: (MenuItem & { pressed?: boolean })[] = [
    ...(chatId !== null ? [act.again] : []),
    ...(written ? [act.edit, act.good, act.bad] : []),
    ...voice,
    ...(written ? [act.fork] : []),
  ];
  const menu: MenuItem[] = [
    ...(isPhone
      ? [
          ...(answer ? [act.copy] : []),
          ...row.map(({ pressed, ...item }) => ({
            ...item,
            label: pressed ? t("undoFeedback", { what: item.label }) : item.label,
          })),
        ]
      : []),
    ...(chatId !== null ? [act.inspect, act.hide, act.remove] : []),
  ];
  return (
    <div
      className={cn(
        "mt-2 -ms-1.5 flex items-center gap-0.5 max-md:-ms-3 max-md:[&_[data-slot=icon-button]]:size-10",
        !speaking &&
          feedback === null && [
            hiddenActions,
            "can-hover:group-last/turn:[&>:not([data-meta])]:opacity-100",
          ],
      )}
    >
      {!isPhone && answer && <CopyButton text={() => answer} />}
      {!isPhone &&
        row.map((item) => (
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
      {turn.metrics && answer !== "" && <Metrics metrics={turn.metrics} />}
    </div>
  );
}
