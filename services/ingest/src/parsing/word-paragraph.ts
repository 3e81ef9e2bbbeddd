import type { Block } from "./office-block.ts";
import { readInFont, symbolOf } from "./symbol-fonts.ts";
import { isOn, type WordStyles } from "./word-styles.ts";

/** A field of a form: the state of a check box, or the entries of a drop-down list. */
interface FormField {
  isCheckBox: boolean;
  isChecked: boolean;
  entries: string[];
  chosen: number;
}

interface Field {
  instruction: string;
  isCode: boolean;
  hasResult: boolean;
  form: FormField | null;
}

const longestInstruction = 10_000;
const maxOpen = 100;

/** The text between matching brackets, split at the separators of `EQ` fields. */
function argumentsOf(text: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let from = 0;
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (character === "\\") at++;
    else if (character === "(") depth++;
    else if (character === ")") depth--;
    else if ((character === "," || character === ";") && depth === 0) {
      parts.push(text.slice(from, at));
      from = at + 1;
    }
  }
  return [...parts, text.slice(from)].map((part) => part.trim());
}

/** A formula of an `EQ` field: \f(a,b) is a fraction, \r(n,x) a root, \o() draws one over another. */
function readEquation(text: string, depth = 0): string {
  const start = /\\([a-z]+)((?:\s*\\[a-z]+\s?\d*)*)\s*\(/i.exec(text);
  if (!start || depth > 20) return text.replace(/\\\*?\s?[a-z]+\d*\s?|\\([(),;\\])/gi, "$1").trim();
  const from = start.index + start[0].length;
  let open = 1;
  let to = from;
  for (; to < text.length && open > 0; to++) {
    if (text[to] === "\\") to++;
    else if (text[to] === "(") open++;
    else if (text[to] === ")") open--;
  }
  const inner = argumentsOf(text.slice(from, open === 0 ? to - 1 : to)).map((part) =>
    readEquation(part, depth + 1),
  );
  const name = start[1]!.toLowerCase();
  const written =
    name === "f"
      ? inner.join("/")
      : name === "r"
        ? `√(${inner.at(-1) ?? ""})`
        : name === "o"
          ? // Phonetic guides: the reading is drawn over the base text, which comes last.
            (inner.at(-1) ?? "")
          : name === "s"
            ? inner.join(" ")
            : inner.join(", ");
  const before = text.slice(0, start.index).replace(/\\\*\s?[a-z]+\d*\s*/gi, "");
  return before.trimStart() + written + readEquation(text.slice(to), depth + 1);
}

/** Open fields of a Word document: which text is their code, and what they show without a result. */
class WordFields {
  private readonly open: Field[] = [];

  /** Whether the text here is code rather than content. */
  get isCode(): boolean {
    return this.open.some((field) => field.isCode);
  }

  begin(): void {
    if (this.open.length < maxOpen)
      this.open.push({ instruction: "", isCode: true, hasResult: false, form: null });
  }

  separate(): void {
    const field = this.open.at(-1);
    if (field) field.isCode = false;
  }

  /** Ends the innermost field; returns what it shows if the file has no result for it. */
  end(): string {
    const field = this.open.pop();
    if (!field || this.isCode) return "";
    const [name = "", ...words] = field.instruction.trim().split(/\s+/);
    const { form } = field;
    if (form?.isCheckBox) return form.isChecked ? "☒" : "☐";
    if (field.hasResult) return "";
    if (form) return form.entries[form.chosen] ?? "";
    if (/^EQ$/i.test(name)) return readEquation(field.instruction.trim().slice(2).trim());
    if (/^SYMBOL$/i.test(name)) {
      const font = /\\f\s*"?([^"\\]+)"?/i.exec(field.instruction)?.[1] ?? null;
      return symbolOf(font, Number(words[0]));
    }
    return "";
  }

  addInstruction(text: string): void {
    const field = this.open.at(-1);
    if (field?.isCode && field.instruction.length < longestInstruction) field.instruction += text;
  }

  /** Says that text was shown. The mark of a check box replaces its result. */
  addResult(): boolean {
    for (const field of this.open) field.hasResult = true;
    return !this.open.some((field) => field.form?.isCheckBox === true);
  }

  /** A paragraph ends the code of its fields, so that a damaged one doesn't hide what follows. */
  endParagraph(): void {
    for (const field of this.open) field.isCode = false;
  }

  /** Reads a property of a form field (`w:ffData`). */
  readForm(name: string, value: string | undefined): void {
    const field = this.open.at(-1);
    if (!field) return;
    if (name === "checkBox" || name === "ddList")
      field.form = {
        isCheckBox: name === "checkBox",
        isChecked: false,
        entries: [],
        chosen: 0,
      };
    const { form } = field;
    if (!form) return;
    if ((name === "default" || name === "checked") && form.isCheckBox) form.isChecked = isOn(value);
    else if (name === "default" || name === "result") form.chosen = Number(value) || 0;
    else if (name === "listEntry" && form.entries.length < 1_000) form.entries.push(value ?? "");
  }
}

/** A paragraph being read. */
export interface WordParagraph {
  text: string;
  style: string | null;
  /** The list that its own properties name; "0" takes it out of its style's list. */
  list: string | null;
  level: number | null;
  outline: number | null;
  /** Whether some of its text isn't bold. */
  hasPlain: boolean;
  /** A deleted mark joins it with the next paragraph. */
  isMarkDeleted: boolean;
  /** Pictures, charts, text boxes: what is anchored in it. */
  after: Block[];
}

interface WordRun {
  isHidden: boolean | undefined;
  isBold: boolean | undefined;
  style: string | null;
  font: string | null;
}

const newParagraph = (): WordParagraph => ({
  text: "",
  style: null,
  list: null,
  level: null,
  outline: null,
  hasPlain: false,
  isMarkDeleted: false,
  after: [],
});

const newRun = (): WordRun => ({
  isHidden: undefined,
  isBold: undefined,
  style: null,
  font: null,
});

/** Text of the paragraphs that are open: what their runs, fields and content controls show. */
export class WordText {
  readonly fields = new WordFields();
  /** Counts what was shown, to tell whether an alternative has content. */
  shown = 0;
  private readonly paragraphs: WordParagraph[] = [];
  private readonly runs: WordRun[] = [];
  private readonly controls: { mark: string | null; isWritten: boolean }[] = [];

  constructor(private readonly styles: WordStyles) {}

  get depth(): number {
    return this.paragraphs.length;
  }

  get paragraph(): WordParagraph | undefined {
    return this.paragraphs.at(-1);
  }

  openParagraph(): void {
    this.paragraphs.push(newParagraph());
  }

  closeParagraph(): WordParagraph | undefined {
    this.fields.endParagraph();
    return this.paragraphs.pop();
  }

  openRun(): void {
    this.runs.push(newRun());
  }

  closeRun(): void {
    this.runs.pop();
  }

  openControl(): void {
    this.controls.push({ mark: null, isWritten: false });
  }

  /** Makes the innermost content control a check box. */
  markControl(isChecked: boolean): void {
    const control = this.controls.at(-1);
    if (control) control.mark = isChecked ? "☒" : "☐";
  }

  closeControl(): void {
    const control = this.controls.at(-1);
    if (control?.mark && !control.isWritten) this.add(control.mark);
    this.controls.pop();
  }

  readRunProperty(name: string, attributes: Record<string, string>): void {
    const run = this.runs.at(-1);
    if (!run) return;
    if (name === "vanish") run.isHidden = isOn(attributes.val);
    else if (name === "b") run.isBold = isOn(attributes.val);
    else if (name === "rStyle") run.style = attributes.val ?? null;
    else if (name === "rFonts") run.font = attributes.ascii ?? attributes.hAnsi ?? null;
  }

  readParagraphProperty(name: string, value = ""): void {
    const { paragraph } = this;
    if (!paragraph) return;
    if (name === "pStyle") paragraph.style = value;
    else if (name === "numId") paragraph.list = value;
    else if (name === "ilvl")
      paragraph.level = Math.min(8, Math.max(0, Math.trunc(Number(value)) || 0));
    else if (name === "outlineLvl") paragraph.outline = Number(value) || 0;
  }

  /** Adds text in the run's font, which may be one of symbols. */
  addInFont(text: string): void {
    const run = this.runs.at(-1);
    const font = run?.font ?? (run?.style ? this.styles.font(run.style) : null);
    this.add(readInFont(font, text));
  }

  add(text: string): void {
    const { paragraph } = this;
    if (text === "" || !paragraph || this.fields.isCode || this.isHidden) return;
    const isShown = this.fields.addResult();
    const control = this.controls.at(-1);
    this.shown++;
    if (control?.mark) {
      // A check box shows whatever sign its author chose.
      if (!control.isWritten) paragraph.text += control.mark;
      control.isWritten = true;
    } else if (isShown) {
      paragraph.text += text;
      if (text.trim() !== "" && !this.isBold) paragraph.hasPlain = true;
    }
  }

  private get isHidden(): boolean {
    const run = this.runs.at(-1);
    if (run?.isHidden !== undefined) return run.isHidden;
    if (run?.style && this.styles.isHidden(run.style)) return true;
    const style = this.paragraph?.style;
    return style ? this.styles.isHidden(style) : false;
  }

  private get isBold(): boolean {
    const run = this.runs.at(-1);
    return run?.isBold ?? (run?.style ? this.styles.isBold(run.style) : false);
  }
}
