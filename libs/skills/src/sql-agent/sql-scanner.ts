import type { ToolError } from "../tool.ts";
import { refuseStatement } from "./sql-fault.ts";

export interface SqlToken {
  /** quoted: a name in quotes or brackets; string: a literal, without its text. */
  kind: "word" | "quoted" | "string" | "number" | "variable" | "symbol";
  /** Words in upper case, names without their quotes. */
  text: string;
  start: number;
  end: number;
}

export interface SqlSyntax {
  /** Quotes that end at themselves, doubled inside, and what they mean. */
  quotes: Record<string, { close: string; kind: "quoted" | "string"; hasEscapes: boolean }>;
  hasHashComments: boolean;
  /** MySQL takes two minus signs for a comment only in front of a space. */
  dashesNeedSpace: boolean;
  word: RegExp;
  variable: RegExp;
}

export const mysqlSyntax: SqlSyntax = {
  quotes: {
    "'": { close: "'", kind: "string", hasEscapes: true },
    '"': { close: '"', kind: "string", hasEscapes: true },
    "`": { close: "`", kind: "quoted", hasEscapes: false },
  },
  hasHashComments: true,
  dashesNeedSpace: true,
  word: /[\p{L}_$][\p{L}\p{M}\p{N}_$]*/uy,
  variable: /@@?[\p{L}\p{N}_$.]*/uy,
};

export const sqlServerSyntax: SqlSyntax = {
  quotes: {
    "'": { close: "'", kind: "string", hasEscapes: false },
    '"': { close: '"', kind: "quoted", hasEscapes: false },
    "[": { close: "]", kind: "quoted", hasEscapes: false },
  },
  hasHashComments: false,
  dashesNeedSpace: false,
  word: /[\p{L}_#][\p{L}\p{M}\p{N}_$#@]*/uy,
  variable: /@@?[\p{L}\p{N}_$#@]*/uy,
};

const maxLength = 50_000;
const number = /0x[0-9a-f]*|\d+(?:\.\d*)?(?:e[+-]?\d+)?|\.\d+(?:e[+-]?\d+)?/iy;
const spaces = /[ \t\n\v\f\r]+/y;
/** Servers disagree about what else separates words: control characters, other spaces. */
const symbol = /:=|<=>|->>|->|<=|>=|<>|!=|\|\||&&|::|[!-~]/y;

/**
 * Splits a statement as the server does, and returns it without comments: neither the server nor
 * another parser can read them differently then. Throws ToolError for what could be read in two ways.
 */
export function scanSql(
  statement: string,
  syntax: SqlSyntax,
): { text: string; tokens: SqlToken[] } {
  if (statement.length > maxLength) throw refuseStatement("it is too long.");
  if (statement.includes("\0")) throw refuseStatement("it contains a null character.");
  let text = "";
  let at = 0;
  const tokens: SqlToken[] = [];
  const match = (pattern: RegExp): string | null => {
    pattern.lastIndex = at;
    return pattern.exec(statement)?.[0] ?? null;
  };
  const add = (kind: SqlToken["kind"], read: string, name = read): void => {
    tokens.push({ kind, text: name, start: text.length, end: text.length + read.length });
    text += read;
    at += read.length;
  };
  while (at < statement.length) {
    const blank = match(spaces);
    const comment = blank === null ? readComment(statement, at, syntax) : null;
    if (blank !== null || comment !== null) {
      text += " ";
      at += (blank ?? comment!).length;
      continue;
    }
    const quote = syntax.quotes[statement[at]!];
    if (quote !== undefined) {
      const read = readQuoted(statement, at, quote);
      const name = read.slice(1, -1).replaceAll(quote.close + quote.close, quote.close);
      add(quote.kind, read, quote.kind === "string" ? "" : name);
      continue;
    }
    const variable = statement[at] === "@" ? match(syntax.variable) : null;
    if (variable !== null) {
      add("variable", variable, variable.toUpperCase());
      continue;
    }
    const digits = match(number);
    const word = digits === null ? match(syntax.word) : null;
    if (word !== null) add("word", word, word.toUpperCase());
    else if (digits === null) {
      const read = match(symbol);
      if (read === null) throw refuseStatement("use plain characters outside quotes.");
      add("symbol", read);
    } else {
      add("number", digits);
      // `1union` and `1e` are one name to some, and a number and a word to others.
      if (match(syntax.word) !== null)
        throw refuseStatement("put a space between a number and the word after it.");
    }
  }
  while (tokens.at(-1)?.text === ";" && tokens.at(-1)!.kind === "symbol")
    text = text.slice(0, tokens.pop()!.start);
  if (tokens.length === 0) throw refuseStatement("the statement is empty.");
  return { text: text.trimEnd(), tokens };
}

/** The comment that starts here; null if there is none. */
function readComment(statement: string, at: number, syntax: SqlSyntax): string | null {
  if (statement.startsWith("/*", at)) {
    // MySQL runs /*! … */ and MariaDB /*M! … */; /*+ … */ could lift the time limit.
    if (/^\/\*M?[!+]/i.test(statement.slice(at, at + 4)))
      throw refuseStatement("leave out comments that the server runs, and hints.");
    const end = statement.indexOf("*/", at + 2);
    const comment = end === -1 ? statement.slice(at) : statement.slice(at, end + 2);
    // SQL Server nests them, MySQL doesn't.
    if (end === -1 || comment.slice(2).includes("/*"))
      throw refuseStatement("close each comment, and don't nest them.");
    return comment;
  }
  const isHash = syntax.hasHashComments && statement[at] === "#";
  if (!isHash && !statement.startsWith("--", at)) return null;
  if (!isHash && syntax.dashesNeedSpace && !/^\s?$/.test(statement.slice(at + 2, at + 3)))
    throw refuseStatement("put a space between two minus signs, and after -- of a comment.");
  // Some end a line at a carriage return too.
  const line = /[^\n\r]*/y;
  line.lastIndex = at;
  return line.exec(statement)![0];
}

function readQuoted(
  statement: string,
  at: number,
  { close, hasEscapes }: { close: string; hasEscapes: boolean },
): string {
  for (let end = at + 1; end < statement.length; end += 1) {
    if (hasEscapes && statement[end] === "\\") end += 1;
    else if (statement[end] === close) {
      if (statement[end + 1] !== close) return statement.slice(at, end + 1);
      end += 1;
    }
  }
  throw refuseStatement(`a quote (${statement[at]}) isn't closed.`);
}

export interface SqlRules {
  /** How a statement may start. */
  starts: ReadonlySet<string>;
  /** Reserved words that only writing or leaving statements contain. */
  refusedWords: ReadonlySet<string>;
  /** Words that are names of functions too, and only refused otherwise. */
  functionWords: ReadonlySet<string>;
  functions: ReadonlySet<string>;
  /** Words that precede a parenthesis without being a function. */
  keywords: ReadonlySet<string>;
  /** Methods of values, called with a dot. */
  methods: ReadonlySet<string>;
  /** Names of schemas and tables with accounts, keys or other people's statements. */
  refusedNames: RegExp;
  /** Whether reserved words are names behind a dot. */
  hasDottedWords: boolean;
}

const isSymbol = (token: SqlToken | undefined, text: string): boolean =>
  token?.kind === "symbol" && token.text === text;
const isWord = (token: SqlToken | undefined, ...texts: string[]): boolean =>
  token?.kind === "word" && texts.includes(token.text);
const isName = (token: SqlToken | undefined): boolean =>
  token?.kind === "word" || token?.kind === "quoted";

/** Throws ToolError unless nothing in the statement can do more than read. */
export function requireReading(tokens: readonly SqlToken[], rules: SqlRules): void {
  const first = tokens.find((token) => !isSymbol(token, "("));
  if (first?.kind !== "word" || !rules.starts.has(first.text))
    throw refuseStatement(`start with ${[...rules.starts].join(", ")}.`);
  tokens.forEach((token, at) => {
    const [before, after] = [tokens[at - 1], tokens[at + 1]];
    if (isSymbol(token, ";")) throw refuseStatement("write exactly one statement.");
    if (isSymbol(token, ":=")) throw refuseStatement("nothing may be assigned.");
    if (token.kind === "word") requireWord(token, before, after, rules);
    if (!isName(token)) return;
    // Quoted names are compared without case, as servers may do.
    if (rules.refusedNames.test(token.text.toLowerCase()))
      throw refuseStatement(`${token.text.toLowerCase()} can't be read here.`);
    if (isSymbol(after, "(")) requireFunction(tokens, at, rules);
  });
}

function requireWord(
  token: SqlToken,
  before: SqlToken | undefined,
  after: SqlToken | undefined,
  rules: SqlRules,
): void {
  if (rules.hasDottedWords && isSymbol(before, ".")) return;
  if (rules.functionWords.has(token.text) && isSymbol(after, "(")) return;
  if (token.text === "SET" && isWord(before, "CHARACTER")) return;
  if (rules.refusedWords.has(token.text)) throw refuseStatement(`leave out ${token.text}.`);
  if (token.text === "FOR" && isWord(after, "UPDATE", "SHARE"))
    throw refuseStatement("leave out FOR UPDATE and FOR SHARE.");
  if (token.text === "NEXT" && isWord(after, "VALUE"))
    throw refuseStatement("sequences can't be advanced.");
}

function requireFunction(tokens: readonly SqlToken[], at: number, rules: SqlRules): void {
  const token = tokens[at]!;
  const before = tokens[at - 1];
  if (isSymbol(before, ".")) {
    if (rules.methods.has(token.text.toUpperCase())) return;
    throw refuseCall(token);
  }
  const name = token.text.toUpperCase();
  if (token.kind === "word" && rules.keywords.has(name)) return;
  if (rules.functions.has(name)) return;
  // A column list: of a table expression (`WITH t (a) AS (…)`), or of an alias.
  const end = closing(tokens, at + 1);
  if (isWord(tokens[end + 1], "AS") && isSymbol(tokens[end + 2], "(")) return;
  if (isWord(before, "AS") || isSymbol(before, ")")) return;
  throw refuseCall(token);
}

const refuseCall = ({ text }: SqlToken): ToolError =>
  refuseStatement(
    `the function ${text.toLowerCase()} isn't one of those that only read. Functions of the database's own can't be called.`,
  );

function closing(tokens: readonly SqlToken[], open: number): number {
  let depth = 0;
  for (let at = open; at < tokens.length; at += 1) {
    if (isSymbol(tokens[at], "(")) depth += 1;
    if (isSymbol(tokens[at], ")")) depth -= 1;
    if (depth === 0) return at;
  }
  return tokens.length;
}
