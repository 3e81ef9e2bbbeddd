import { useTranslation } from "react-i18next";
import { ConfirmDialog } from "../../../components/ui/dialogs.tsx";
import { useRemoveTurn } from "../api/turns.ts";
import type { TurnView } from "../state/turn-view.ts";

/** Asks before a turn is deleted or hidden. */
export function RemoveTurnDialog({
  slug,
  threadSlug,
  turn,
  hides,
  onClose,
}: {
  slug: string;
  threadSlug: string | null;
  turn: TurnView;
  /** Hides it rather than deleting it. */
  hides: boolean;
  onClose: () => void;
}) {
  const { t } = useTranslation("chat");
  const removal = useRemoveTurn({ slug, threadSlug });
  const text = hides
    ? t("hideText")
    : turn.siblings.length > 1
      ? t("deleteTextBranch")
      : t("deleteText");
  return (
    <ConfirmDialog
      open
      title={hides ? t("hideTitle") : t("deleteTitle")}
      text={text}
      action={hides ? t("hideTurn") : t("deleteTurn")}
      onConfirm={async () => {
        if (turn.chatId !== null) await removal.mutateAsync({ chatId: turn.chatId, hides });
      }}
      onClose={onClose}
    />
  );
}
