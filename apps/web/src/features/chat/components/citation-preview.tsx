import { clipText } from "@carrel/contracts/clip-text";
import { Popover } from "radix-ui";
import { useEffect, useRef, useState, type ReactNode, type SyntheticEvent } from "react";
import { useTranslation } from "react-i18next";
import type { CitedSource } from "./markdown-elements.tsx";

/** How long the pointer rests on a number before its card opens, in ms. */
const openDelay = 250;
/** How long it may be between the number and the card. */
const closeDelay = 150;
const mostCharacters = 320;

function excerptOf(text: string): string {
  if (text.length <= mostCharacters) return text;
  const cut = clipText(text, mostCharacters);
  // Scripts without spaces are cut anywhere.
  const space = cut.lastIndexOf(" ");
  return `${(space > mostCharacters / 2 ? cut.slice(0, space) : cut).trimEnd()}…`;
}

/**
 * Rendered Markdown that shows a card with the source while the pointer or focus is on a citation
 * number. One card for all of them, because an answer may have thousands.
 */
export function CitationPreview({
  sources,
  children,
}: {
  sources: readonly CitedSource[];
  children: ReactNode;
}) {
  const { t } = useTranslation("chat");
  const [shown, setShown] = useState<{ mark: HTMLElement; number: number } | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const later = (work: () => void, delay: number): void => {
    clearTimeout(timer.current);
    timer.current = setTimeout(work, delay);
  };
  const markOf = (event: SyntheticEvent): HTMLElement | null =>
    event.target instanceof Element ? event.target.closest<HTMLElement>("[data-cite]") : null;
  const enter = (event: SyntheticEvent, delay: number): void => {
    const mark = markOf(event);
    if (mark) later(() => setShown({ mark, number: Number(mark.dataset["cite"]) }), delay);
  };
  const leave = (event: SyntheticEvent): void => {
    if (markOf(event)) later(() => setShown(null), closeDelay);
  };
  const source = shown && sources[shown.number - 1];
  return (
    <div
      className="md"
      dir="auto"
      onPointerOver={(event) => {
        if (event.pointerType === "mouse") enter(event, openDelay);
      }}
      onPointerOut={leave}
      onFocus={(event) => {
        if (event.target.matches(":focus-visible")) enter(event, 0);
      }}
      onBlur={leave}
      onClick={() => {
        clearTimeout(timer.current);
        setShown(null);
      }}
    >
      {children}
      {source && shown.mark.isConnected && (
        <Popover.Root open onOpenChange={() => setShown(null)}>
          <Popover.Anchor virtualRef={{ current: shown.mark }} />
          <Popover.Portal>
            <Popover.Content
              className="z-(--layer-menu) grid w-80 max-w-[calc(100vw-24px)] gap-1 rounded-md border border-line bg-overlay p-3 text-sm text-fg-2 shadow-float"
              role="tooltip"
              data-citation-preview
              side="top"
              sideOffset={6}
              collisionPadding={12}
              dir="auto"
              onOpenAutoFocus={(event) => event.preventDefault()}
              onCloseAutoFocus={(event) => event.preventDefault()}
              onPointerEnter={() => clearTimeout(timer.current)}
              onPointerLeave={() => later(() => setShown(null), closeDelay)}
            >
              <span className="flex gap-2 text-xs text-fg-3">
                <b className="min-w-0 flex-1 truncate font-medium text-fg-1">{source.title}</b>
                {source.page !== null && t("page", { page: source.page })}
              </span>
              {source.headingPath.length > 0 && (
                <span className="truncate text-xs text-fg-3">{source.headingPath.join(" › ")}</span>
              )}
              <span className="wrap-anywhere">{excerptOf(source.text)}</span>
            </Popover.Content>
          </Popover.Portal>
        </Popover.Root>
      )}
    </div>
  );
}
