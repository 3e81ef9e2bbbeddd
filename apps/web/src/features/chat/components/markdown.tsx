import { Image } from "lucide-react";
import {
  createContext,
  memo,
  useContext,
  useEffect,
  useMemo,
  useState,
  type ComponentProps,
  type ReactElement,
} from "react";
import { useTranslation } from "react-i18next";
import ReactMarkdown, { type Components, type Options } from "react-markdown";
import { linkStyles } from "../../../components/ui/link.ts";
import { remarkCitations } from "../state/citations.ts";
import { rehypeNumericColumns } from "../state/numeric-columns.ts";
import { LruCache } from "../state/lru-cache.ts";
import { remarkSyntax, splitBlocks, type Blocks } from "../state/split-blocks.ts";
import { limitNesting } from "../state/limit-nesting.ts";
import { CodeBlock } from "./code-block.tsx";

type Plugins = NonNullable<Options["rehypePlugins"]>;

/**
 * Opens a source with the text that the citation supports; null while the answer's sources are
 * unknown. `active` is the one open in the side panel.
 */
export interface Citations {
  open: ((number: number, words: string) => void) | null;
  active: number | null;
  titles: string[];
}
const CitationsContext = createContext<Citations>({ open: null, active: null, titles: [] });

function CitationMark({ number, words }: { number?: number; words?: string }) {
  const { t } = useTranslation("chat");
  const { open, active, titles } = useContext(CitationsContext);
  const n = Number(number);
  if (!open) return <span className="cite">{n}</span>;
  return (
    <button
      type="button"
      className={active === n ? "cite on" : "cite"}
      onClick={() => open(n, words ?? "")}
      aria-label={t("openSource", { number: n, title: titles[n - 1] ?? "" })}
    >
      {n}
    </button>
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

/**
 * Loading an external image would reveal the reader to its server, so it is shown as a link
 * instead.
 */
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

const components = {
  a: TextLink,
  img: ImageLink,
  pre: ({ node: _node, ...rest }: ComponentProps<"pre"> & { node?: unknown }) => (
    <CodeBlock {...rest} />
  ),
  table: ({ node: _node, ...rest }: ComponentProps<"table"> & { node?: unknown }) => (
    <div className="tbl" tabIndex={0} role="region">
      <table {...rest} />
    </div>
  ),
  h1: ({ node: _node, ...rest }: ComponentProps<"h3"> & { node?: unknown }) => <h3 {...rest} />,
  h2: ({ node: _node, ...rest }: ComponentProps<"h3"> & { node?: unknown }) => <h3 {...rest} />,
  "cite-mark": CitationMark,
} as Components;

const mathLike = /\$[^$\n]+\$|\$\$/;
const codeLike = /^\s{0,3}(```|~~~)\s*\w/m;
const loaded: { math: Plugins[number] | null; code: Plugins[number] | null } = {
  math: null,
  code: null,
};

/**
 * Plugins for formulas and highlighted code are loaded when a text needs them; until then the block
 * shows its source.
 */
function useHeavyPlugins(text: string): Plugins {
  const [, bump] = useState(0);
  const wantsMath = mathLike.test(text);
  const wantsCode = codeLike.test(text);
  useEffect(() => {
    let live = true;
    const done = (): void => {
      if (live) bump((n) => n + 1);
    };
    if (wantsMath && !loaded.math)
      void import("./math-plugin.ts").then((m) => {
        loaded.math = m.mathPlugin;
        done();
      });
    if (wantsCode && !loaded.code)
      void import("./highlight-plugin.ts").then((m) => {
        loaded.code = m.highlightPlugin;
        done();
      });
    return () => {
      live = false;
    };
  }, [wantsMath, wantsCode]);
  const math = wantsMath ? loaded.math : null;
  const code = wantsCode ? loaded.code : null;
  return useMemo(
    () => [math, code].filter((plugin): plugin is Plugins[number] => plugin !== null),
    [math, code],
  );
}

const renderedBlocks = new LruCache<ReactElement>(2_000_000);
const splitTexts = new LruCache<Blocks>(2_000_000);

/** Text that cannot be parsed as Markdown is shown verbatim. */
function renderMarkdown(text: string, count: number | null, rehype: Plugins): ReactElement {
  try {
    return ReactMarkdown({
      remarkPlugins: [
        [remarkSyntax, { block: text }],
        [remarkCitations, { count }],
      ],
      rehypePlugins: [rehypeNumericColumns, ...rehype],
      components,
      children: text,
    });
  } catch (error) {
    console.warn("a block of an answer is shown as plain text", error);
    return <p className="whitespace-pre-wrap">{text}</p>;
  }
}

/**
 * Renders a finished block once: the result is cached, even while its turn is scrolled out of view.
 */
function renderBlock(
  text: string,
  count: number | null,
  rehype: Plugins,
  growing: boolean,
): ReactElement {
  const key = `${count} ${rehype.map((plugin) => (plugin === loaded.math ? "m" : "c")).join("")} ${text}`;
  const cached = renderedBlocks.get(key);
  if (cached) return cached;
  const element = renderMarkdown(text, count, rehype);
  if (!growing) renderedBlocks.set(key, element);
  return element;
}

const Block = memo(function Block({
  text,
  count,
  growing,
}: {
  text: string;
  count: number | null;
  growing: boolean;
}) {
  const rehype = useHeavyPlugins(text);
  return useMemo(() => renderBlock(text, count, rehype, growing), [text, count, rehype, growing]);
});

function splitFinished(text: string): Blocks {
  const cached = splitTexts.get(text);
  if (cached) return cached;
  const blocks = splitBlocks(text, null);
  splitTexts.set(text, blocks);
  return blocks;
}

/**
 * Markdown that may still grow: finished blocks are rendered once. Raw HTML in it is shown as text
 * or dropped, never rendered.
 */
export default function Markdown({
  text: source,
  growing,
  citations,
  count,
}: {
  text: string;
  growing: boolean;
  citations: Citations;
  count: number | null;
}) {
  const text = useMemo(() => limitNesting(source), [source]);
  const [split, setSplit] = useState<Blocks>(() =>
    growing ? splitBlocks(text, null) : splitFinished(text),
  );
  // Blocks that were already split are reused.
  if (split.text !== text) setSplit(splitBlocks(text, split));
  const end = split.blocks.length - 1;
  return (
    <CitationsContext.Provider value={citations}>
      <div className="md" dir="auto">
        {split.blocks.map((block, index) => (
          <Block key={index} text={block} count={count} growing={growing && index === end} />
        ))}
      </div>
    </CitationsContext.Provider>
  );
}
