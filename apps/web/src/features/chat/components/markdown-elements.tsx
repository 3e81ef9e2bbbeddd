import type { SourceWire } from "@carrel/contracts";
import { Image } from "lucide-react";
import { createContext, useContext, type ComponentProps } from "react";
import { useTranslation } from "react-i18next";
import type { Components } from "react-markdown";
import { linkStyles } from "../../../components/ui/styles.ts";
import { CodeBlock } from "./code-block.tsx";

/** What a citation's card shows of its source. */
export type CitedSource = Pick<SourceWire, "title" | "page" | "headingPath" | "text">;

/**
 * Opens a source with the text that the citation supports; null while the answer's sources are
 * unknown. `active` is the one open in the side panel.
 */
export interface Citations {
  open: ((number: number, words: string) => void) | null;
  active: number | null;
  sources: readonly CitedSource[];
}
export const CitationsContext = createContext<Citations>({ open: null, active: null, sources: [] });

function CitationMark({ number, words }: { number?: number; words?: string }) {
  const { t } = useTranslation("chat");
  const { open, active, sources } = useContext(CitationsContext);
  const n = Number(number);
  if (!open) return <span className="cite">{n}</span>;
  return (
    <button
      type="button"
      className={active === n ? "cite on" : "cite"}
      data-cite={n}
      onClick={() => open(n, words ?? "")}
      aria-label={t("openSource", { number: n, title: sources[n - 1]?.title ?? "" })}
    >
      {n}
    </button>
  );
}

/** Moves focus between a reference and its footnote; a link would change the page's address. */
export function focusFootnote(from: Element, part: "reference" | "note", number: number): void {
  const other = from
    .closest(".md")
    ?.querySelector<HTMLElement>(`[data-footnote-${part}="${number}"]`);
  other?.focus();
  other?.scrollIntoView({ block: "nearest" });
}

function FootnoteMark({ number }: { number?: number }) {
  const { t } = useTranslation("chat");
  return (
    <sup>
      <button
        type="button"
        className="footnote-mark"
        data-footnote-reference={number}
        aria-label={t("footnote", { number })}
        onClick={(event) => focusFootnote(event.currentTarget, "note", Number(number))}
      >
        {number}
      </button>
    </sup>
  );
}

/** Requires both slashes: without them the address would be relative to this server. */
const safeAddress = /^(https?:\/\/|mailto:)/i;
function TextLink({ href, children }: ComponentProps<"a">) {
  return href && safeAddress.test(href) ? (
    <a className={linkStyles} href={href} target="_blank" rel="noreferrer noopener">
      {children}
    </a>
  ) : (
    <span>{children}</span>
  );
}

/** Loading an external image would reveal the reader to its server, so a link is shown instead. */
function ImageLink({ src, alt }: ComponentProps<"img">) {
  const { t } = useTranslation("chat");
  const address = typeof src === "string" && safeAddress.test(src) ? src : null;
  const words = alt || t("image");
  return address ? (
    <a
      className={`${linkStyles} inline-flex items-center gap-[5px]`}
      href={address}
      target="_blank"
      rel="noreferrer noopener"
    >
      <Image className="size-3.5 stroke-2" aria-hidden="true" />
      {words}
    </a>
  ) : (
    <span>{words}</span>
  );
}

/** How to render the elements of Markdown. */
export const markdownElements = {
  a: TextLink,
  img: ImageLink,
  pre: CodeBlock,
  table: ({ node: _node, ...rest }: ComponentProps<"table"> & { node?: unknown }) => (
    <div className="tbl" tabIndex={0} role="region">
      <table {...rest} />
    </div>
  ),
  h1: ({ node: _node, ...rest }: ComponentProps<"h3"> & { node?: unknown }) => <h3 {...rest} />,
  h2: ({ node: _node, ...rest }: ComponentProps<"h3"> & { node?: unknown }) => <h3 {...rest} />,
  "cite-mark": CitationMark,
  "footnote-mark": FootnoteMark,
} as Components;
