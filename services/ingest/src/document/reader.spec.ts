import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import type { Principal } from "@carrel/contracts";
import { describe, expect, it } from "@jest/globals";
import { everyReader, readerOf } from "./reader.ts";

const src = path.resolve(import.meta.dirname, "..");

/** Comments and quoted strings. */
const skipped = /\/\/.*|\/\*[^]*?\*\/|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'/y;

/** The outermost literals of a source file. */
function listLiterals(source: string): string[] {
  const literals: string[] = [];
  /** For each open literal, the depth of braces in the expression being read; -1 in its text. */
  const open: number[] = [];
  let start = 0;
  for (let at = 0; at < source.length; at++) {
    const character = source[at]!;
    const depth = open.at(-1) ?? 0;
    const isText = depth === -1;
    if (open.length === 0) {
      skipped.lastIndex = at;
      const [other] = skipped.exec(source) ?? [];
      if (other !== undefined) {
        if (!other.startsWith("/")) literals.push(other);
        at += other.length - 1;
        continue;
      }
    }
    if (character === "\\") at += 1;
    else if (character === "`" && isText) {
      open.pop();
      if (open.length === 0) literals.push(source.slice(start, at));
    } else if (character === "`") {
      if (open.length === 0) start = at + 1;
      open.push(-1);
    } else if (isText && source.startsWith("${", at)) {
      open[open.length - 1] = 0;
      at += 1;
    } else if (open.length > 0 && !isText && character === "{") open[open.length - 1] = depth + 1;
    else if (open.length > 0 && !isText && character === "}")
      open[open.length - 1] = depth === 0 ? -1 : depth - 1;
  }
  return literals;
}

/** Reads through the entity manager, up to what they read. */
const entityReads =
  /\.(?:find|count|exists|sum|createQueryBuilder|getRepository|from|innerJoin|leftJoin)\w*\(\s*(?:Workspace)?Document\b/g;

const conditions = /\b(?:mayRead|isHidden|shown|rowsOf|readable)\(/;

/** How many statements of a source file read documents without saying for whom. */
function countUnchecked(source: string): number {
  const calls = [...source.matchAll(entityReads)].map(({ index }) =>
    source.slice(index, source.indexOf(";", index)),
  );
  const literals = listLiterals(source).filter((sql) => reads.test(sql));
  return [...calls, ...literals].filter((statement) => !conditions.test(statement)).length;
}

const reads =
  /\b(?:FROM|JOIN)\s+ingest\.(?:document|workspace_document|document_text|document_page|document_words|document_version|chunk)\b/;

/**
 * Statements that read documents whoever may see them, by file. A new one belongs here only if
 * nothing of a document reaches anyone who may not see it.
 */
const unchecked: Record<string, [statements: number, reason: string]> = {
  "blob/blob-sweeper.ts": [1, "whether a file is still used"],
  "blob/blob.module.ts": [1, "whether a file is still used"],
  "chunking/chunk-heading.repository.ts": [2, "headings of passages that the caller was shown"],
  "chunking/chunk.repository.ts": [
    8,
    "chunks by id, which LiveChunks filters; chunks of documents the caller has looked up; counts that are corrected for the caller; Carrel's own samples",
  ],
  "chunking/published-chunks.ts": [1, "Carrel's own work"],
  "context/context.module.ts": [1, "whether there may be texts to list"],
  "document/audience.repository.ts": [
    4,
    "changes who may see documents; counts readers of documents the caller has looked up",
  ],
  "document/document-remover.ts": [2, "locks documents the caller has looked up"],
  "document/document.repository.ts": [
    6,
    "languages; changes to documents the caller has looked up; deletions",
  ],
  "document/text.repository.ts": [6, "texts of documents the caller has looked up"],
  "document/workspace-document-removal.ts": [1, "removes documents"],
  "document/workspace-document.repository.ts": [
    7,
    "work that is due; additions and rows of documents the caller has looked up",
  ],
  "index/document-publisher.ts": [3, "Carrel's own work"],
  "index/index-entry.repository.ts": [7, "Carrel's own work"],
  "index/index-follower.ts": [1, "Carrel's own work"],
  "index/index-garbage.ts": [2, "Carrel's own work"],
  "index/index-sweeper.ts": [1, "Carrel's own work"],
  "index/index-switch.ts": [1, "Carrel's own work"],
  "index/index.module.ts": [1, "Carrel's own work"],
  "index/indexing.repository.ts": [7, "Carrel's own work"],
  "index/postponement.repository.ts": [3, "Carrel's own work"],
  "index/terms.reconciler.ts": [1, "Carrel's own work"],
  "intake/parsed-twin.ts": [4, "reuses the text of the same bytes"],
  "intake/parsing.repository.ts": [8, "Carrel's own work"],
  "intake/sheet-documents.ts": [2, "other sheets of an upload the caller has looked up"],
  "intake/unread-pictures.ts": [2, "Carrel's own work"],
  "library/change-page.ts": [5, "changes what was selected for the caller"],
  "library/folder.repository.ts": [1, "whether a folder is taken"],
  "library/library-changes.ts": [1, "its condition comes from library-query.ts"],
  "library/library-file.handler.ts": [1, "whether a name is taken"],
  "library/library-query.ts": [3, "parts of statements with the condition of buildCondition"],
  "library/library-tree.ts": [3, "parts of statements with the condition `shown`"],
  "library/library.repository.ts": [
    3,
    "their condition comes from library-query.ts; estimates how common a word is",
  ],
  "parsed-file/parsed-file.repository.ts": [
    3,
    "files of a conversation the caller has looked up, which are theirs",
  ],
  "passage/document-search.ts": [
    2,
    "pages of chunks that were listed for the caller; whether workspaces are being rebuilt",
  ],
  "revision/document-version.repository.ts": [
    4,
    "versions of a document the caller has looked up; keeping them",
  ],
  "revision/revision-publication.ts": [1, "Carrel's own work"],
  "revision/revision-writer.ts": [1, "Carrel's own work"],
  "revision/revised-parts.ts": [1, "Carrel's own work"],
  "revision/revision.module.ts": [6, "Carrel's own work"],
  "revision/revision.repository.ts": [8, "Carrel's own work"],
  "passage/stored-text-index.ts": [1, "chunks of documents that were listed for the caller"],
  "workspace-document/document-lookup.ts": [1, "the condition is one of those it joins"],
  "workspace-document/watched-document.repository.ts": [1, "part of statements with the condition"],
  "workspace-document/workspace-document.listing.ts": [
    3,
    "part of statements with the condition; rows that were listed with it",
  ],
};

describe("statements that read documents", () => {
  it("are found in any quotes, and as calls of the entity manager", () => {
    const source = `
      // Isn't a string.
      q("SELECT 1 FROM ingest.document");
      q('SELECT 1 FROM ingest.chunk');
      q(\`SELECT 1 FROM ingest.document_text WHERE \${isAny ? \`\` : other}\`);
      q(\`SELECT 1 FROM ingest.document d WHERE \${mayRead(id, reader)}\`);
      q("SELECT 1 FROM ingest.folder");
      manager.findOneBy(Document, { id });
      manager.createQueryBuilder(Document, alias).where(mayRead(id, reader));
      manager.createQueryBuilder(WorkspaceDocument, alias);
      manager.insert(Document, {});
      manager.find(ParsedFile);`;
    expect(countUnchecked(source)).toBe(5);
  });

  it("contain who may read them, or are listed with a reason", () => {
    const files = globSync("**/*.ts", { cwd: src })
      .filter((file) => !file.endsWith("spec.ts") && !file.startsWith("database/migrations/"))
      .sort();
    const found = files.flatMap((file) => {
      const count = countUnchecked(readFileSync(path.join(src, file), "utf8"));
      return count === 0 ? [] : [[file, count] as const];
    });
    expect(Object.fromEntries(found)).toEqual(
      Object.fromEntries(Object.entries(unchecked).map(([file, [count]]) => [file, count])),
    );
  });
});

it.each<[Principal["kind"], number | null, number]>([
  ["service", null, everyReader],
  ["instance", null, everyReader],
  ["user", 7, 7],
  ["extension", 7, 7],
  ["user", null, -1],
  ["key", null, -1],
  // Whoever created it.
  ["key", 7, -1],
  ["widget", null, -1],
  ["widget", 7, -1],
  ["public", null, -1],
])("a %s with user %p reads as %p", (kind, userId, reader) => {
  expect(readerOf({ principal: { kind, userId, role: "admin" } })).toBe(reader);
});
