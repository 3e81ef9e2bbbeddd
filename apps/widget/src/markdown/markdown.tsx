import type { Token, Tokens } from "marked";
import type { ComponentChildren, JSX } from "preact";
import { useState } from "preact/hooks";
import { safeUrl } from "../config/read-config.ts";
import { Icon } from "../view/icon.tsx";
import { useWords } from "../words/words-context.ts";
import { parse } from "./parse.ts";

/** Entities that answers use; the browser's own decoder needs innerHTML. */
const named: Record<string, string> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  nbsp: "\u00a0",
  ndash: "–",
  mdash: "—",
  hellip: "…",
  euro: "€",
  copy: "©",
  times: "×",
  deg: "°",
  rarr: "→",
  larr: "←",
};

const decodeEntities = (text: string): string =>
  text.replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]{2,6}));/gi, (all, decimal, hex, name) => {
    if (name !== undefined) return named[name as string] ?? (all as string);
    const code = decimal !== undefined ? Number(decimal) : parseInt(hex as string, 16);
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : (all as string);
  });

/** Answers are never HTML: tokens become elements, and tags in a text are shown as text. */
export function Markdown({ text }: { text: string }): JSX.Element {
  const tokens = parse(text);
  if (tokens === null) return <p class="plain">{text}</p>;
  return <>{tokens.map(render)}</>;
}

function Link({ href, children }: { href: string; children: ComponentChildren }): JSX.Element {
  const address = safeUrl(decodeEntities(href), ["http:", "https:", "mailto:"]);
  if (address === null || !/^[a-z]+:/i.test(href)) return <>{children}</>;
  return (
    <a href={address} target="_blank" rel="noopener noreferrer nofollow">
      {children}
    </a>
  );
}

const inside = (token: Token): ComponentChildren => {
  const { tokens, text } = token as { tokens?: Token[]; text?: string };
  return tokens === undefined ? decodeEntities(text ?? "") : tokens.map(render);
};

function Table({ token }: { token: Tokens.Table }): JSX.Element {
  const cell = (Tag: "th" | "td") => (each: Tokens.TableCell, column: number) => (
    <Tag key={column} class={each.align ?? undefined} scope={Tag === "th" ? "col" : undefined}>
      {each.tokens.map(render)}
    </Tag>
  );
  return (
    // Wide tables scroll, also by keyboard.
    <div class="scroll" tabIndex={0} role="group">
      <table>
        <thead>
          <tr>{token.header.map(cell("th"))}</tr>
        </thead>
        <tbody>
          {token.rows.map((row, index) => (
            <tr key={index}>{row.map(cell("td"))}</tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function List({ token }: { token: Tokens.List }): JSX.Element {
  const items = token.items.map((item, index) => (
    <li key={index} class={item.task ? "task" : undefined}>
      {item.tokens.map(render)}
    </li>
  ));
  if (!token.ordered) return <ul>{items}</ul>;
  return <ol start={Number(token.start) || 1}>{items}</ol>;
}

function render(token: Token, key: number): ComponentChildren {
  switch (token.type) {
    case "space":
    case "def":
      return null;
    case "heading":
      // The page's own headings come first.
      return (
        <p key={key} class="heading" role="heading" aria-level={Math.min(6, token.depth + 2)}>
          {inside(token)}
        </p>
      );
    case "paragraph":
      return <p key={key}>{inside(token)}</p>;
    case "blockquote":
      return <blockquote key={key}>{inside(token)}</blockquote>;
    case "code":
      return <CodeBlock key={key} text={token.text} language={token.lang ?? ""} />;
    case "list":
      return <List key={key} token={token as Tokens.List} />;
    case "table":
      return <Table key={key} token={token as Tokens.Table} />;
    case "hr":
      return <hr key={key} />;
    case "br":
      return <br key={key} />;
    case "checkbox":
      return (
        <input key={key} type="checkbox" checked={token.checked} disabled aria-hidden="true" />
      );
    case "strong":
      return <strong key={key}>{inside(token)}</strong>;
    case "em":
      return <em key={key}>{inside(token)}</em>;
    case "del":
      return <del key={key}>{inside(token)}</del>;
    case "codespan":
      return <code key={key}>{token.text}</code>;
    case "link":
      return (
        <Link key={key} href={token.href}>
          {inside(token)}
        </Link>
      );
    case "image":
      // Loading it would tell its server what was asked.
      return (
        <Link key={key} href={token.href}>
          {token.text || token.href}
        </Link>
      );
    case "html":
      return token.block ? (
        <p key={key} class="plain">
          {token.text}
        </p>
      ) : (
        token.text
      );
    default:
      return inside(token);
  }
}

function CodeBlock({ text, language }: { text: string; language: string }): JSX.Element {
  const words = useWords();
  const [isCopied, setCopied] = useState(false);
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(text);
      setCopied(true);
    } catch {
      setCopied(false); // not allowed on this page; the text can still be selected
    }
  };
  return (
    <div class="code" dir="ltr">
      <div class="code-bar">
        <span>{language.split(/\s/)[0]}</span>
        <button
          type="button"
          class="icon-button small"
          aria-label={isCopied ? words.copied : words.copy}
          onClick={() => void copy()}
          onBlur={() => setCopied(false)}
        >
          <Icon name={isCopied ? "check" : "copy"} />
        </button>
      </div>
      <pre tabIndex={0}>
        <code>{text}</code>
      </pre>
    </div>
  );
}
