import { feedbackReasons, type FeedbackReason } from "@carrel/contracts";
import { Popover } from "radix-ui";
import { useState, type RefObject } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../../components/ui/button.tsx";
import { chip } from "../../../components/ui/styles.ts";
import { TextField } from "../../../components/ui/text-field.tsx";

/**
 * Asks why an answer was rated as bad. The rating is already saved, so closing this without a
 * reason is fine.
 */
export default function FeedbackPopover({
  anchor,
  onExplain,
  onClose,
}: {
  anchor: RefObject<HTMLElement | null>;
  onExplain: (reason: FeedbackReason) => void;
  onClose: () => void;
}) {
  const { t } = useTranslation("chat");
  const [comment, setComment] = useState<string | null>(null);
  const explain = (reason: FeedbackReason): void => {
    onExplain(reason);
    onClose();
  };
  return (
    <Popover.Root
      open
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
    >
      <Popover.Anchor virtualRef={anchor as RefObject<HTMLElement>} />
      <Popover.Portal>
        <Popover.Content
          className="z-(--layer-menu) grid w-[min(340px,100vw-16px)] animate-appear gap-2.5 rounded-md border border-line bg-overlay p-3 shadow-float"
          align="start"
          sideOffset={4}
          collisionPadding={8}
          aria-label={t("feedbackTitle")}
          // On phones, the menu returns focus to its button after this has opened.
          onFocusOutside={(event) => event.preventDefault()}
        >
          <p className="text-xs/5 text-fg-2" aria-hidden="true">
            {t("feedbackTitle")}
          </p>
          {comment === null ? (
            <div className="flex flex-wrap gap-1.5">
              {feedbackReasons.map((reason) => (
                <button
                  key={reason}
                  type="button"
                  className={chip}
                  onClick={() =>
                    reason === "other" ? setComment("") : explain({ reason, comment: null })
                  }
                >
                  {t(`feedbackReason.${reason}`)}
                </button>
              ))}
            </div>
          ) : (
            <form
              className="grid gap-2"
              onSubmit={(event) => {
                event.preventDefault();
                explain({ reason: "other", comment: comment.trim() || null });
              }}
            >
              <TextField
                label={t("feedbackComment")}
                value={comment}
                onChange={(event) => setComment(event.target.value)}
                maxLength={1_000}
                autoFocus
              />
              <Button type="submit" size="sm" className="justify-self-end max-md:h-10">
                {t("feedbackSend")}
              </Button>
            </form>
          )}
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}
