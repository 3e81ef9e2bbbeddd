import { isOn } from "./word-styles.ts";

/** A header or footer by the id of its relation. */
interface MarginReference {
  kind: "header" | "footer";
  id: string;
}

/** The headers and footers that a document's sections show. */
export class WordSections {
  readonly shown: MarginReference[] = [];
  private references: (MarginReference & { pages: string })[] = [];
  private hasTitlePage = false;

  open(name: string, attributes: Record<string, string>): void {
    if (name === "titlePg") this.hasTitlePage = isOn(attributes.val);
    else if (name === "headerReference" || name === "footerReference")
      this.references.push({
        kind: name === "headerReference" ? "header" : "footer",
        id: attributes.id ?? "",
        pages: attributes.type ?? "default",
      });
  }

  /** Ends a section; headers of first and even pages only count if they are switched on. */
  close(hasEvenPages: boolean): void {
    for (const { kind, id, pages } of this.references)
      if ((pages !== "first" || this.hasTitlePage) && (pages !== "even" || hasEvenPages))
        this.shown.push({ kind, id });
    this.references = [];
    this.hasTitlePage = false;
  }
}
