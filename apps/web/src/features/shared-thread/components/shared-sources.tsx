import type { SharedSource } from "@carrel/contracts";
import { ChevronRight } from "lucide-react";
import { useTranslation } from "react-i18next";
import { placesOf } from "../../../lib/source-places.ts";

/** The passages that an answer cites, by number; each can be unfolded. */
export function SharedSources({ sources }: { sources: readonly SharedSource[] }) {
  const { t } = useTranslation("share");
  const places = placesOf(
    sources.map(({ heading, ...source }) => ({
      ...source,
      headingPath: heading === undefined ? [] : [heading],
    })),
    (page) => t("page.pageNumber", { page }),
  );
  return (
    <section className="mt-4" aria-label={t("page.sources")}>
      <h3 className="text-xs font-medium text-fg-3">{t("page.sources")}</h3>
      <ol className="mt-1.5 divide-y divide-line rounded-md border border-line">
        {sources.map(({ number, title, text }, index) => (
          <li key={number}>
            <details className="group/source" data-shared-source={number}>
              <summary className="flex min-h-9 cursor-pointer list-none items-center gap-2 rounded-md px-2.5 py-1.5 text-sm hover:bg-hover max-md:min-h-11 [&::-webkit-details-marker]:hidden">
                <span className="grid h-4.25 min-w-4.25 flex-none place-items-center rounded-[4px] bg-active text-2xs/none font-semibold text-fg-2 tabular-nums">
                  {number}
                </span>
                <b className="min-w-0 truncate font-medium" title={title}>
                  {title}
                </b>
                {places[index] !== "" && (
                  <span
                    className="max-w-1/2 flex-none truncate text-xs text-fg-3 tabular-nums"
                    dir="auto"
                    title={places[index]}
                  >
                    {places[index]}
                  </span>
                )}
                <ChevronRight
                  className="ms-auto size-3.5 flex-none stroke-2 text-fg-3 transition-transform group-open/source:rotate-90 rtl:-scale-x-100"
                  aria-hidden="true"
                />
              </summary>
              <p
                className="px-2.5 pt-1 pb-3 text-sm wrap-anywhere whitespace-pre-line text-fg-2"
                dir="auto"
              >
                {text}
              </p>
            </details>
          </li>
        ))}
      </ol>
    </section>
  );
}

/** Unfolds a source of the answer and moves there. */
export function showSource(answer: Element, number: number): void {
  const source = answer.querySelector<HTMLDetailsElement>(`[data-shared-source="${number}"]`);
  if (!source) return;
  source.open = true;
  source.querySelector("summary")?.focus({ preventScroll: true });
  source.scrollIntoView({ block: "nearest" });
}
