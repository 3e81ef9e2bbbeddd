import type { KnownFault } from "@carrel/contracts";
import sax from "sax";
import type { Archive } from "./archive.ts";
import { UnreadableError } from "./parsed-document.ts";

/** Names come without their prefix; attributes keep it only if they would clash. */
export interface XmlHandlers {
  open?: (name: string, attributes: Record<string, string>) => void;
  text?: (text: string) => void;
  close?: (name: string) => void;
}

const deepest = 5_000;
/** Characters handed to the parser at once, and how long the start of a declaration may be. */
const sliceLength = 1_024;
const longestKeyword = 100;
const localName = (name: string): string => name.slice(name.indexOf(":") + 1);

/**
 * Resolves entities for short plain text. Nested, external or long ones are rejected, because they
 * let a small file expand to gigabytes or read what it shouldn't.
 */
function readEntities(doctype: string, what: KnownFault): Record<string, string> {
  const entities: Record<string, string> = {};
  for (const [, parameter, name = "", value] of doctype.matchAll(
    /<!ENTITY\s+(%\s+)?([^\s"'>]+)\s*(?:"([^"]*)"|'[^']*'|[^>]*)/gi,
  )) {
    if (
      parameter ||
      value === undefined ||
      /[&%<]/.test(value) ||
      value.length > 1000 ||
      Object.keys(entities).length >= 100
    ) {
      throw new UnreadableError({
        code: "file.entities-declared",
        params: { what, name: name.slice(0, 40) },
      });
    }
    entities[name] = value;
  }
  return entities;
}

/** With what its types leave out: the declaration it is reading, from after `<!`. */
type SaxParser = sax.SAXParser & { sgmlDecl: string };

/** A strict streaming XML reader: no recursion, only plain entities, nothing fetched. */
export class XmlReader {
  private readonly parser = sax.parser(true, {
    trim: false,
    normalize: false,
    position: true,
  }) as SaxParser;
  private depth = 0;
  private fault: unknown = null;

  constructor(
    private readonly what: KnownFault,
    handlers: XmlHandlers,
  ) {
    const { parser } = this;
    parser.onerror = (error) => {
      throw error;
    };
    parser.ondoctype = (doctype) => {
      Object.assign(parser.ENTITIES, readEntities(doctype, what));
    };
    parser.onopentag = ({ name, attributes }) => {
      if (++this.depth > deepest)
        throw new UnreadableError({
          code: "file.nested-too-deep",
          params: { what, limit: deepest },
        });
      if (!handlers.open) return;
      const plain: Record<string, string> = {};
      for (const [key, value] of Object.entries(attributes as Record<string, string>)) {
        const local = localName(key);
        plain[local in plain ? key : local] = value;
      }
      handlers.open(localName(name), plain);
    };
    parser.onclosetag = (name) => {
      this.depth--;
      handlers.close?.(localName(name));
    };
    parser.ontext = (text) => handlers.text?.(text);
    parser.oncdata = (text) => handlers.text?.(text);
  }

  write(text: string): void {
    this.guard(() => {
      for (let at = 0; at < text.length; at += sliceLength) {
        this.parser.write(text.slice(at, at + sliceLength));
        // The parser reads an unknown declaration (`<!…`) again at each of its characters.
        if (this.parser.sgmlDecl.length > longestKeyword)
          throw new Error("a declaration that XML doesn't have");
      }
    });
  }

  end(): void {
    this.guard(() => this.parser.close());
  }

  private guard(run: () => void): void {
    if (this.fault) throw this.fault;
    try {
      run();
    } catch (cause) {
      const line = (this.parser as unknown as { line: number }).line + 1;
      this.fault =
        cause instanceof UnreadableError
          ? cause
          : new UnreadableError(
              {
                code: "file.damaged-from-line",
                params: { what: this.what, line },
              },
              {
                cause,
              },
            );
      throw this.fault;
    }
  }
}

/** Reads one XML part of an archive while it is unpacked. */
export async function readXmlPart(
  archive: Archive,
  name: string,
  handlers: XmlHandlers,
): Promise<void> {
  const reader = new XmlReader(archive.what, handlers);
  let decoder: InstanceType<typeof TextDecoder> | null = null;
  for await (const piece of archive.stream(name)) {
    decoder ??= new TextDecoder(
      piece[0] === 0xff && piece[1] === 0xfe
        ? "utf-16le"
        : piece[0] === 0xfe && piece[1] === 0xff
          ? "utf-16be"
          : "utf-8",
    );
    reader.write(decoder.decode(piece, { stream: true }));
  }
  reader.end();
}
