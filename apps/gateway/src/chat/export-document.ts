import { setImmediate as nextTurnOfLoop } from "node:timers/promises";
import { clipText, type exportThread, type Out } from "@carrel/contracts";
import { directionOf, languageTag, type Language } from "@carrel/contracts/languages";
import { mathSyntax, definesCommands, mostExpansions } from "@carrel/contracts/math-syntax";
import { findTexts, formatDate, type Texts } from "@carrel/texts";
import katex from "katex";
import { micromark, type Options } from "micromark";
import { gfm, gfmHtml } from "micromark-extension-gfm";

export type ExportTurn = Out<typeof exportThread>["turns"][number];
export interface ExportedThread {
  workspace: string;
  name: string;
  turns: ExportTurn[];
  /** null: English, with dates for programs. */
  language: Language | null;
  timeZone: string | undefined;
}
/** What the export itself says, in its language. */
interface Wording {
  say: Texts;
  readableDate(turn: ExportTurn): string;
}
export interface ExportFormat {
  contentType: string;
  extension: string;
  build(thread: ExportedThread): string | Promise<string>;
}

/** Policy for exported HTML: the page may run, load and send nothing, wherever it is opened. */
export const pagePolicy = `default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'`;

const dateOf = (turn: ExportTurn): string => new Date(turn.sentAt * 1000).toISOString();

const wordingOf = ({
  language,
  timeZone,
}: Pick<ExportedThread, "language" | "timeZone">): Wording => ({
  say: findTexts(language),
  readableDate: (turn) =>
    language === null ? dateOf(turn) : formatDate(turn.sentAt * 1000, language, timeZone),
});
/**
 * Each source with its page, else the heading above its passage; with both if two would read alike.
 */
function sourceTexts(sources: ExportTurn["sources"], say: Texts): string[] {
  const join = (...parts: (string | null | undefined)[]): string =>
    parts.filter(Boolean).join(", ");
  const pageOf = ({ page }: ExportTurn["sources"][number]): string | null =>
    page === null ? null : say("exportPage", { page });
  const texts = sources.map((source) => join(source.title, pageOf(source) ?? source.heading));
  const counts = Map.groupBy(texts, (text) => text);
  return texts.map((text, index) => {
    const source = sources[index]!;
    return counts.get(text)!.length > 1 ? join(source.title, pageOf(source), source.heading) : text;
  });
}
/** Escapes characters with a meaning in Markdown, for titles that are plain text. */
const escapeMarkdown = (text: string): string =>
  text.replace(/[\r\n]+/g, " ").replace(/[\\`*_{}[\]<>#|!]/g, "\\$&");
const escapeHtml = (text: string): string =>
  text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
    .replaceAll("'", "&#39;");

/** What the model thought, and for how long (null: unknown); null if it thought nothing. */
function thoughtOf(
  { reasoning = [] }: ExportTurn,
  say: Texts,
): { title: string; text: string; milliseconds: number | null } | null {
  if (reasoning.length === 0) return null;
  const times = reasoning.flatMap(({ milliseconds }) => milliseconds ?? []);
  const milliseconds = times.length === 0 ? null : times.reduce((sum, time) => sum + time);
  return {
    title:
      milliseconds === null
        ? say("exportThought")
        : say("exportThoughtFor", { seconds: Math.max(1, Math.round(milliseconds / 1000)) }),
    text: reasoning.map(({ text }) => text).join("\n\n"),
    milliseconds,
  };
}

const sections = (thread: ExportedThread, write: (turn: ExportTurn) => string[]): string =>
  thread.turns.flatMap(write).join("\n");

const writeThought = (
  turn: ExportTurn,
  say: Texts,
  write: (thought: NonNullable<ReturnType<typeof thoughtOf>>) => string[],
): string[] => {
  const thought = thoughtOf(turn, say);
  return thought === null ? [] : write(thought);
};

/** As a quotation, which every renderer shows. */
const quote = (text: string): string =>
  text
    .split(/\r?\n/)
    .map((line) => (line === "" ? ">" : `> ${line}`))
    .join("\n");

function writeMarkdown(thread: ExportedThread): string {
  const { say, readableDate } = wordingOf(thread);
  const body = sections(thread, (turn) => [
    `## ${say("exportYou")}, ${readableDate(turn)}`,
    "",
    turn.question,
    "",
    `## ${say("exportAnswer")}`,
    "",
    ...writeThought(turn, say, ({ title, text }) => [quote(`**${title}**\n\n${text}`), ""]),
    turn.answer,
    "",
    ...(turn.sources.length === 0
      ? []
      : [
          `### ${say("exportSources")}`,
          "",
          ...sourceTexts(turn.sources, say).map(
            (source, index) => `${index + 1}. ${escapeMarkdown(source)}`,
          ),
          "",
        ]),
  ]);
  return `# ${escapeMarkdown(thread.name)}\n\n${say("exportWorkspace", { name: escapeMarkdown(thread.workspace) })}\n\n${body}`;
}

function writePlainText(thread: ExportedThread): string {
  const { say, readableDate } = wordingOf(thread);
  const body = sections(thread, (turn) => [
    `${say("exportYou")} (${readableDate(turn)}):`,
    turn.question,
    "",
    ...writeThought(turn, say, ({ title, text }) => [`${title}:`, text, ""]),
    `${say("exportAnswer")}:`,
    turn.answer,
    "",
    ...(turn.sources.length === 0
      ? []
      : [
          `${say("exportSources")}:`,
          ...sourceTexts(turn.sources, say).map((source, index) => `[${index + 1}] ${source}`),
          "",
        ]),
  ]);
  return `${thread.name}\n${say("exportWorkspace", { name: thread.workspace })}\n\n${body}`;
}

/** For programs, whatever the language. */
const english = findTexts(null);

function writeJson(thread: ExportedThread): string {
  return JSON.stringify(
    {
      workspace: thread.workspace,
      thread: thread.name,
      turns: thread.turns.map((turn) => ({
        id: turn.id,
        sentAt: dateOf(turn),
        mode: turn.mode,
        question: turn.question,
        reasoning: thoughtOf(turn, english)?.text ?? null,
        reasoningMilliseconds: thoughtOf(turn, english)?.milliseconds ?? null,
        answer: turn.answer,
        sources: turn.sources,
        feedback: turn.feedback ?? null,
        feedbackReason: turn.feedbackReason ?? null,
      })),
    },
    null,
    2,
  );
}

/** Addresses that mean the same wherever the file is opened, and footnotes. */
const portable = /^(?:https?:\/\/|mailto:|#user-content-)/i;

/** Characters that may begin or end something other than a word. */
const marker = /[*_~`[\]<>!&@:|+-]/g;
/** Takes about 0.1 s; 150 list items with emphasis, code and links in one block take less. */
const mostWork = 20_000_000;

/**
 * Whether Markdown takes too long to render: the time for a paragraph grows with its length times
 * the number of its markers (`**a` 10,000 times takes seconds).
 */
function isTooMuchWork(text: string): boolean {
  let work = 0;
  for (const paragraph of text.split(/\n[ \t]*\n/)) {
    work += paragraph.length * (paragraph.match(marker)?.length ?? 0);
    if (work > mostWork) return true;
  }
  return false;
}

/**
 * HTML in the text is shown as text, and an image becomes a link to it, so nothing is loaded. Links
 * may only be http, https or mailto; others (`/path`, `//host`, `file`) would depend on where the
 * file is opened, so they lead nowhere. Text that would take too long is left as it is.
 */
export function renderMarkdown(text: string, say: Texts): string {
  if (isTooMuchWork(text)) return `<pre>${escapeHtml(text)}</pre>`;
  return micromark(text, {
    extensions: [gfm(), mathSyntax(text, false)],
    htmlExtensions: [gfmHtml(), mathHtml()],
  })
    .replace(
      /<img src="([^"]*)" alt="([^"]*)"(?: title="[^"]*")? \/>/g,
      (_all, address: string, words: string) =>
        address === ""
          ? words
          : `<a href="${address}">${words === "" ? say("exportPicture") : words}</a>`,
    )
    .replace(/<a href="([^"]*)"/g, (_all, address: string) =>
      portable.test(address) ? `<a rel="noopener noreferrer nofollow" href="${address}"` : "<a",
    );
}

const style = `body{font:16px/1.6 system-ui,sans-serif;color:#1b1b1f;max-width:46rem;margin:2rem auto;padding:0 1rem}h1{font-size:1.5rem}.meta,time{color:#5c5c66;font-size:.85rem}
.turn{margin:2rem 0}.question{background:#f2f2f5;border-radius:.5rem;padding:.75rem 1rem;white-space:pre-wrap;overflow-wrap:anywhere;break-inside:avoid}.answer,.thought{overflow-wrap:anywhere}.thought{margin:1rem 0;color:#44444c}.thought summary{cursor:pointer;font-size:.85rem}.thought[open]>:not(summary){margin-inline-start:1rem}
blockquote{margin:1rem 0;padding-inline-start:1rem;border-inline-start:3px solid #c9c9d1;break-inside:avoid}
pre{background:#f2f2f5;border-radius:.5rem;padding:.75rem;white-space:pre-wrap}table{border-collapse:collapse}td,th{border:1px solid #c9c9d1;padding:.25rem .5rem}.sources{font-size:.85rem;color:#44444c}
@media print{body{margin:0;max-width:none}.question,pre{border:1px solid #c9c9d1;background:none}h1,h2,h3{break-after:avoid}}`;

function writeTurn(turn: ExportTurn, thread: ExportedThread): string {
  const { say, readableDate } = wordingOf(thread);
  const date =
    thread.language === null
      ? `${dateOf(turn).slice(0, 16).replace("T", " ")} UTC`
      : readableDate(turn);
  // Questions and answers may be in any language.
  const dir = thread.language === null ? "" : ' dir="auto"';
  return [
    '<section class="turn">',
    `<time datetime="${dateOf(turn)}">${escapeHtml(date)}</time>`,
    `<div class="question"${dir}>${escapeHtml(turn.question)}</div>`,
    ...writeThought(turn, say, ({ title, text }) => [
      `<details class="thought"><summary>${title}</summary>${renderMarkdown(text, say)}</details>`,
    ]),
    `<div class="answer"${dir}>${renderMarkdown(turn.answer, say)}</div>`,
    ...(turn.sources.length === 0
      ? []
      : [
          '<ol class="sources">',
          ...sourceTexts(turn.sources, say).map((source) => `<li>${escapeHtml(source)}</li>`),
          "</ol>",
        ]),
    "</section>",
  ].join("\n");
}

async function writeHtml(thread: ExportedThread): Promise<string> {
  const written: string[] = [];
  for (const turn of thread.turns) {
    written.push(writeTurn(turn, thread));
    await nextTurnOfLoop(); // a long thread doesn't hold up other requests
  }
  const turns = written.join("\n");
  const { language } = thread;
  const attributes =
    language === null ? "" : ` lang="${languageTag(language)}" dir="${directionOf(language)}"`;
  return `<!doctype html>\n<html${attributes}><head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${pagePolicy}"><meta name="viewport" content="width=device-width,initial-scale=1"><meta name="referrer" content="no-referrer">
<title>${escapeHtml(thread.name)}</title><style>${style}</style></head><body><h1>${escapeHtml(thread.name)}</h1><p class="meta">${escapeHtml(thread.workspace)}</p>\n${turns}\n</body></html>\n`;
}

export const exportFormats: ReadonlyMap<string, ExportFormat> = new Map([
  [
    "markdown",
    { contentType: "text/markdown; charset=utf-8", extension: "md", build: writeMarkdown },
  ],
  [
    "plaintext",
    { contentType: "text/plain; charset=utf-8", extension: "txt", build: writePlainText },
  ],
  ["json", { contentType: "application/json; charset=utf-8", extension: "json", build: writeJson }],
  ["html", { contentType: "text/html; charset=utf-8", extension: "html", build: writeHtml }],
]);

/**
 * A file name valid on every file system: no path, control or formatting characters or device name,
 * at most 80 characters.
 */
export function fileNameOf(name: string, extension: string): string {
  const plain = name
    .toWellFormed()
    .replace(/[\p{C}\uFFFD]/gu, "")
    .replace(/[\\/:*?"<>|]+/g, " ")
    .replace(/\s+/g, " ")
    .replace(/^[\s.]+|[\s.]+$/g, "");
  const cut = clipText(plain, 80).trim();
  return `${cut === "" || /^(?:con|prn|aux|nul|com\d|lpt\d)$/i.test(cut) ? `Chat ${cut}`.trim() : cut}.${extension}`;
}

type HtmlExtension = NonNullable<Options["htmlExtensions"]>[number];

/** Maximum characters that KaTeX reads of one text, which takes about 0.1 s. */
const mostRead = 20_000;
/** Fixed cost of any formula, in characters. */
const perFormula = 10;

const escapeSource = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

/** Each command that a formula defines may become as long as the formula. */
const costOf = (source: string): number =>
  perFormula + source.length * (definesCommands(source) ? mostExpansions(source) : 1);

/** As MathML, which browsers display without a style sheet or fonts; the source if that fails. */
function renderFormula(source: string, displayMode: boolean): string {
  try {
    return katex.renderToString(source, {
      displayMode,
      output: "mathml",
      strict: "ignore",
      trust: false,
      maxExpand: mostExpansions(source),
      maxSize: 20,
    });
  } catch {
    return `<code>${escapeSource(source)}</code>`;
  }
}

/** micromark extension: writes the formulas of `mathSyntax` in one text. */
function mathHtml(): HtmlExtension {
  let left = mostRead;
  type Exit = NonNullable<NonNullable<HtmlExtension["exit"]>["inlineFormula"]>;
  const begin: Exit = function () {
    this.buffer();
  };
  const write = (displayMode: boolean): Exit =>
    function () {
      const written = this.resume().trim();
      // Set by the extension that writes tables.
      const inTable = (this.getData as (key: string) => unknown)("tableAlign") !== undefined;
      const source = inTable ? written.replace(/\\\|/g, "|") : written;
      left -= costOf(source);
      this.raw(
        left < 0 ? `<code>${escapeSource(source)}</code>` : renderFormula(source, displayMode),
      );
    };
  return {
    enter: { inlineFormula: begin, displayFormula: begin, formulaBlock: begin },
    exit: {
      inlineFormula: write(false),
      displayFormula: write(true),
      formulaBlock: write(true),
      formulaSource(token) {
        this.raw(this.sliceSerialize(token));
      },
    },
  };
}
