import type { SourceWire } from "@carrel/contracts";
import type { Element as HastElement } from "hast";
import { Image } from "lucide-react";
import {
  Suspense,
  createContext,
  use,
  useContext,
  useRef,
  useState,
  type ComponentProps,
} from "react";
import { useTranslation } from "react-i18next";
import type { Components } from "react-markdown";
import { Button } from "../../../components/ui/button.tsx";
import { CopyButton } from "../../../components/ui/copy-button.tsx";
import { linkStyles } from "../../../components/ui/styles.ts";
import { lazyPart } from "../../../lib/lazy-part.ts";

const Diagram = lazyPart(() => import("./diagram.tsx"));
const PreviewFrame = lazyPart(() => import("./preview-frame.tsx"));

/** Whether the block may still grow; half a source isn't drawn. */
export const GrowingContext = createContext(false);

interface Node {
  value?: string;
  children?: Node[];
  properties?: { className?: unknown };
}
const textOf = (node: Node | undefined): string =>
  node?.value ?? node?.children?.map(textOf).join("") ?? "";

function languageOf(pre: Node | undefined): string {
  const { className } = pre?.children?.[0]?.properties ?? {};
  const named = Array.isArray(className) ? className.map(String) : [];
  return named.find((name) => name.startsWith("language-"))?.slice(9) ?? "";
}

/**
 * A code block with its language and a copy button. A Mermaid diagram is drawn, and HTML and SVG
 * can be previewed.
 */
function CodeBlock({ children, node }: ComponentProps<"pre"> & { node?: HastElement }) {
  const { t } = useTranslation("chat");
  const pre = useRef<HTMLPreElement>(null);
  const growing = use(GrowingContext);
  const language = languageOf(node);
  const source = textOf(node).trimEnd();
  const kind = growing ? null : previewKind(language, source);
  const [chosen, setChosen] = useState<boolean | null>(null);
  const shown = kind !== null && (chosen ?? kind === "diagram");
  const code = (
    <pre ref={pre} tabIndex={0}>
      {children}
    </pre>
  );
  return (
    <div className="code" dir="ltr">
      <header>
        <span>{language || t("code")}</span>
        <span className="flex">
          {kind !== null && (
            <Button
              variant="quiet"
              size="sm"
              aria-pressed={shown}
              onClick={() => setChosen(!shown)}
            >
              {t(shown ? "showCode" : kind === "diagram" ? "showDiagram" : "preview")}
            </Button>
          )}
          <CopyButton variant="quiet" size="sm" words text={() => source} />
        </span>
      </header>
      {shown ? (
        <Suspense fallback={code}>
          {kind === "diagram" ? (
            <Diagram source={source}>{code}</Diagram>
          ) : (
            <PreviewFrame source={source} />
          )}
        </Suspense>
      ) : (
        code
      )}
    </div>
  );
}

/** How a code block can be previewed, in addition to its source. */
function previewKind(language: string, source: string): "diagram" | "page" | null {
  if (source.trim() === "") return null;
  if (language === "mermaid") return "diagram";
  if (language === "html" || language === "svg") return "page";
  return language === "xml" && /^\s*(?:<\?xml[^>]*>\s*)?<svg[\s>]/.test(source) ? "page" : null;
}

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
