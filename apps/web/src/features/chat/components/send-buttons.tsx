import { ArrowUp } from "lucide-react";
import { useTranslation } from "react-i18next";
import { cn } from "../../../lib/cn.ts";

const sendButton =
  "grid size-8 flex-none place-items-center rounded-full bg-accent-solid text-on-accent ms-1.5 hover:bg-accent-solid-hover disabled:bg-active disabled:text-disabled max-md:size-11 [&_svg]:stroke-[2.25]";

/** Stops the answer being written, sends the message, or offers both. */
export function SendButtons({
  writing,
  isReady,
  isHeld,
  onStop,
}: {
  writing: boolean;
  isReady: boolean;
  /** The message will be sent as soon as its files have been read. */
  isHeld: boolean;
  onStop: () => void;
}) {
  const { t } = useTranslation("chat");
  const label = writing ? t("sendNext") : t("send");
  return (
    <>
      {writing && (
        <button
          type="button"
          className={cn(sendButton, "bg-fg-1 text-surface hover:bg-fg-2")}
          data-stop
          aria-label={t("stop")}
          title={t("stop")}
          onClick={onStop}
        >
          <i className="size-2.5 rounded-[2px] bg-current" />
        </button>
      )}
      {(!writing || isReady) && (
        <button
          type="submit"
          className={sendButton}
          aria-label={label}
          title={label}
          disabled={!isReady || isHeld}
        >
          <ArrowUp />
        </button>
      )}
    </>
  );
}
