import { clipText } from "@carrel/contracts/clip-text";
import { cleanText } from "./decode-text.ts";
import type { Heading, ParsedText } from "./parsed-document.ts";

/** Display names of languages by extension. */
export const languages: Record<string, string> = {
  ".c": "C",
  ".h": "C",
  ".cc": "C++",
  ".cpp": "C++",
  ".cxx": "C++",
  ".hpp": "C++",
  ".cs": "C#",
  ".java": "Java",
  ".kt": "Kotlin",
  ".kts": "Kotlin",
  ".scala": "Scala",
  ".groovy": "Groovy",
  ".js": "JavaScript",
  ".mjs": "JavaScript",
  ".cjs": "JavaScript",
  ".jsx": "JavaScript",
  ".ts": "TypeScript",
  ".mts": "TypeScript",
  ".cts": "TypeScript",
  ".tsx": "TypeScript",
  ".py": "Python",
  ".pyi": "Python",
  ".rb": "Ruby",
  ".php": "PHP",
  ".go": "Go",
  ".rs": "Rust",
  ".swift": "Swift",
  ".m": "Objective-C",
  ".mm": "Objective-C",
  ".pl": "Perl",
  ".pm": "Perl",
  ".lua": "Lua",
  ".r": "R",
  ".jl": "Julia",
  ".dart": "Dart",
  ".ex": "Elixir",
  ".exs": "Elixir",
  ".erl": "Erlang",
  ".hs": "Haskell",
  ".clj": "Clojure",
  ".fs": "F#",
  ".vb": "Visual Basic",
  ".sql": "SQL",
  ".sh": "Shell",
  ".bash": "Shell",
  ".zsh": "Shell",
  ".ps1": "PowerShell",
  ".bat": "Batch",
  ".zig": "Zig",
  ".nim": "Nim",
  ".ml": "OCaml",
  ".proto": "Protocol Buffers",
  ".graphql": "GraphQL",
  ".vue": "Vue",
  ".svelte": "Svelte",
  ".css": "CSS",
  ".scss": "SCSS",
  ".less": "Less",
  ".tf": "Terraform",
  ".sol": "Solidity",
  ".asm": "Assembly",
  ".yaml": "YAML",
  ".yml": "YAML",
  ".toml": "TOML",
  ".ini": "INI",
  ".cmake": "CMake",
  ".gradle": "Gradle",
};

export const languageOf = (extension: string): string | null => languages[extension] ?? null;
/** For example `text/x-typescript`, which keeps the language with the document. */
export const mimeOfLanguage = (language: string): string =>
  `text/x-${language
    .toLowerCase()
    .replace("++", "pp")
    .replace("#", "sharp")
    .replace(/[^a-z0-9]+/g, "-")}`;

/** Declarations that head a section of code, with the keywords of most languages. */
const declaration =
  /^([ \t]*)((?:(?:export|default|public|private|protected|internal|static|async|abstract|final|sealed|open|override|virtual|inline|pub|pub\([^)]{1,20}\)|unsafe|extern|declare)\s+){0,6}(?:class|interface|struct|enum|trait|impl|module|namespace|object|protocol|def|defmodule|fn|fun|func|function|sub|CREATE\s+(?:OR\s+REPLACE\s+)?(?:TABLE|VIEW|FUNCTION|PROCEDURE|TRIGGER))\b\s*\*?\s*(?:\([^)]{0,80}\)\s*)?[\w$.:<>"']{1,80})/;

/**
 * Source code line by line, unchanged; its classes and functions are headings, so that a passage
 * shows where it is from.
 */
export function parseCode(source: string): ParsedText {
  const text = cleanText(source).trimEnd();
  const headings: Heading[] = [];
  const indents: number[] = [];
  for (let start = 0; start < text.length;) {
    const newline = text.indexOf("\n", start);
    const end = newline < 0 ? text.length : newline;
    const found = end - start <= 400 ? declaration.exec(text.slice(start, end)) : null;
    if (found) {
      const indent = found[1]!.replaceAll("\t", "    ").length;
      while (indents.length > 0 && indents.at(-1)! >= indent) indents.pop();
      indents.push(indent);
      if (indents.length <= 3)
        headings.push({
          start: start + found[1]!.length,
          level: indents.length,
          title: clipText(found[2]!.replace(/\s+/g, " ").replace(/[:<"']+$/, ""), 120),
        });
    }
    start = end + 1;
  }
  return { text, headings, pages: [] };
}
