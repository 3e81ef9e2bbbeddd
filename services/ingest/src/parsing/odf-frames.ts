import { cleanText } from "./decode-text.ts";
import type { OdfStyles } from "./odf-styles.ts";
import type { Block } from "./office-block.ts";
import { altText, isShown, lengthOf } from "./office-part.ts";

/** Charts and other objects by their folder; a formula is text in its sentence. */
export type OdfObjects = ReadonlyMap<string, Block[] | string>;

interface Frame {
  title: string;
  description: string;
  picture: string | null;
  object: string | null;
  size: { width: number; height: number };
  isSlideTitle: boolean;
}

/** Frames, which hold pictures, objects and slides' texts, and the slides themselves. */
export class OdfFrames {
  readonly pictures = new Set<string>();
  /** Which description of a frame is being read. */
  private described: "title" | "description" | null = null;
  private readonly frames: Frame[] = [];
  private blocks: Block[] = [];
  private inline = "";
  private slides = 0;
  private slide: { title: string; isHidden: boolean } | null = null;
  private readonly checkBoxes = new Map<string, string>();

  constructor(
    private readonly styles: OdfStyles,
    private readonly objects: OdfObjects,
  ) {}

  get isDescription(): boolean {
    return this.described !== null;
  }

  text(text: string): void {
    const frame = this.frames.at(-1);
    if (frame && this.described) frame[this.described] += text;
  }

  /** Returns what the last element added: text in the sentence, and blocks after it. */
  take(): { inline: string; blocks: Block[] } {
    const { inline, blocks } = this;
    this.inline = "";
    this.blocks = [];
    return { inline, blocks };
  }

  /** Whether the element belongs to a frame. */
  open(name: string, attributes: Record<string, string>): boolean {
    const frame = this.frames.at(-1);
    if (name === "frame" || name === "custom-shape" || name === "g") {
      this.frames.push({
        title: "",
        description: "",
        picture: null,
        object: null,
        size: {
          width: lengthOf(attributes.width ?? ""),
          height: lengthOf(attributes.height ?? ""),
        },
        isSlideTitle: attributes.class === "title",
      });
    } else if (frame && (name === "title" || name === "desc"))
      this.described = name === "title" ? "title" : "description";
    else if (frame && name === "object") frame.object = folderOf(attributes.href ?? "");
    else if (frame && name === "image") {
      const part = partOf(attributes.href ?? "");
      if (part !== "" && !part.startsWith("ObjectReplacements/")) frame.picture ??= part;
    } else if (name === "checkbox")
      this.checkBoxes.set(
        attributes.id ?? "",
        `${attributes["current-state"] === "checked" ? "☒" : "☐"} ${cleanText(attributes.label ?? "")}`.trim(),
      );
    else if (name === "control") {
      this.inline = this.checkBoxes.get(attributes.control ?? "") ?? "";
    } else return false;
    return true;
  }

  /** Whether the element belonged to a frame. */
  close(name: string): boolean {
    if (this.described !== null && (name === "title" || name === "desc")) {
      this.described = null;
      return true;
    }
    if (name !== "frame" && name !== "custom-shape" && name !== "g") return false;
    const frame = this.frames.pop();
    if (!frame) return false;
    const object = frame.object === null ? undefined : this.objects.get(frame.object);
    for (const block of altText(frame.description || frame.title)) this.blocks.push(block);
    if (typeof object === "string") this.inline = object;
    else if (object) for (const block of object) this.blocks.push(block);
    else if (frame.picture !== null && isShown(frame.size)) {
      this.pictures.add(frame.picture);
      this.blocks.push({ kind: "picture", part: frame.picture });
    }
    return true;
  }

  /** Starts a slide, named by its page until its title is read. */
  openSlide(attributes: Record<string, string>): Block {
    this.slides++;
    const name = cleanText(attributes.name ?? "").trim();
    const isDefault = name === "" || /^(?:page|slide|Seite|Folie|Diapo|Dia)\s?\d+$/i.test(name);
    const title = isDefault ? `Slide ${/\d+$/.exec(name)?.[0] ?? this.slides}` : name;
    const isHidden = this.styles.isHidden("drawing-page", attributes["style-name"]);
    const slide = { kind: "slide" as const, title: "", isHidden };
    this.slide = slide;
    this.nameSlide(title);
    return slide;
  }

  /** Takes a text as the slide's title, if it is in the frame for it. */
  takesTitle(text: string): boolean {
    if (this.frames.at(-1)?.isSlideTitle !== true || !this.slide || text === "") return false;
    this.nameSlide(text);
    return true;
  }

  private nameSlide(title: string): void {
    if (this.slide) this.slide.title = this.slide.isHidden ? `${title} (hidden slide)` : title;
  }
}

const partOf = (address: string): string => address.replace(/^\.\//, "");
const folderOf = (address: string): string => partOf(address).replace(/\/+$/, "");
