import { randomBytes } from "node:crypto";
import type { StoredData } from "@carrel/testing";

/** How text may be stored: as it is, or encoded, at any position in the encoded text. */
function formsOf(secret: string): { exact: string[]; anyCase: string[] } {
  const bytes = Buffer.from(secret);
  const base64 = [0, 1, 2].map((offset) => {
    const encoded = Buffer.concat([Buffer.alloc(offset), bytes]).toString("base64");
    // Characters that also encode bits of what is around it are left out.
    return encoded.slice(
      Math.ceil((offset * 8) / 6),
      Math.floor(((offset + bytes.length) * 8) / 6),
    );
  });
  return {
    exact: [...base64, ...base64.map((text) => text.replaceAll("+", "-").replaceAll("/", "_"))],
    anyCase: [
      secret,
      secret.replaceAll("-", ""),
      encodeURIComponent(secret),
      JSON.stringify(secret).slice(1, -1),
      bytes.toString("hex"),
    ].map((text) => text.toLowerCase()),
  };
}

/** Whether data contains a text, in any form. */
export function contains(data: string, lowered: string, text: string): boolean {
  const { exact, anyCase } = formsOf(text);
  return (
    exact.some((form) => data.includes(form)) || anyCase.some((form) => lowered.includes(form))
  );
}

/** Secrets that the product was given or made, by what they are. */
export class Secrets {
  private readonly planted: { what: string; secret: string }[] = [];

  get size(): number {
    return this.planted.length;
  }

  /** Makes up a secret; `shape` builds the value that contains it. */
  plant(what: string, shape: (secret: string) => string = (secret) => secret): string {
    const secret = `Pl4nted${randomBytes(12).toString("hex")}`;
    return shape(this.keep(what, secret));
  }

  /** Adds a secret that the product made. */
  keep(what: string, secret: string): string {
    if (secret.length < 12) throw new Error(`too short to be found: ${what}`);
    this.planted.push({ what, secret });
    return secret;
  }

  /** Lists where planted secrets are stored, as "what in place". */
  findIn(place: string, data: StoredData): string[] {
    return [...data].flatMap(([name, text]) => {
      const lowered = text.toLowerCase();
      return this.planted
        .filter(({ secret }) => contains(text, lowered, secret))
        .map(({ what }) => `${what} in ${place}: ${name}`);
    });
  }
}
