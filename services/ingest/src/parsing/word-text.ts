import { readInFont } from "./symbol-fonts.ts";
import { WordFields } from "./word-fields.ts";
import { newParagraph, newRun, type WordParagraph, type WordRun } from "./word-paragraph.ts";
import { isOn, type WordStyles } from "./word-styles.ts";

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
