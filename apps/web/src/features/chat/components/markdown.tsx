import { clipText } from "@carrel/contracts/clip-text";
import type { Element, ElementContent, Root, RootContent } from "hast";
import { ArrowUp } from "lucide-react";
import { Popover } from "radix-ui";
import {
  memo,
  use,
  useEffect,
  useMemo,
  useRef,
  useState,
  type ReactElement,
  type ReactNode,
  type SyntheticEvent,
} from "react";
import { useTranslation } from "react-i18next";
import ReactMarkdown from "react-markdown";
import { remarkCitations } from "../state/citations.ts";
import {
  collectFootnotes,
  footnotesOf,
  isDefinition,
  remarkFootnotes,
  withDefinitions,
  type Footnotes,
} from "../state/footnotes.ts";
import { LruCache } from "../state/lru-cache.ts";
import { remarkSyntax, splitBlocks, type Blocks } from "../state/split-blocks.ts";
import { DetailContext } from "./detail.tsx";
import { useHeavyPlugins, type Plugins } from "./heavy-plugins.ts";
import {
  CitationsContext,
  GrowingContext,
  focusFootnote,
  markdownElements,
  type Citations,
  type CitedSource,
} from "./markdown-elements.tsx";

/**
 * A number with optional sign and unit: "2,345", "−8 °C", "61 %", "1450 euro"; or a placeholder for
 * none: "–".
 */
const numeric = /^(?:[-–—]|[+\-−~≈<>≤≥]?\s?[$€£¥]?\s?\d[\d.,'’\s]*(?:\s?[^\s\d]{1,6})?)$/u;
const isElement = (node: RootContent | ElementContent, name: string): node is Element =>
  node.type === "element" && node.tagName === name;
const textOf = (node: ElementContent): string =>
  node.type === "text"
    ? node.value
    : node.type === "element"
      ? node.children.map(textOf).join("")
      : "";
const rowsOf = (table: Element): Element[] =>
  table.children.flatMap((part) =>
    part.type === "element" ? part.children.filter((row) => isElement(row, "tr")) : [],
  );
const cellsOf = (row: Element): Element[] =>
  row.children.filter((cell): cell is Element => isElement(cell, "td") || isElement(cell, "th"));

function markColumns(table: Element): void {
  const [head, ...body] = rowsOf(table).map(cellsOf);
  if (!head || body.length === 0) return;
  for (const column of head.keys()) {
    const cells = body.flatMap((row) => row[column] ?? []);
    const words = cells.map((cell) => textOf({ ...cell }).trim()).filter((text) => text !== "");
    if (
      words.length === 0 ||
      !words.every((text) => numeric.test(text)) ||
      !words.some((text) => /\d/.test(text))
    )
      continue;
    for (const cell of [head[column], ...cells])
      if (cell) cell.properties = { ...cell.properties, className: ["num"] };
  }
}

/** rehype plugin: marks purely numeric table columns so that they are right-aligned. */
export function rehypeNumericColumns(): (tree: Root) => void {
  const visit = (node: Root | Element): void => {
    for (const child of node.children) {
      if (child.type !== "element") continue;
      if (child.tagName === "table") markColumns(child);
      else visit(child);
    }
  };
  return visit;
}

/** How long the pointer rests on a number before its card opens, in ms. */
const openDelay = 250;
/** How long the pointer may be between the number and the card, in ms. */
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
function CitationPreview({
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

/** Deeper than anything people write; each level adds the cost of parsing everything below it. */
const deepest = 40;
const widest = 100;
const marker = /[ \t]{0,4}(?:>|[-*+](?=[ \t]|$)|\d{1,9}[.)](?=[ \t]|$))/y;
/**
 * Lines that may be nested too deeply: many quote or list markers at the start, or extreme
 * indentation.
 */
const suspicious = new RegExp(`^(?:[ \\t>*+-]|\\d{1,9}[.)]){${deepest},}`, "m");

function tameLine(line: string): string {
  const indent = /^[ \t]*/.exec(line)![0].length;
  const near = indent > widest ? line.slice(indent - widest) : line;
  marker.lastIndex = 0;
  for (let depth = 0; marker.test(near); depth += 1) {
    if (depth < deepest) continue;
    // Escape the marker's last character, which is the one that makes it a marker.
    const at = marker.lastIndex - 1;
    return `${near.slice(0, at)}\\${near.slice(at)}`;
  }
  return near;
}

/**
 * Limits the nesting of quotes and lists to a depth that can be parsed and rendered; deeper markers
 * become text. Returns other texts unchanged.
 */
export function limitNesting(text: string): string {
  return suspicious.test(text) ? text.split("\n").map(tameLine).join("\n") : text;
}

export type { Citations };

const renderedBlocks = new LruCache<ReactElement>(2_000_000);
const splitTexts = new LruCache<Blocks>(2_000_000);

/** Text that cannot be parsed as Markdown is shown verbatim. */
function renderMarkdown(
  text: string,
  count: number | null,
  references: string,
  rehype: Plugins,
  growing: boolean,
): ReactElement {
  const source = withDefinitions(text, references);
  try {
    return ReactMarkdown({
      remarkPlugins: [
        [remarkSyntax, { block: source, growing }],
        [remarkFootnotes, { references }],
        [remarkCitations, { count }],
      ],
      rehypePlugins: [rehypeNumericColumns, ...rehype],
      components: markdownElements,
      children: source,
    });
  } catch (error) {
    console.warn("a block of an answer is shown as plain text", error);
    return <p className="whitespace-pre-wrap">{text}</p>;
  }
}

const blockKey = (
  text: string,
  count: number | null,
  references: string,
  plugins: string,
): string => `${count} ${plugins} ${references} ${text}`;

/** A finished block is rendered once and cached, even while its turn is scrolled out of view. */
const Block = memo(function Block({
  text,
  count,
  references,
  growing,
}: {
  text: string;
  count: number | null;
  /** Footnotes that the block refers to (`footnotesOf`). */
  references: string;
  growing: boolean;
}) {
  const { used, plugins } = useHeavyPlugins(text, growing, (names) =>
    renderedBlocks.has(blockKey(text, count, references, names)),
  );
  const element = useMemo(() => {
    const key = blockKey(text, count, references, used);
    const cached = renderedBlocks.get(key);
    if (cached) return cached;
    const made = renderMarkdown(text, count, references, plugins, growing);
    if (!growing) renderedBlocks.set(key, made);
    return made;
  }, [text, count, references, used, plugins, growing]);
  return <GrowingContext value={growing}>{element}</GrowingContext>;
});

/** The definitions, each with a link back to its reference. */
function FootnoteList({ notes, count }: { notes: Footnotes; count: number | null }) {
  const { t } = useTranslation("chat");
  const defined = [...notes.values()].filter(({ text }) => text !== null);
  if (defined.length === 0) return null;
  return (
    <section className="footnotes" aria-label={t("footnotes")}>
      <ol>
        {defined.map(({ number, text }) => (
          <li key={number} value={number} tabIndex={-1} data-footnote-note={number}>
            <Block
              text={text ?? ""}
              count={count}
              references={footnotesOf(text ?? "", notes)}
              growing={false}
            />
            <button
              type="button"
              aria-label={t("footnoteBack", { number })}
              onClick={(event) => focusFootnote(event.currentTarget, "reference", number)}
            >
              <ArrowUp className="size-3 stroke-2" aria-hidden="true" />
            </button>
          </li>
        ))}
      </ol>
    </section>
  );
}

function splitFinished(text: string): Blocks {
  const cached = splitTexts.get(text);
  if (cached) return cached;
  const blocks = splitBlocks(text, null, false);
  splitTexts.set(text, blocks);
  return blocks;
}

/** Paragraphs of a text that will be parsed later. */
const PlainText = ({ text }: { text: string }) => (
  <div className="md" dir="auto">
    {text.split(/\n\s*\n/).map((paragraph, index) => (
      <p key={index} className="whitespace-pre-wrap">
        {paragraph}
      </p>
    ))}
  </div>
);

interface MarkdownProps {
  text: string;
  growing: boolean;
  citations: Citations;
  count: number | null;
}

/**
 * Markdown that may still grow: finished blocks are rendered once. Raw HTML in it is shown as text
 * or dropped, never rendered.
 */
export default function Markdown(props: MarkdownProps) {
  const isDetailed = use(DetailContext);
  // Text that was parsed before renders as fast as plain text.
  return isDetailed || splitTexts.has(props.text) ? (
    <ParsedMarkdown {...props} />
  ) : (
    <PlainText text={props.text} />
  );
}

function ParsedMarkdown({ text: source, growing, citations, count }: MarkdownProps) {
  const text = useMemo(() => limitNesting(source), [source]);
  const [split, setSplit] = useState<Blocks>(() =>
    growing ? splitBlocks(text, null, true) : splitFinished(text),
  );
  // Reuses blocks that were already split.
  if (split.text !== text || split.growing !== growing) setSplit(splitBlocks(text, split, growing));
  const end = split.blocks.length - 1;
  const notes = useMemo(() => collectFootnotes(split.blocks, growing), [split, growing]);
  return (
    <CitationsContext.Provider value={citations}>
      <CitationPreview sources={citations.sources}>
        {split.blocks.map((block, index) =>
          isDefinition(block) ? null : (
            <Block
              key={index}
              text={block}
              count={count}
              references={footnotesOf(block, notes)}
              growing={growing && index === end}
            />
          ),
        )}
        <FootnoteList notes={notes} count={count} />
      </CitationPreview>
    </CitationsContext.Provider>
  );
}
