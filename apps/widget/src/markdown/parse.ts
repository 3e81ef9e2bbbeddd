import { Lexer, type Token } from "marked";

/** Longer texts are shown as they are, because parsing some of them would take seconds. */
const maxLength = 40_000;
/** How deep lists and quotes may be nested; anything deeper is shown as text. */
const maxDepth = 12;

function childrenOf(token: Token): Token[] {
  const { tokens, items } = token as { tokens?: Token[]; items?: Token[] };
  return tokens ?? items ?? [];
}

function isDeeper(tokens: Token[], left: number): boolean {
  return tokens.some(
    (token) =>
      childrenOf(token).length > 0 && (left === 0 || isDeeper(childrenOf(token), left - 1)),
  );
}

/** Tokens of a text; null for a text that is shown as it is. */
export function parse(text: string): Token[] | null {
  if (text.length > maxLength) return null;
  try {
    const tokens = new Lexer({ gfm: true, breaks: true }).lex(text);
    return isDeeper(tokens, maxDepth * 2) ? null : tokens;
  } catch {
    return null; // nested deeper than the stack
  }
}

/** What a screen reader says for a block of an answer. */
export function plainText(token: Token): string {
  if (token.type === "table") {
    const { header, rows } = token as unknown as {
      header: { text: string }[];
      rows: { text: string }[][];
    };
    return [header, ...rows].map((row) => row.map(({ text }) => text).join(", ")).join(". ");
  }
  const children = childrenOf(token);
  if (children.length === 0) return "text" in token ? String(token.text) : "";
  return children.map(plainText).join(token.type === "list" ? ". " : "");
}
