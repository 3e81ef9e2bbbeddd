import type { PageRectangle } from "@carrel/contracts";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Notice } from "../../../components/ui/notice.tsx";
import type { Passage } from "../state/passage.ts";

/**
 * What of a passage is drawn nowhere on the pages, such as text of an attached file: its quotes, or
 * all of it if nothing is quoted.
 */
export function textsOffPage(
  { text, quotes }: Passage,
  rectangles: readonly PageRectangle[],
  places: readonly { rectangles: readonly PageRectangle[] }[],
): string[] {
  // Places that couldn't be loaded say nothing about their quotes.
  const isPlaced = quotes.length > 0 && places.length === quotes.length;
  const texts = isPlaced
    ? quotes
        .filter((_, index) => places[index]!.rectangles.length === 0)
        .map(({ start, end }) => text.slice(start, end))
    : rectangles.length === 0
      ? [text]
      : [];
  return texts.map((each) => each.trim()).filter((each) => each !== "");
}

/** Shows text above the pages that have no place to mark it. */
export function OffPageText({ texts, children }: { texts: string[]; children: ReactNode }) {
  const { t } = useTranslation("sources");
  return (
    <>
      {texts.length > 0 && (
        <div className="px-4 pt-4">
          <Notice>
            <p>
              <b>{t("offPage")}</b>
            </p>
            <p>{t("offPageHelp")}</p>
            {texts.map((text, index) => (
              <blockquote
                className="mt-1.5 line-clamp-6 border-s-2 border-accent-line ps-2.5 whitespace-pre-line text-fg-1"
                key={index}
                dir="auto"
              >
                {text}
              </blockquote>
            ))}
          </Notice>
        </div>
      )}
      {children}
    </>
  );
}
