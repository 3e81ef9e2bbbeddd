import {
  isKnownHeading,
  isNumberedTitle,
  isTitle,
  recordLine,
  sentenceEnd,
  withoutStops,
} from "./find-titles.ts";
import { longSentence, sentencesOf } from "./split-sentences.ts";

const picture = /!\[[^\]]{0,500}\][([]/;
const hasPicture = (text: string): boolean => picture.test(text);
/** A picture, also as a link. */
const badges = /\[?!\[[^\]]{0,500}\][([][^)\]]{0,500}[)\]](?:\]\([^)]{0,500}\))?/g;
/** A line of nothing but pictures. */
const isPictures = (line: string): boolean =>
  picture.test(line) && !/[\p{L}\p{N}]/u.test(line.replace(badges, ""));

/** Trims white space, bars, tags and unpaired emphasis; null when no letter or digit is left. */
function trimMarkup(
  text: string,
  start: number,
  end: number,
): { start: number; end: number } | null {
  let from = start,
    to = end;
  for (;;) {
    const piece = text.slice(from, to);
    const front =
      /^(?:\s+|\|+|<!--[^>]{0,1000}-->|<!--+|--+>|<\/?[a-z][^<>]{0,200}>|#+\s)/i.exec(piece)?.[0]
        .length ?? unpaired(piece, /^(?:\*{1,3}|_{1,3}|~~|`+)/);
    const back = front
      ? 0
      : (/(?:\s+|\|+|--+>|<\/?[a-z][^<>]{0,200}>)$/i.exec(piece.slice(-260))?.[0].length ??
        unpaired(piece, /(?:\*{1,3}|_{1,3}|~~|`+)$/, piece.slice(-260)));
    if (!front && !back) break;
    from += front;
    to -= back;
    if (from >= to) return null;
  }
  return /[\p{L}\p{N}]/u.test(text.slice(from, to)) ? { start: from, end: to } : null;
}

/** Length of the mark at one end if it is unpaired or if both ends are wrapped in it. */
function unpaired(piece: string, mark: RegExp, end = piece): number {
  const found = mark.exec(end)?.[0];
  if (!found) return 0;
  return (piece.split(found).length - 1) % 2 === 1 ? found.length : 0;
}

export interface TextRange {
  start: number;
  end: number;
}

/** A paragraph, list, table or block of code. */
export interface TextBlock extends TextRange {
  kind: "prose" | "list" | "table" | "code";
  /**
   * The sentence that leads into a list, table or block of code, or the question that prose
   * answers.
   */
  lead: TextRange | null;
  /**
   * Header and rule of a table, or the opening fence of code; without it, an excerpt isn't
   * readable.
   */
  head: TextRange | null;
}

/**
 * A sentence, list entry, table row or line of code: `text.slice(start, end)`, without surrounding
 * markup.
 */
export interface QuotableUnit extends TextRange {
  /**
   * Preceding context that belongs to it: headings, table header, lead-in of a list, or the
   * question it answers.
   */
  above: string;
  /**
   * notice: a whole notice, so nothing else in its text could contain what a question asks for.
   * record: "header: value" lines. mail-header: the sender, recipients and date of a mail.
   */
  form?: "notice" | "record" | "mail-header";
  /** The lines of its list entry, table row or line of code; in prose, the unit itself. */
  outer: TextRange;
  block: TextBlock;
  /** Number of headings before it in the text: units of one section have the same. */
  section: number;
}

const heading = /^ {0,3}#{1,6}(?:[ \t]|$)/;
const underline = /^ {0,3}(?:=+|-{2,})[ \t]*$/;
const fence = /^[ \t]*(```|~~~)/;
/** A continued list entry after an empty line. */
const indented = /^(?: {2,}|\t)\S/;
const tableRule = /^[ \t]*\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$/;
const bullet =
  /^[ \t]*(?:>[ \t]*)*(?:(?:[-*+•‣◦·–—][ \t]+|\d{1,3}[.)][ \t]+|\p{L}[)][ \t]+)(?:\[[ xX]\][ \t]+)?)?(?:>[ \t]*)*/u;
/** A question is not an answer, but what follows it is. */
const question = /[?？؟]["'”’»)\]*_]*$/u;
/** The lines that the mail parser writes above a mail's text. */
const mailHeader = /^(?:From|To): \S.*\n(?:To|Cc|Date): \S/;

interface Line extends TextRange {
  text: string;
}

/**
 * Splits a text into quotable units. Headings are not quotable; they become the `above` of what
 * follows, and so do lines that equal one of the passage's known `headings`. Units exclude bullets,
 * the outer bars of a table row, fences, tags and unpaired emphasis, so that none breaks out of the
 * Markdown paragraph it is quoted in. Linear in the length of the text.
 */
export function quotableUnits(text: string, headings: readonly string[] = []): QuotableUnit[] {
  const notice = noticeIn(text);
  if (notice !== null) return [notice];
  const units: QuotableUnit[] = [];
  const lines: Line[] = [...text.matchAll(/[^\n]*(?:\n|$)/g)].map(({ index, 0: line }) => ({
    start: index,
    end: index + line.trimEnd().length,
    text: line.trimEnd(),
  }));
  const texts = lines.map((line) => line.text);
  let title = "",
    section = 0,
    lead = "",
    asked = "",
    tableHead = "",
    codeFence = "";
  let open: (TextRange & { outer: TextRange; kind: "prose" | "list" }) | null = null;
  let block = null as TextBlock | null;
  const enter = (kind: TextBlock["kind"], { start, end }: TextRange): TextBlock => {
    if (block?.kind !== kind) {
      block = { kind, start, end, lead: null, head: null };
      const before = units.at(-1);
      if (kind !== "prose" && before?.section === section && before.block.kind === "prose") {
        const leadsIn = leadIn(text, before) !== "" || kind === "code";
        if (leadsIn) block.lead = before.outer;
      }
    }
    block.end = Math.max(block.end, end);
    return block;
  };
  const add = (
    range: TextRange,
    kind: TextBlock["kind"],
    outer: TextRange,
    extra = "",
    form?: QuotableUnit["form"],
  ): void => {
    const inside = trimMarkup(text, range.start, range.end);
    const own = enter(kind, outer);
    // A quote would load the picture, from wherever it is.
    if (!inside || (kind !== "code" && hasPicture(text.slice(inside.start, inside.end)))) return;
    units.push({
      ...inside,
      above: [title, extra].filter(Boolean).join("\n"),
      ...(form && { form }),
      outer: kind === "prose" ? inside : outer,
      block: own,
      section,
    });
  };
  const close = (): void => {
    if (open) {
      const before = units.length;
      const record = recordOf(text, open.start, open.end);
      for (const piece of record ?? sentencesOf(text, open.start, open.end)) {
        const words = text.slice(piece.start, piece.end).trim();
        if (record === null && question.test(words)) {
          asked = words;
          startAnswer(text.indexOf(words, piece.start), piece.end);
        } else
          add(
            piece,
            open.kind,
            open.outer,
            [lead, asked].filter(Boolean).join("\n"),
            record === null ? undefined : mailHeader.test(words) ? "mail-header" : "record",
          );
      }
      // A question alone in its paragraph is answered by the next one.
      if (units.length > before) asked = "";
    }
    open = null;
  };
  /** A question and its answers form a separate section. */
  const startAnswer = (start: number, end: number): void => {
    section++;
    block = null;
    enter("prose", { start: end, end }).lead = { start, end };
  };
  const startSection = (words: string): void => {
    title = words;
    section++;
    lead = asked = "";
    block = null;
  };
  for (const [number, line] of lines.entries()) {
    const next = lines[number + 1]?.text ?? "";
    const mark = fence.exec(line.text)?.[1];
    if (mark !== undefined && (codeFence === "" || codeFence === mark)) {
      close();
      if (codeFence === "") {
        block = null;
        enter("code", line).head = { start: line.start, end: line.end };
        codeFence = mark;
      } else {
        enter("code", line);
        block = null;
        codeFence = "";
      }
      continue;
    }
    if (codeFence !== "") {
      if (line.text.trim())
        add(line, "code", line, block?.lead ? text.slice(block.lead.start, block.lead.end) : "");
      continue;
    }
    if (!line.text.trim()) {
      close();
      tableHead = "";
      if (block?.kind !== "list") block = null;
      continue;
    }
    if (isPictures(line.text)) {
      close();
      continue;
    }
    if (heading.test(line.text)) {
      close();
      startSection(line.text.replace(/^[ #\t]+|[ #\t]+$/g, ""));
      continue;
    }
    if (/^[ \t]*\|.*\|$/.test(line.text) || (tableHead && line.text.includes("|"))) {
      close();
      if (tableRule.test(line.text)) {
        if (block?.kind === "table" && block.head !== null) block.head.end = line.end;
        continue;
      }
      if (tableRule.test(next) && next.includes("-")) {
        tableHead = line.text.replaceAll("|", " ");
        block = null;
        enter("table", line).head = { start: line.start, end: line.end };
        continue;
      }
      add(line, "table", line, tableHead);
      continue;
    }
    if (underline.test(line.text)) {
      // The previous line was the heading.
      if (open && !text.slice(open.start, open.end).includes("\n")) {
        const words = text.slice(open.start, open.end).trim();
        open = null;
        startSection(words);
      } else close();
      lead = "";
      continue;
    }
    const isEntry = (bullet.exec(line.text)?.[0].trim() ?? "") !== "";
    const startsParagraph: boolean = number === 0 || !lines[number - 1]!.text.trim();
    if (
      isNumberedTitle(texts, number) ||
      (startsParagraph &&
        (isKnownHeading(texts, number, headings) || (!isEntry && isTitle(texts, number))))
    ) {
      close();
      startSection(line.text.replace(/[*_]/g, "").trim());
      continue;
    }
    if (isEntry) close();
    if (isEntry && units.length && !lead) lead = leadIn(text, units.at(-1)!);
    const isContinued: boolean = block?.kind === "list" && indented.test(line.text);
    if (!isEntry && startsParagraph && !isContinued) {
      lead = "";
      if (block?.kind === "list") block = null;
    }
    const from: number = line.start + (isEntry ? bullet.exec(line.text)![0].length : 0);
    if (open) open.end = open.outer.end = line.end;
    else {
      open = {
        start: from,
        end: line.end,
        outer: { start: line.start, end: line.end },
        kind: isEntry || isContinued ? "list" : "prose",
      };
    }
  }
  close();
  return units;
}

/** Longest notice, and its longest line. */
const longestNotice = 400,
  longestNoticeLine = 60;
const structured = /^\s*(?:#|\||```|~~~|>|[-*+•]\s|\d{1,3}[.)]\s|<|\*\*)|\|\s*$|: \S|=\s*$/;

/**
 * A short text whose lines aren't sentences, such as a notice read from a picture, is quoted as a
 * whole: its title, place and date only make sense together. null for other texts.
 */
function noticeIn(text: string): QuotableUnit | null {
  if (text.length > longestNotice) return null;
  const lines = text.split("\n").flatMap((line) => line.trim() || []);
  const broken = lines.slice(0, -1).filter((line) => !sentenceEnd.test(line)).length;
  if (
    lines.length < 3 ||
    broken < lines.length - 1 ||
    withoutStops.test(text) ||
    lines.some((line) => line.length > longestNoticeLine || structured.test(line))
  )
    return null;
  const start = text.length - text.trimStart().length;
  const range = { start, end: text.trimEnd().length };
  const block = { ...range, kind: "prose" as const, lead: null, head: null };
  return { ...range, above: "", form: "notice", outer: range, block, section: 0 };
}

/** "The box contains:" belongs to each entry of the list after it. */
function leadIn(text: string, before: QuotableUnit): string {
  const words = text.slice(before.start, before.end);
  return /[:：]$/.test(words) ? words : "";
}

/**
 * The record of a table row written as "header: value" lines, which only makes sense as a whole;
 * null for anything else.
 */
function recordOf(
  text: string,
  start: number,
  end: number,
): { start: number; end: number }[] | null {
  const lines = text.slice(start, end).split("\n");
  if (lines.length < 2 || !lines.every((line) => recordLine.test(line))) return null;
  if (end - start <= longSentence) return [{ start, end }];
  let from = start;
  return lines.map((line) => {
    const piece = { start: from, end: from + line.length };
    from = piece.end + 1;
    return piece;
  });
}
